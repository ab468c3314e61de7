/* Changes of second-order cones, for thin shapes. */
#ifndef SHAPES_COMPOSED_BOOST_H
#define SHAPES_COMPOSED_BOOST_H

#include "abut/shape.h"

/* Transforms the rows of each second-order cone near whose boundary the slack s at the shape's centre lies, so that
 * this slack lies on the cone's axis. The set and its scaling stay the same, to rounding. */
void abut_shape_boost(AbutShape *shape);

#endif

/* The second-order cones of a shape seen from a point inside. */
#ifndef SHAPES_COMPOSED_BOOST_H
#define SHAPES_COMPOSED_BOOST_H

#include "abut/shape.h"

/* Where s at the shape's centre lies near the boundary of a second-order cone, takes the rows of that cone to where s
 * lies on its axis: the set and its scaling stay what they are, to rounding. */
void abut_shape_boost(AbutShape *shape);

#endif

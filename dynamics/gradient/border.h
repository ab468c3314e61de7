/* Functions of dynamics/gradient/border.c. */
#ifndef DYNAMICS_GRADIENT_BORDER_H
#define DYNAMICS_GRADIENT_BORDER_H

#include "dynamics/gradient/part.h"

AbutBorders abut_gradient_borders(const AbutIsland *island);
void abut_gradient_leave_border(const AbutIsland *island, AbutBorderSide side, double *z);

/* Whether the sides of a border that a point at the end of a face makes are those of a body about to tip. */
bool abut_gradient_tips(const AbutGradientPart *closed, const AbutGradientPart *open);

/* What differs between the two sides of the border is refused for it; `open` is NULL where that side has none. */
void abut_gradient_refuse_border(const AbutGradientPart *closed, const AbutGradientPart *open,
                                 const AbutRefusal *border);

#endif

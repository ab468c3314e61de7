/* Finds exact solutions on the border of two modes of a contact, and constructs a point on either side of the border.
 */
#pragma once

#include "dynamics/gradient/part.h"

/* The borders that an exact solution is on, each with the first contact on it. `load`: a contact touches without load,
 * or its friction is at its bound. `end`: a contact point is at the end of a face. */
typedef struct AbutBorders {
	AbutRefusal load, end;
} AbutBorders;
/* Where a point is placed relative to each border. CLOSED: the contact carries load, sticks, and holds the point at the
 * end of the face. OPEN: the opposite. AS_IS: the point is not moved. */
typedef enum AbutBorderPlace { ABUT_BORDER_OPEN, ABUT_BORDER_AS_IS, ABUT_BORDER_CLOSED } AbutBorderPlace;
typedef struct AbutBorderSide {
	AbutBorderPlace load, end;
} AbutBorderSide;

/* Returns the borders that the island's exact solution is on. */
AbutBorders abut_gradient_borders(const AbutIsland *island);
/* Moves `z`, a copy of the solution's duals, slightly to the given side of all borders that the solution is on. */
void abut_gradient_leave_border(const AbutIsland *island, AbutBorderSide side, double *z);

/* Returns whether a body is about to tip over the end of a face: the two sides of the border then move differently. */
bool abut_gradient_tips(const AbutGradientPart *closed, const AbutGradientPart *open);

/* Refuses the derivatives that differ between the two sides of the border. `open`: NULL if the open side has no
 * derivative. */
void abut_gradient_refuse_border(const AbutGradientPart *closed, const AbutGradientPart *open,
                                 const AbutRefusal *border);

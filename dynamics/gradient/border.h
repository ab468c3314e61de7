/* Exact solutions on the border of two modes of a contact, and a point to either side of them. */
#ifndef DYNAMICS_GRADIENT_BORDER_H
#define DYNAMICS_GRADIENT_BORDER_H

#include "dynamics/gradient/part.h"

/* The first contacts of an exact solution that are on the border of two modes: by their load (none, or friction at its
 * bound), and by their points (at the end of a face). */
typedef struct AbutBorders {
	AbutRefusal load, end;
} AbutBorders;
/* A side of the borders: closed holds the load, sticks, and holds the point at its end. */
typedef enum AbutBorderPlace { ABUT_BORDER_OPEN, ABUT_BORDER_AS_IS, ABUT_BORDER_CLOSED } AbutBorderPlace;
typedef struct AbutBorderSide {
	AbutBorderPlace load, end;
} AbutBorderSide;

/* Returns the borders that the island's exact solution is on. */
AbutBorders abut_gradient_borders(const AbutIsland *island);
/* Moves `z`, a copy of the solution's, a little to a side of all borders that the solution is on. */
void abut_gradient_leave_border(const AbutIsland *island, AbutBorderSide side, double *z);

/* Returns whether the two sides of a border at the end of a face are those of a body about to tip. */
bool abut_gradient_tips(const AbutGradientPart *closed, const AbutGradientPart *open);

/* Refuses the derivatives that differ between the two sides of the border; `open`: NULL if that side has none. */
void abut_gradient_refuse_border(const AbutGradientPart *closed, const AbutGradientPart *open,
                                 const AbutRefusal *border);

#endif

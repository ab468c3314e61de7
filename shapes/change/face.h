/* Treats the rows of a shape as parameters: those of halfspaces, boxes, polytopes, cores of padded polytopes, and conic
 * data. With A and b = h + d of a row, the set at alpha = 1 has the slacks b - A p - B eps. The scaling centre c stays
 * the same, so that h = A c and d = b - A c. Rows of halfspaces, boxes and polytopes are normalised to unit length,
 * which does not change the set. */
#pragma once

#include "abut/shape.h"

/* Returns how many of the shape's first rows can be changed; 0 for kinds without such rows. */
int abut_shape_face_count(const AbutShape *shape);

/* Creates a shape with the rows A (face count x 3, row-major) and b (face count) in place of the old rows. The own
 * frame and the scaling centre stay the same; the radii are those of the new set. A box becomes a polytope. Returns
 * ABUT_ERROR_ARGUMENT if the set is empty or unbounded, or does not contain the centre. Other errors are those of the
 * constructors. */
AbutStatus abut_shape_reface(const AbutShape *shape, const double *A, const double *b, AbutShape **out,
                             AbutError *error);

/* The derivative of a row with respect to its entry k: 0 to 2 for A, 3 for b. */
typedef struct AbutFaceChange {
	double A[3], d, h;
	double B[3]; /* derivative of B for a padded polytope, otherwise 0 */
} AbutFaceChange;

AbutFaceChange abut_shape_row_by_face(const AbutShape *shape, int row, int k);

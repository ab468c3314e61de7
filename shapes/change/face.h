/* The rows of shapes as parameters: those of halfspaces, boxes, polytopes, the cores of padded ones, and conic data.
 * With A and b = h + d of a row, the set is that of b - A p - B eps; the scaling centre c stays, so that h = A c and
 * d = b - A c. Rows of halfspaces, boxes and polytopes are brought back to unit length, which changes no set. */
#ifndef SHAPES_CHANGE_FACE_H
#define SHAPES_CHANGE_FACE_H

#include "abut/shape.h"

/* Rows that can be changed so, the first ones of the shape; 0 for other kinds. */
int abut_shape_face_count(const AbutShape *shape);

/* A new shape with these rows, A (face count x 3, row-major) and b (face count), where the old one is: own frame and
 * scaling centre stay, radii are those of the new set. A box becomes a polytope. ABUT_ERROR_ARGUMENT: the set is empty
 * or unbounded, or does not hold the centre; other statuses as those of the constructors. */
AbutStatus abut_shape_reface(const AbutShape *shape, const double *A, const double *b, AbutShape **out,
                             AbutError *error);

/* How a row changes with entry k of it: 0 to 2 its A, 3 its b. */
typedef struct AbutFaceChange {
	double A[3], d, h;
	double B[3]; /* of the eps of a padded polytope; of others 0 */
} AbutFaceChange;

AbutFaceChange abut_shape_row_by_face(const AbutShape *shape, int row, int k);

#endif

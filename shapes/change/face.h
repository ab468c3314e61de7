/* The rows of a shape as parameters: rows of halfspaces, boxes, polytopes, cores of padded polytopes, and conic data.
 * With A and b = h + d of a row, the set is given by b - A p - B eps; the scaling centre c stays, so that h = A c and d
 * = b - A c. Rows of halfspaces, boxes and polytopes are normalised to unit length, which does not change the set. */
#ifndef SHAPES_CHANGE_FACE_H
#define SHAPES_CHANGE_FACE_H

#include "abut/shape.h"

/* Returns how many leading rows of the shape can be changed; 0 for other kinds. */
int abut_shape_face_count(const AbutShape *shape);

/* Creates a shape with the rows A (face count x 3, row-major) and b (face count) in place of the old rows. Own frame
 * and scaling centre stay; the radii are those of the new set. A box becomes a polytope. ABUT_ERROR_ARGUMENT: the set
 * is empty or unbounded, or does not contain the centre; other statuses as of the constructors. */
AbutStatus abut_shape_reface(const AbutShape *shape, const double *A, const double *b, AbutShape **out,
                             AbutError *error);

/* The derivative of a row by its entry k: 0 to 2 for A, 3 for b. */
typedef struct AbutFaceChange {
	double A[3], d, h;
	double B[3]; /* for the eps of a padded polytope; otherwise 0 */
} AbutFaceChange;

AbutFaceChange abut_shape_row_by_face(const AbutShape *shape, int row, int k);

#endif

/* The numbers of a model that its steps depend on, one by one: what a step can be differentiated by (abut/gradient.h),
 * and what can be changed in a copy of a model without compiling it anew. */
#ifndef ABUT_PARAMETER_H
#define ABUT_PARAMETER_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a parameter is. X(constant, name of the block in `abut grad`). */
#define ABUT_PARAMETER_LIST(X)                                                                                         \
	/* s */                                                                                                        \
	X(ABUT_PARAMETER_TIMESTEP, "timestep")                                                                         \
	/* m/s^2; index 0 to 2, world axes */                                                                          \
	X(ABUT_PARAMETER_GRAVITY, "gravity")                                                                           \
	/* kg, of a moving body; its inertia and centre of mass stay */                                                \
	X(ABUT_PARAMETER_MASS, "mass")                                                                                 \
	/* kg m^2, of a moving body about its centre of mass, body axes; index 0 to 5: xx, yy, zz, xy, xz, yz */       \
	X(ABUT_PARAMETER_INERTIA, "inertia")                                                                           \
	/* m, of a moving body, index 0 to 2, body frame: with the body frame's pose and the velocity of the centre of \
	 * mass held; mass and inertia about it stay */                                                                \
	X(ABUT_PARAMETER_CENTRE_OF_MASS, "centre_of_mass")                                                             \
	/* coefficient, of two bodies that may touch */                                                                \
	X(ABUT_PARAMETER_FRICTION, "friction")                                                                         \
	/* m, of two bodies that may touch: of their first parts; the radii of other parts change by as much */        \
	X(ABUT_PARAMETER_TORSIONAL_RADIUS, "torsional_radius")                                                         \
	/* m, of a part of a body; index into AbutShape.size. Masses stay. */                                          \
	X(ABUT_PARAMETER_SIZE, "size")                                                                                 \
	/* of a part that is a halfspace, box, (padded) polytope or conic: index 4 row + k, of row `row` of the        \
	 * shape's rows (1), of a padded one its core's: k = 0 to 2: its A; k = 3: its bound b = h + d, m. The set     \
	 * is that at alpha = 1; rows of all but conic ones are brought back to unit length, which changes no set. */  \
	X(ABUT_PARAMETER_FACE, "face")                                                                                 \
	/* m, of a part in its body's frame, index 0 to 2 */                                                           \
	X(ABUT_PARAMETER_PART_POSITION, "part_position")                                                               \
	/* rad, of a part about the axes of its body's frame through the part's scaling centre, index 0 to 2 */        \
	X(ABUT_PARAMETER_PART_ROTATION, "part_rotation")

typedef enum AbutParameterKind {
#define ABUT_X(constant, name) constant,
	ABUT_PARAMETER_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_PARAMETER_COUNT
} AbutParameterKind;

/* One number of a model. */
typedef struct AbutParameter {
	AbutParameterKind kind; /* which of its numbers; what the rest names follows from it */
	int body;               /* index; -1 for timestep and gravity */
	int other;              /* friction and torsional radius: the other body, above `body`; otherwise -1 */
	int part;               /* of the body: size, face, part's pose; otherwise -1 */
	int index;              /* as above; 0 where there is one */
} AbutParameter;

/* Name of the kind; "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_parameter_kind_name(AbutParameterKind kind);

/* The parameters of a kind in a fixed order: bodies, parts and indices ascending. Writes up to `capacity` of them into
 * `out` (may be NULL with capacity 0) and answers how many there are. Pairs: all that may touch, of which one body
 * moves. */
ABUT_API int abut_parameter_list(const AbutModel *model, AbutParameterKind kind, int capacity, AbutParameter *out);

/* Into `text` as a reader would say it, such as "friction of floor and cube" or "size[0] of part 1 of mug"; at most
 * `size` bytes with the end. */
ABUT_API void abut_parameter_describe(const AbutModel *model, const AbutParameter *parameter, char *text, size_t size);

/* Its `value`; rotations have 0. ABUT_ERROR_ARGUMENT: the model has no such parameter; `error` tells which and why. */
ABUT_API AbutStatus abut_parameter_get(const AbutModel *model, const AbutParameter *parameter, double *value,
                                       AbutError *error);

/* A copy of the model with these `values` (n) of its `parameters` (n) in it; of several for the same parameter the last
 * counts. What a scene's compilation chooses stays as it was: units, scaling centres, the outer radii that contacts and
 * rows are scaled by, and default torsional radii; so the copy's steps are a smooth function of the values, whose
 * derivative abut/gradient.h tells. Sums, intersections and smooth shapes have no sizes and rows, but a pose. A
 * friction coefficient or torsional radius of 0 switches that off, and none is negative: the derivative by it there is
 * that from above. Rows of all shapes but conic ones are brought back to unit length, so a caller that iterates reads
 * the values back with abut_parameter_get.
 *
 * States go with the model that they are made from: abut_state_restore takes one from the other, with the centres of
 * mass where they were (abut_state_set_body: the bodies' frames). A value that no model can have is refused as
 * abut_model_create does, `error` telling the parameter, the value and why; ABUT_ERROR_UNSUPPORTED: preset "paper". */
ABUT_API AbutStatus abut_model_create_changed(const AbutModel *model, int n, const AbutParameter *parameters,
                                              const double *values, AbutModel **out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

/* The parameters of a model: the numbers by which a step can be differentiated (abut/gradient.h), and which can be
 * changed in a copy of a model without compiling it again. */
#ifndef ABUT_PARAMETER_H
#define ABUT_PARAMETER_H

#include "abut/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of parameter. X(constant, name of the block in `abut grad`). */
#define ABUT_PARAMETER_LIST(X)                                                                                         \
	/* s */                                                                                                        \
	X(ABUT_PARAMETER_TIMESTEP, "timestep")                                                                         \
	/* m/s^2; index 0 to 2, world axes */                                                                          \
	X(ABUT_PARAMETER_GRAVITY, "gravity")                                                                           \
	/* kg, of a moving body; inertia and centre of mass are held */                                                \
	X(ABUT_PARAMETER_MASS, "mass")                                                                                 \
	/* kg m^2, of a moving body about its centre of mass, body axes; index 0 to 5: xx, yy, zz, xy, xz, yz */       \
	X(ABUT_PARAMETER_INERTIA, "inertia")                                                                           \
	/* m, of a moving body, index 0 to 2, body frame; the pose of the body frame, the velocity of the centre of    \
	 * mass, and mass and inertia about it are held */                                                             \
	X(ABUT_PARAMETER_CENTRE_OF_MASS, "centre_of_mass")                                                             \
	/* coefficient, of two bodies that may touch */                                                                \
	X(ABUT_PARAMETER_FRICTION, "friction")                                                                         \
	/* m, of the first parts of two bodies that may touch; the radii of other parts change by as much */           \
	X(ABUT_PARAMETER_TORSIONAL_RADIUS, "torsional_radius")                                                         \
	/* m, of a part of a body; index into AbutShape.size; masses are held */                                       \
	X(ABUT_PARAMETER_SIZE, "size")                                                                                 \
	/* of a part that is a halfspace, box, (padded) polytope or conic: index 4 row + k for row `row` of the        \
	 * shape's rows (of the core's, if padded); k = 0 to 2: its A; k = 3: its bound b = h + d, m. The set is that  \
	 * at alpha = 1. Rows of all kinds except conic are normalised to unit length, which changes no set. */        \
	X(ABUT_PARAMETER_FACE, "face")                                                                                 \
	/* m, of a part in the frame of its body, index 0 to 2 */                                                      \
	X(ABUT_PARAMETER_PART_POSITION, "part_position")                                                               \
	/* rad, of a part about the axes of its body's frame, through the part's scaling centre, index 0 to 2 */       \
	X(ABUT_PARAMETER_PART_ROTATION, "part_rotation")                                                               \
	/* target of the motor on freedom `index` of a joint, in the units of AbutMotorDef. A step reads the state's   \
	 * target (abut_state_set_motor), and the derivative is by it; the value is that of the model, with which      \
	 * states begin. */                                                                                            \
	X(ABUT_PARAMETER_MOTOR, "motor")                                                                               \
	/* of a motor, in the units of AbutMotorDef; stiffness of position motors, damping of position and velocity    \
	 * motors, finite limits only */                                                                               \
	X(ABUT_PARAMETER_MOTOR_STIFFNESS, "motor_stiffness")                                                           \
	X(ABUT_PARAMETER_MOTOR_DAMPING, "motor_damping")                                                               \
	X(ABUT_PARAMETER_MOTOR_LIMIT, "motor_limit")                                                                   \
	/* of freedom `index` of a joint, in the units of AbutJointAxis; limits of freedoms that have them. Of a ball, \
	 * index 0 for all freedoms, but for targets of motors; `lower` is its cone, and `upper` its twist */          \
	X(ABUT_PARAMETER_JOINT_REFERENCE, "joint_reference")                                                           \
	X(ABUT_PARAMETER_JOINT_STIFFNESS, "joint_stiffness")                                                           \
	X(ABUT_PARAMETER_JOINT_DAMPING, "joint_damping")                                                               \
	X(ABUT_PARAMETER_JOINT_FRICTION, "joint_friction")                                                             \
	X(ABUT_PARAMETER_JOINT_ARMATURE, "joint_armature")                                                             \
	X(ABUT_PARAMETER_JOINT_LOWER, "joint_lower")                                                                   \
	X(ABUT_PARAMETER_JOINT_UPPER, "joint_upper")

typedef enum AbutParameterKind {
#define ABUT_X(constant, name) constant,
	ABUT_PARAMETER_LIST(ABUT_X)
#undef ABUT_X
	    ABUT_PARAMETER_COUNT
} AbutParameterKind;

/* One number of a model. */
typedef struct AbutParameter {
	AbutParameterKind kind; /* the kind, which determines the meaning of the other fields */
	int body;               /* index of the body; -1 for timestep, gravity, and kinds of joints and motors */
	int other;              /* friction and torsional radius: the other body, with a larger index; otherwise -1 */
	int part;               /* size, face and pose of a part: the part of the body; joints and motors: the joint;
	                         * otherwise -1 */
	int index;              /* as above; 0 if the kind has only one number */
} AbutParameter;

/* Returns the name of a `kind`, or "unknown" outside the enumeration. Static storage. */
ABUT_API const char *abut_parameter_kind_name(AbutParameterKind kind);

/* Lists the parameters of a `kind` in a fixed order, with bodies, parts and indices ascending. Writes up to `capacity`
 * of them to `out` (may be NULL with capacity 0) and returns how many there are. Pairs of bodies are listed if they may
 * touch and at least one of the two moves. */
ABUT_API int abut_parameter_list(const AbutModel *model, AbutParameterKind kind, int capacity, AbutParameter *out);

/* Describes `parameter` in words in `text`, such as "friction of floor and cube" or "size[0] of part 1 of mug", in at
 * most `size` bytes including the terminating zero. */
ABUT_API void abut_parameter_describe(const AbutModel *model, const AbutParameter *parameter, char *text, size_t size);

/* Reads the `value` of `parameter`; rotations have the value 0. Returns ABUT_ERROR_ARGUMENT if the model has no such
 * parameter; `error` names it and the reason. */
ABUT_API AbutStatus abut_parameter_get(const AbutModel *model, const AbutParameter *parameter, double *value,
                                       AbutError *error);

/* Creates a copy of the model in which the `parameters` (n) have the `values` (n). If a parameter occurs several times,
 * the last value counts. The copy keeps the choices of compilation: units, scaling centres, the outer radii by which
 * contacts and rows are scaled, and default torsional radii. Its steps are therefore a smooth function of the values,
 * with the derivative of abut/gradient.h.
 *
 * Sums, intersections and smooth shapes have a pose but no sizes and rows. Friction coefficients and torsional radii
 * cannot be negative; 0 switches them off, and the derivative there is the one-sided derivative from above. Rows of all
 * shapes except conic ones are normalised to unit length, so a caller that iterates should read the values back with
 * abut_parameter_get.
 *
 * A state belongs to the model that it was made from. abut_state_restore transfers one and keeps the positions of the
 * centres of mass; abut_state_set_body keeps those of the body frames. A value that no model can have is refused as by
 * abut_model_create; `error` names the parameter, the value and the reason. Returns ABUT_ERROR_UNSUPPORTED for the
 * preset "paper". */
ABUT_API AbutStatus abut_model_create_changed(const AbutModel *model, int n, const AbutParameter *parameters,
                                              const double *values, AbutModel **out, AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

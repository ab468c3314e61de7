/* Lists the keys of a scene file. */
#include "io/json/scene_keys.h"

#include <stddef.h>

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

const AbutKeySet abut_keys_scene = {"a scene",
                                    KEYS("$schema", "abut", "name", "gravity", "timestep", "duration", "friction",
                                         "restitution", "quasi_static", "solver", "shapes", "bodies", "joints",
                                         "couplings", "initial", "sites", "sensors", "contacts", "exclude")};

const AbutKeySet abut_keys_solver = {
    "solver", KEYS("preset", "method", "kappa", "finish", "tolerance", "max_iterations", "friction_cone", "retry",
                   "warm_start", "warm_start_rule", "linear_solver", "collision_kappa", "lcp_gap", "lcp_solver",
                   "convex_model", "solref", "solimp", "impratio", "margin", "kappa_gradient")};

const AbutKeySet abut_keys_body = {"a body", KEYS("name", "static", "shape", "mass", "density", "inertia",
                                                  "centre_of_mass", "position", "orientation", "linear_velocity",
                                                  "angular_velocity", "friction", "input", "planar")};

const AbutKeySet abut_keys_input = {"input", KEYS("force", "torque")};

const AbutKeySet abut_keys_joint = {"a joint", KEYS("name", "type", "parent", "child", "parent_frame", "child_frame",
                                                    "anchor", "axis", "length", "collide", "limits", "reference",
                                                    "stiffness", "damping", "friction", "armature", "motor",
                                                    "limit_spring", "friction_spring", "equality_spring")};
const AbutKeySet abut_keys_limit_spring = {"a limit_spring", KEYS("solref", "solimp", "margin")};
const AbutKeySet abut_keys_friction_spring = {"a friction_spring", KEYS("solref", "solimp")};
const AbutKeySet abut_keys_equality_spring = {"an equality_spring", KEYS("solref", "solimp")};

const AbutKeySet abut_keys_joint_frame = {"a frame of a joint", KEYS("position", "orientation")};

const AbutKeySet abut_keys_motor = {"a motor", KEYS("type", "stiffness", "damping", "limit", "target")};

const AbutKeySet abut_keys_coupling = {"a coupling",
                                       KEYS("joints", "axes", "ratio", "offset", "equality_spring", "tendon")};

const AbutKeySet abut_keys_initial = {"the initial state", KEYS("joints", "joint_velocities")};

const AbutKeySet abut_keys_site = {"a site", KEYS("name", "body", "position", "orientation")};

const AbutKeySet abut_keys_sensor = {"a sensor", KEYS("name", "type", "site", "joint", "body")};

const AbutKeySet abut_keys_contact = {
    "a contact", KEYS("pair", "parts", "friction", "torsional_radius", "restitution", "solref", "solimp", "margin")};

const AbutKeySet abut_keys_cones = {"cones", KEYS("orthant", "soc")};

#define SHAPE_KEYS(...) KEYS("type", __VA_ARGS__, "position", "orientation")

const AbutKeySet abut_keys_shape[ABUT_TYPE_COUNT] = {
    [ABUT_SHAPE_HALFSPACE] = {"a halfspace", SHAPE_KEYS("normal", "offset")},
    [ABUT_SHAPE_BOX] = {"a box", SHAPE_KEYS("half_extents")},
    [ABUT_SHAPE_POLYTOPE] = {"a polytope", SHAPE_KEYS("A", "b", "vertices", "coplanar", "mass_properties", "source")},
    [ABUT_SHAPE_PADDED_POLYTOPE] = {"a padded polytope", SHAPE_KEYS("A", "b", "vertices", "radius")},
    [ABUT_SHAPE_SPHERE] = {"a sphere", SHAPE_KEYS("radius")},
    [ABUT_SHAPE_ELLIPSOID] = {"an ellipsoid", SHAPE_KEYS("radii")},
    [ABUT_SHAPE_CAPSULE] = {"a capsule", SHAPE_KEYS("radius", "length")},
    [ABUT_SHAPE_CYLINDER] = {"a cylinder", SHAPE_KEYS("radius", "length")},
    [ABUT_SHAPE_CONE] = {"a cone", SHAPE_KEYS("height", "radius")},
    [ABUT_SHAPE_MINKOWSKI_SUM] = {"a Minkowski sum", SHAPE_KEYS("parts")},
    [ABUT_SHAPE_INTERSECTION] = {"an intersection", SHAPE_KEYS("parts")},
    [ABUT_SHAPE_CONIC] = {"a conic shape", SHAPE_KEYS("A", "B", "d", "h", "cones")},
    [ABUT_SHAPE_SMOOTH] = {"a superellipsoid", SHAPE_KEYS("radii", "exponent", "exponents")},
    [ABUT_TYPE_UNION] = {"a union", SHAPE_KEYS("parts", "mass_properties", "source")},
    [ABUT_TYPE_MESH] = {"a mesh", SHAPE_KEYS("file", "scale", "unit", "up", "mode", "max_faces", "fit", "concavity",
                                             "max_parts", "mass_of")},
};

const AbutKeySet abut_keys_mass_properties = {"mass_properties", KEYS("volume", "centre_of_mass", "inertia")};

const char *abut_scene_type(int type)
{
	switch (type) {
	case ABUT_SHAPE_SMOOTH:
		return "superellipsoid";
	case ABUT_TYPE_UNION:
		return "union";
	case ABUT_TYPE_MESH:
		return "mesh";
	default:
		return abut_shape_kind_name((AbutShapeKind)type);
	}
}

_Static_assert(ABUT_SHAPE_COUNT == 13, "a new shape needs its keys here, its reader in scene_shapes.c and the schema");

"""Generated from include/abut/*.h by tools/declare.py; do not edit."""

from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_void_p
from typing import Any

ABUT_VERSION_MAJOR = 0
ABUT_VERSION_MINOR = 1
ABUT_VERSION_PATCH = 0
ABUT_OK = 0
ABUT_ERROR_ARGUMENT = 1
ABUT_ERROR_MEMORY = 2
ABUT_ERROR_IO = 3
ABUT_ERROR_PARSE = 4
ABUT_ERROR_UNSUPPORTED = 5
ABUT_ERROR_NUMERICAL = 6
ABUT_ERROR_STOPPED = 7
ABUT_OUTCOME_RELAXED = 1
ABUT_OUTCOME_FAILED = 3
ABUT_OUTCOME_COUNT = 4
ABUT_STATE_NUMBERS = 13
ABUT_INPUT_NUMBERS = 6
ABUT_MESH_UP_DECLARED = 0
ABUT_MESH_UP_X = 1
ABUT_MESH_UP_Y = 2
ABUT_MESH_UP_Z = 3
ABUT_MESH_WARNING_SIZE = 320
ABUT_MESH_WARNINGS_MAX = 16
ABUT_MESH_FIT_OUTER = 0
ABUT_MESH_FIT_INNER = 1
ABUT_DECOMPOSITION_WARNINGS_MAX = 3
ABUT_PARAMETER_COUNT = 11
ABUT_GRADIENT_ROWS = 12
ABUT_GRADIENT_COLUMNS = 18
ABUT_LCP_ROWS = 12
ABUT_LCP_COLUMNS = 20


class AbutIteration(Structure):
    _fields_ = [
        ("phase", c_int),
        ("kappa", c_double),
        ("residual", c_double),
        ("complementarity", c_double),
        ("step_length", c_double),
    ]


class AbutIterationLog(Structure):
    _fields_ = [
        ("entries", POINTER(AbutIteration)),
        ("capacity", c_int),
        ("count", c_int),
    ]


class AbutError(Structure):
    _fields_ = [
        ("status", c_int),
        ("where", c_char * 256),
        ("message", c_char * 512),
        ("file", c_char * 256),
        ("line", c_int),
        ("column", c_int),
    ]


class AbutMassProperties(Structure):
    _fields_ = [
        ("volume", c_double),
        ("centre_of_mass", c_double * 3),
        ("inertia", c_double * 9),
    ]


class AbutShape(Structure):
    _fields_ = [
        ("kind", c_int),
        ("n_rows", c_int),
        ("n_eps", c_int),
        ("n_orthant", c_int),
        ("n_soc", c_int),
        ("soc_dim", c_void_p),
        ("A", c_void_p),
        ("B", c_void_p),
        ("d", c_void_p),
        ("h", c_void_p),
        ("centre", c_double * 3),
        ("outer_radius", c_double),
        ("inner_radius", c_double),
        ("position", c_double * 3),
        ("rotation", c_double * 9),
        ("size", c_double * 3),
        ("n_vertices", c_int),
        ("vertices", c_void_p),
        ("coplanar", c_double),
        ("smooth", c_void_p),
        ("cage", c_void_p),
        ("smooth_unit", c_double),
        ("mass", AbutMassProperties),
        ("mass_given", c_bool),
        ("mass_error", c_double),
        ("n_parts", c_int),
        ("parts", c_void_p),
    ]


class AbutSolverOptions(Structure):
    _fields_ = [
        ("preset", c_int),
        ("method", c_int),
        ("kappa", c_double),
        ("tolerance", c_double),
        ("max_iterations", c_int),
        ("finish", c_int),
        ("friction_cone", c_int),
        ("linear_solver", c_int),
        ("retry", c_bool),
        ("warm_start", c_bool),
        ("warm_start_rule", c_int),
        ("collision_kappa", c_double),
        ("lcp_gap", c_int),
        ("lcp_solver", c_int),
        ("convex_model", c_int),
        ("solref", c_double * 2),
        ("solimp", c_double * 5),
        ("impratio", c_double),
        ("margin", c_double),
        ("kappa_gradient", c_double),
    ]


class AbutBodyDef(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("is_static", c_bool),
        ("n_parts", c_int),
        ("parts", c_void_p),
        ("mass", c_double),
        ("density", c_double),
        ("has_centre_of_mass", c_bool),
        ("centre_of_mass", c_double * 3),
        ("has_inertia", c_bool),
        ("inertia", c_double * 9),
        ("position", c_double * 3),
        ("orientation", c_double * 4),
        ("linear_velocity", c_double * 3),
        ("angular_velocity", c_double * 3),
        ("force", c_double * 3),
        ("torque", c_double * 3),
        ("friction", c_double),
        ("planar_xz", c_bool),
        ("parts_mass", POINTER(AbutMassProperties)),
    ]


class AbutPairDef(Structure):
    _fields_ = [
        ("body_a", c_int),
        ("body_b", c_int),
        ("friction", c_double),
        ("torsional_radius", c_double),
        ("restitution", c_double),
        ("has_solref", c_bool),
        ("has_solimp", c_bool),
        ("has_margin", c_bool),
        ("solref", c_double * 2),
        ("solimp", c_double * 5),
        ("margin", c_double),
    ]


class AbutSceneDef(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("gravity", c_double * 3),
        ("timestep", c_double),
        ("duration", c_double),
        ("friction", c_double),
        ("restitution", c_double),
        ("quasi_static", c_bool),
        ("solver", AbutSolverOptions),
        ("n_bodies", c_int),
        ("bodies", POINTER(AbutBodyDef)),
        ("all_pairs", c_bool),
        ("n_pairs", c_int),
        ("pairs", POINTER(AbutPairDef)),
        ("n_exclude", c_int),
        ("exclude", c_void_p),
    ]


class AbutBodyState(Structure):
    _fields_ = [
        ("position", c_double * 3),
        ("orientation", c_double * 4),
        ("linear_velocity", c_double * 3),
        ("angular_velocity", c_double * 3),
    ]


class AbutContact(Structure):
    _fields_ = [
        ("body_a", c_int),
        ("body_b", c_int),
        ("part_a", c_int),
        ("part_b", c_int),
        ("scaling", c_double),
        ("gap", c_double),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("normal_impulse", c_double),
        ("friction_impulse", c_double * 3),
        ("torsional_impulse", c_double),
    ]


class AbutStepInfo(Structure):
    _fields_ = [
        ("outcome", c_int),
        ("exact", c_bool),
        ("retried", c_bool),
        ("halvings", c_int),
        ("parts", c_int),
        ("tries", c_int),
        ("iterations", c_int),
        ("finish_iterations", c_int),
        ("kappa", c_double),
        ("residual", c_double),
        ("complementarity", c_double),
        ("max_penetration", c_double),
        ("active_contacts", c_int),
        ("broken_body", c_int),
        ("log", AbutIterationLog),
        ("row", c_int),
    ]


class AbutMotionView(Structure):
    _fields_ = [
        ("first", c_void_p),
        ("stride", c_size_t),
        ("n_bodies", c_int),
    ]


class AbutBundle(Structure):
    _fields_ = [
        ("n_parts", c_int),
        ("parts", c_void_p),
        ("mass_given", c_bool),
        ("mass", AbutMassProperties),
    ]


class AbutPose(Structure):
    _fields_ = [
        ("position", c_double * 3),
        ("orientation", c_double * 4),
    ]


class AbutCollisionResult(Structure):
    _fields_ = [
        ("outcome", c_int),
        ("scaling", c_double),
        ("gap", c_double),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("error", c_double),
        ("iterations", c_int),
    ]


class AbutCollisionGradient(Structure):
    _fields_ = [
        ("scaling", c_double * 18),
        ("point", c_double * 18 * 3),
        ("normal", c_double * 18 * 3),
    ]


class AbutCollisionRowGradient(Structure):
    _fields_ = [
        ("scaling", c_double * 4),
        ("point", c_double * 4 * 3),
        ("normal", c_double * 4 * 3),
    ]


class AbutMesh(Structure):
    _fields_ = [
        ("n_vertices", c_int),
        ("n_triangles", c_int),
        ("vertices", c_void_p),
        ("triangles", c_void_p),
    ]


class AbutMeshOptions(Structure):
    _fields_ = [
        ("unit", c_double),
        ("scale", c_double),
        ("up", c_int),
        ("weld", c_double),
        ("progress", c_void_p),
        ("context", c_void_p),
    ]


class AbutMeshReport(Structure):
    _fields_ = [
        ("n_parts", c_int),
        ("n_not_triangles", c_int),
        ("has_unit", c_bool),
        ("hides_unit", c_bool),
        ("metres", c_double),
        ("up", c_char),
        ("has_up", c_bool),
        ("vertices_in", c_int),
        ("triangles_in", c_int),
        ("vertices_welded", c_int),
        ("degenerate", c_int),
        ("duplicate", c_int),
        ("doubled", c_int),
        ("back_to_back", c_int),
        ("flat", c_int),
        ("turned", c_int),
        ("inside_out", c_bool),
        ("components", c_int),
        ("cavities", c_int),
        ("nested", c_int),
        ("open_edges", c_int),
        ("nonmanifold_edges", c_int),
        ("one_sided_edges", c_int),
        ("closed", c_bool),
        ("several", c_double),
        ("against", c_double),
        ("enclosed", c_double),
        ("weld_tolerance", c_double),
        ("low", c_double * 3),
        ("high", c_double * 3),
    ]


class AbutMeshHullReport(Structure):
    _fields_ = [
        ("faces", c_int),
        ("vertices", c_int),
        ("reduced_faces", c_int),
        ("reduced_vertices", c_int),
        ("hull", AbutMassProperties),
        ("reduced", AbutMassProperties),
        ("hausdorff", c_double),
    ]


class AbutDecomposeOptions(Structure):
    _fields_ = [
        ("concavity", c_double),
        ("max_parts", c_int),
        ("max_faces", c_int),
        ("progress", c_void_p),
        ("context", c_void_p),
    ]


class AbutDecomposePart(Structure):
    _fields_ = [
        ("shape", POINTER(AbutShape)),
        ("volume", c_double),
        ("depth", c_double),
        ("distance", c_double),
    ]


class AbutDecomposition(Structure):
    _fields_ = [
        ("n_parts", c_int),
        ("parts", POINTER(AbutDecomposePart)),
        ("size", c_double),
        ("volume", c_double),
        ("hull_volume", c_double),
        ("overlap_volume", c_double),
        ("depth", c_double),
        ("distance", c_double),
        ("within_bound", c_bool),
        ("n_components", c_int),
        ("n_nested", c_int),
        ("n_flat", c_int),
    ]


class AbutParameter(Structure):
    _fields_ = [
        ("kind", c_int),
        ("body", c_int),
        ("other", c_int),
        ("part", c_int),
        ("index", c_int),
    ]


class AbutRolloutOptions(Structure):
    _fields_ = [
        ("kappa", c_double),
        ("capacity", c_int),
        ("segment", c_int),
        ("n_parameters", c_int),
        ("parameters", POINTER(AbutParameter)),
    ]


class AbutShapeReport(Structure):
    _fields_ = [
        ("passed", c_bool),
        ("verdict", c_int * 10),
        ("worst", c_double * 10),
        ("samples", c_int * 10),
        ("unanswered", c_int * 10),
        ("failed", c_int),
        ("message", c_char * 512),
    ]


STRUCTS = [value for name, value in list(globals().items()) if name.startswith("Abut")]

# name: (result, arguments)
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "abut_status_name": (c_char_p, [c_int]),
    "abut_outcome_name": (c_char_p, [c_int]),
    "abut_shape_destroy": (None, [POINTER(AbutShape)]),
    "abut_shape_set_mass": (c_int, [POINTER(AbutShape), POINTER(AbutMassProperties), POINTER(AbutError)]),
    "abut_shape_support": (c_double, [POINTER(AbutShape), c_void_p, c_void_p]),
    "abut_shape_kind_name": (c_char_p, [c_int]),
    "abut_method_name": (c_char_p, [c_int]),
    "abut_body_def_default": (AbutBodyDef, []),
    "abut_scene_def_default": (AbutSceneDef, []),
    "abut_model_create": (c_int, [POINTER(AbutSceneDef), c_void_p, POINTER(AbutError)]),
    "abut_model_destroy": (None, [c_void_p]),
    "abut_model_body_count": (c_int, [c_void_p]),
    "abut_model_body_name": (c_char_p, [c_void_p, c_int]),
    "abut_model_body_is_static": (c_bool, [c_void_p, c_int]),
    "abut_model_body_mass": (c_double, [c_void_p, c_int]),
    "abut_model_timestep": (c_double, [c_void_p]),
    "abut_state_create": (c_int, [c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_state_destroy": (None, [c_void_p]),
    "abut_state_copy": (c_int, [c_void_p, c_void_p, c_void_p]),
    "abut_state_time": (c_double, [c_void_p]),
    "abut_state_snapshot_size": (c_size_t, [c_void_p, c_void_p]),
    "abut_state_snapshot": (c_int, [c_void_p, c_void_p, c_void_p]),
    "abut_state_restore": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, POINTER(AbutError)]),
    "abut_state_restore_motion": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, POINTER(AbutError)]),
    "abut_state_energy": (c_double, [c_void_p, c_void_p]),
    "abut_workspace_create": (c_int, [c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_workspace_create_threaded": (c_int, [c_void_p, c_int, c_void_p, POINTER(AbutError)]),
    "abut_workspace_destroy": (None, [c_void_p]),
    "abut_step": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(AbutStepInfo)]),
    "abut_step_explain": (None, [c_void_p, c_void_p, POINTER(AbutStepInfo), c_char_p, c_size_t]),
    "abut_contact_count": (c_int, [c_void_p]),
    "abut_batch_create": (c_int, [c_void_p, c_int, c_int, c_void_p, POINTER(AbutError)]),
    "abut_batch_destroy": (None, [c_void_p]),
    "abut_batch_thread_count": (c_int, [c_void_p]),
    "abut_batch_state": (c_void_p, [c_void_p, c_int]),
    "abut_batch_step": (c_int, [c_void_p, c_int]),
    "abut_batch_restart": (c_int, [c_void_p, c_int]),
    "abut_batch_info": (c_int, [c_void_p, c_int, POINTER(AbutStepInfo)]),
    "abut_batch_get_states": (c_int, [c_void_p, c_void_p]),
    "abut_batch_set_inputs": (c_int, [c_void_p, c_void_p]),
    "abut_state_motion": (AbutMotionView, [c_void_p]),
    "abut_state_get_bodies": (c_int, [c_void_p, c_void_p, c_void_p]),
    "abut_state_set_bodies": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_state_get_inputs": (c_int, [c_void_p, c_void_p, c_void_p]),
    "abut_state_set_inputs": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_step_many": (c_int, [c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p, POINTER(AbutStepInfo)]),
    "abut_contact_get_all": (c_int, [c_void_p, c_void_p, POINTER(AbutContact)]),
    "abut_batch_set_states": (c_int, [c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_batch_get_outcomes": (c_int, [c_void_p, c_void_p]),
    "abut_bundle_create": (c_int, [c_int, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_bundle_destroy": (None, [POINTER(AbutBundle)]),
    "abut_bundle_mass": (c_int, [POINTER(AbutBundle), POINTER(AbutMassProperties), c_void_p, POINTER(AbutError)]),
    "abut_collision_create": (c_int, [POINTER(AbutShape), POINTER(AbutShape), c_void_p, POINTER(AbutError)]),
    "abut_collision_destroy": (None, [c_void_p]),
    "abut_collision_forget": (None, [c_void_p]),
    "abut_collision_solve": (
        c_int,
        [c_void_p, POINTER(AbutPose), POINTER(AbutPose), c_double, POINTER(AbutCollisionResult), POINTER(AbutError)],
    ),
    "abut_collision_gradient": (c_int, [c_void_p, POINTER(AbutCollisionGradient), POINTER(AbutError)]),
    "abut_collision_gradient_rows": (c_int, [c_void_p, c_int, POINTER(AbutCollisionRowGradient), POINTER(AbutError)]),
    "abut_collision_solve_all": (
        c_int,
        [c_int, c_void_p, POINTER(AbutPose), POINTER(AbutPose), c_double, POINTER(AbutCollisionResult), POINTER(AbutError)],
    ),
    "abut_convex_inverse": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_mesh_create": (c_int, [c_int, c_void_p, c_int, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_mesh_destroy": (None, [POINTER(AbutMesh)]),
    "abut_mesh_options_default": (AbutMeshOptions, []),
    "abut_mesh_unit": (c_bool, [c_char_p, c_void_p, c_void_p]),
    "abut_mesh_load": (
        c_int,
        [c_char_p, POINTER(AbutMeshOptions), c_void_p, POINTER(AbutMeshReport), POINTER(AbutError)],
    ),
    "abut_mesh_repair": (
        c_int,
        [POINTER(AbutMesh), POINTER(AbutMeshOptions), c_void_p, POINTER(AbutMeshReport), POINTER(AbutError)],
    ),
    "abut_mesh_warnings": (c_int, [POINTER(AbutMeshReport), c_void_p]),
    "abut_mesh_mass": (c_int, [POINTER(AbutMesh), POINTER(AbutMassProperties), POINTER(AbutError)]),
    "abut_mesh_mass_in_hull": (
        c_int,
        [POINTER(AbutMesh), POINTER(AbutMassProperties), POINTER(AbutMassProperties), POINTER(AbutError)],
    ),
    "abut_mesh_hull_with_progress": (
        c_int,
        [POINTER(AbutMesh), c_int, c_int, c_void_p, c_void_p, c_void_p, POINTER(AbutMeshHullReport), POINTER(AbutError)],
    ),
    "abut_mesh_decompose": (c_int, [POINTER(AbutMesh), POINTER(AbutDecomposeOptions), c_void_p, POINTER(AbutError)]),
    "abut_decomposition_warnings": (c_int, [POINTER(AbutDecomposition), c_void_p]),
    "abut_decomposition_destroy": (None, [POINTER(AbutDecomposition)]),
    "abut_parameter_kind_name": (c_char_p, [c_int]),
    "abut_parameter_list": (c_int, [c_void_p, c_int, c_int, POINTER(AbutParameter)]),
    "abut_parameter_describe": (None, [c_void_p, POINTER(AbutParameter), c_char_p, c_size_t]),
    "abut_parameter_get": (c_int, [c_void_p, POINTER(AbutParameter), c_void_p, POINTER(AbutError)]),
    "abut_model_create_changed": (
        c_int,
        [c_void_p, c_int, POINTER(AbutParameter), c_void_p, c_void_p, POINTER(AbutError)],
    ),
    "abut_gradient_create": (c_int, [c_void_p, c_double, c_void_p, POINTER(AbutError)]),
    "abut_gradient_destroy": (None, [c_void_p]),
    "abut_gradient_kappa": (c_double, [c_void_p]),
    "abut_step_differentiate": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(AbutStepInfo)]),
    "abut_gradient_matrix": (c_int, [c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_gradient_select": (c_int, [c_void_p, c_int, POINTER(AbutParameter), POINTER(AbutError)]),
    "abut_gradient_parameters": (c_int, [c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_gradient_forward": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_gradient_backward": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_gradient_next": (c_int, [c_void_p, c_int, POINTER(AbutBodyState), POINTER(AbutError)]),
    "abut_scene_load": (c_int, [c_char_p, c_int, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_scene_parse": (c_int, [c_char_p, c_size_t, c_char_p, c_int, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_scene_def": (POINTER(AbutSceneDef), [c_void_p]),
    "abut_scene_warning": (POINTER(AbutError), [c_void_p, c_int]),
    "abut_scene_destroy": (None, [c_void_p]),
    "abut_scene_save": (c_int, [POINTER(AbutSceneDef), c_char_p, POINTER(AbutError)]),
    "abut_scene_locate": (None, [c_void_p, POINTER(AbutError)]),
    "abut_lcp_gradient": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_lcp_loss_gradient": (c_int, [c_void_p, c_void_p, c_void_p, c_bool, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_rollout_create": (c_int, [c_void_p, POINTER(AbutRolloutOptions), c_void_p, POINTER(AbutError)]),
    "abut_rollout_destroy": (None, [c_void_p]),
    "abut_rollout_begin": (None, [c_void_p]),
    "abut_rollout_count": (c_int, [c_void_p]),
    "abut_rollout_step": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(AbutStepInfo)]),
    "abut_rollout_backward": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_rollout_forward": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(AbutError)]),
    "abut_shape_check": (c_int, [POINTER(AbutShape), POINTER(AbutShapeReport)]),
    "abut_snapshot_size": (c_size_t, [c_void_p, c_void_p]),
    "abut_snapshot_save": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, POINTER(AbutError)]),
    "abut_snapshot_restore": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, POINTER(AbutError)]),
    "abut_snapshot_write": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(AbutError)]),
    "abut_snapshot_read": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(AbutError)]),
    "abut_version": (c_char_p, []),
    "abut_struct_size": (c_size_t, [c_char_p]),
}

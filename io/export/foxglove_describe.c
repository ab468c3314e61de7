/* Describes the fields of the messages, with the field numbers of Foxglove's schemas. Fields that we never write are
 * described too if a viewer may look for them: they then read as empty instead of unknown. */
#include "io/export/foxglove_describe.h"

#include <stddef.h>

#include "io/export/proto.h"

#define TIME ".google.protobuf.Timestamp"
#define POSE ".foxglove.Pose"
#define COLOR ".foxglove.Color"
#define NUMBER ABUT_PROTO_DOUBLE, NULL, false
#define TEXT ABUT_PROTO_STRING, NULL, false
#define TEXTS ABUT_PROTO_STRING, NULL, true
#define FLAG ABUT_PROTO_BOOL, NULL, false
#define NUMBERS ABUT_PROTO_DOUBLE, NULL, true
#define COUNT ABUT_PROTO_INT32, NULL, false
#define ONE(message) ABUT_PROTO_MESSAGE, message, false
#define MANY(message) ABUT_PROTO_MESSAGE, message, true
#define END NULL, 0, ABUT_PROTO_DOUBLE, NULL, false

/* Fields of both google.protobuf.Timestamp and google.protobuf.Duration. */
static const AbutProtoField seconds[] = {{"seconds", 1, ABUT_PROTO_INT64, NULL, false}, {"nanos", 2, COUNT}, {END}};
static const AbutProtoField xyz[] = {{"x", 1, NUMBER}, {"y", 2, NUMBER}, {"z", 3, NUMBER}, {END}};
static const AbutProtoField quaternion[] = {
    {"x", 1, NUMBER}, {"y", 2, NUMBER}, {"z", 3, NUMBER}, {"w", 4, NUMBER}, {END}};
static const AbutProtoField color[] = {{"r", 1, NUMBER}, {"g", 2, NUMBER}, {"b", 3, NUMBER}, {"a", 4, NUMBER}, {END}};
static const AbutProtoField pose[] = {
    {"position", 1, ONE(".foxglove.Vector3")}, {"orientation", 2, ONE(".foxglove.Quaternion")}, {END}};
static const AbutProtoField transform[] = {{"timestamp", 1, ONE(TIME)},
                                           {"parent_frame_id", 2, TEXT},
                                           {"child_frame_id", 3, TEXT},
                                           {"translation", 4, ONE(".foxglove.Vector3")},
                                           {"rotation", 5, ONE(".foxglove.Quaternion")},
                                           {END}};
static const AbutProtoField transforms[] = {{"transforms", 1, MANY(".foxglove.FrameTransform")}, {END}};
static const AbutProtoField pair[] = {{"key", 1, TEXT}, {"value", 2, TEXT}, {END}};
static const AbutProtoField arrow[] = {{"pose", 1, ONE(POSE)},
                                       {"shaft_length", 2, NUMBER},
                                       {"shaft_diameter", 3, NUMBER},
                                       {"head_length", 4, NUMBER},
                                       {"head_diameter", 5, NUMBER},
                                       {"color", 6, ONE(COLOR)},
                                       {END}};
/* Fields of both cubes and spheres. */
static const AbutProtoField solid[] = {
    {"pose", 1, ONE(POSE)}, {"size", 2, ONE(".foxglove.Vector3")}, {"color", 3, ONE(COLOR)}, {END}};
static const AbutProtoField triangles[] = {
    {"pose", 1, ONE(POSE)},     {"points", 2, MANY(".foxglove.Point3")},        {"color", 3, ONE(COLOR)},
    {"colors", 4, MANY(COLOR)}, {"indices", 5, ABUT_PROTO_FIXED32, NULL, true}, {END}};
static const AbutProtoField deletion[] = {{"timestamp", 1, ONE(TIME)}, {"id", 3, TEXT}, {END}};
static const AbutProtoField entity[] = {{"timestamp", 1, ONE(TIME)},
                                        {"frame_id", 2, TEXT},
                                        {"id", 3, TEXT},
                                        {"lifetime", 4, ONE(".google.protobuf.Duration")},
                                        {"frame_locked", 5, FLAG},
                                        {"metadata", 6, MANY(".foxglove.KeyValuePair")},
                                        {"arrows", 7, MANY(".foxglove.ArrowPrimitive")},
                                        {"cubes", 8, MANY(".foxglove.CubePrimitive")},
                                        {"spheres", 9, MANY(".foxglove.SpherePrimitive")},
                                        {"triangles", 12, MANY(".foxglove.TriangleListPrimitive")},
                                        {END}};
static const AbutProtoField update[] = {
    {"deletions", 1, MANY(".foxglove.SceneEntityDeletion")}, {"entities", 2, MANY(".foxglove.SceneEntity")}, {END}};
static const AbutProtoField step[] = {{"timestamp", 1, ONE(TIME)},
                                      {"outcome", 2, TEXT},
                                      {"exact", 3, FLAG},
                                      {"retried", 4, FLAG},
                                      {"halvings", 5, COUNT},
                                      {"tries", 6, COUNT},
                                      {"iterations", 7, COUNT},
                                      {"finish_iterations", 8, COUNT},
                                      {"active_contacts", 9, COUNT},
                                      {"kappa", 10, NUMBER},
                                      {"residual", 11, NUMBER},
                                      {"complementarity", 12, NUMBER},
                                      {"max_penetration", 13, NUMBER},
                                      {"energy", 14, NUMBER},
                                      {"momentum", 15, ONE(".foxglove.Vector3")},
                                      {END}};
static const AbutProtoField joint_state[] = {
    {"name", 1, TEXT}, {"position", 2, NUMBER}, {"velocity", 3, NUMBER}, {"effort", 5, NUMBER}, {END}};
static const AbutProtoField joint_states[] = {
    {"timestamp", 1, ONE(TIME)}, {"joints", 2, MANY(".foxglove.JointState")}, {END}};
static const AbutProtoField joint_force[] = {{"name", 1, TEXT},
                                             {"force", 2, ONE(".foxglove.Vector3")},
                                             {"torque", 3, ONE(".foxglove.Vector3")},
                                             {"limit_effort", 4, NUMBERS},
                                             {"friction_effort", 5, NUMBERS},
                                             {"motor_effort", 6, NUMBERS},
                                             {END}};
static const AbutProtoField joint_forces[] = {
    {"timestamp", 1, ONE(TIME)}, {"joints", 2, MANY(".abut.JointForce")}, {END}};
static const AbutProtoField sensor[] = {
    {"name", 1, TEXT}, {"type", 2, TEXT}, {"channels", 3, TEXTS}, {"values", 4, NUMBERS}, {END}};
static const AbutProtoField sensors[] = {{"timestamp", 1, ONE(TIME)}, {"sensors", 2, MANY(".abut.Sensor")}, {END}};

static const AbutProtoMessage timestamp_messages[] = {{"Timestamp", seconds}, {NULL, NULL}};
static const AbutProtoMessage duration_messages[] = {{"Duration", seconds}, {NULL, NULL}};
static const AbutProtoMessage foxglove_messages[] = {{"Vector3", xyz},
                                                     {"Point3", xyz},
                                                     {"Quaternion", quaternion},
                                                     {"Color", color},
                                                     {"Pose", pose},
                                                     {"FrameTransform", transform},
                                                     {"FrameTransforms", transforms},
                                                     {"KeyValuePair", pair},
                                                     {"ArrowPrimitive", arrow},
                                                     {"CubePrimitive", solid},
                                                     {"SpherePrimitive", solid},
                                                     {"TriangleListPrimitive", triangles},
                                                     {"SceneEntityDeletion", deletion},
                                                     {"SceneEntity", entity},
                                                     {"SceneUpdate", update},
                                                     {NULL, NULL}};
static const AbutProtoMessage abut_messages[] = {{"Step", step}, {NULL, NULL}};
static const AbutProtoMessage foxglove_joint_messages[] = {
    {"JointState", joint_state}, {"JointStates", joint_states}, {NULL, NULL}};
static const AbutProtoMessage abut_joint_messages[] = {
    {"JointForce", joint_force}, {"JointForces", joint_forces}, {NULL, NULL}};
static const AbutProtoMessage abut_sensor_messages[] = {{"Sensor", sensor}, {"Sensors", sensors}, {NULL, NULL}};

void abut_foxglove_describe(AbutBytes *out, bool has_joints, bool has_sensors)
{
	static const char *const none[] = {NULL};
	static const char *const google[] = {"google/protobuf/timestamp.proto", "google/protobuf/duration.proto", NULL};
	static const char *const both[] = {"google/protobuf/timestamp.proto", "foxglove/messages.proto", NULL};
	AbutProtoFile files[7] = {
	    {"google/protobuf/timestamp.proto", "google.protobuf", none, timestamp_messages},
	    {"google/protobuf/duration.proto", "google.protobuf", none, duration_messages},
	    {"foxglove/messages.proto", "foxglove", google, foxglove_messages},
	    {"abut/messages.proto", "abut", both, abut_messages},
	};
	int n = 4;
	if (has_joints) {
		files[n++] = (AbutProtoFile){"foxglove/joints.proto", "foxglove", google, foxglove_joint_messages};
		files[n++] = (AbutProtoFile){"abut/joints.proto", "abut", both, abut_joint_messages};
	}
	if (has_sensors) {
		files[n++] = (AbutProtoFile){"abut/sensors.proto", "abut", google, abut_sensor_messages};
	}
	abut_proto_describe(out, n, files);
}

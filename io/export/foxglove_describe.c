/* Describes the fields of the messages, with the field numbers of Foxglove's schemas. Fields that we never write are
 * described too if a viewer may look for them: they then read as empty instead of unknown. */
#include "io/export/foxglove_describe.h"

#include <stddef.h>

#include "io/export/proto.h"

#define TIME ".google.protobuf.Timestamp"
#define POSE ".foxglove.Pose"
#define COLOR ".foxglove.Color"
#define NUMBER(name, number)                                                                                           \
	{                                                                                                              \
		name, number, ABUT_PROTO_DOUBLE, NULL, false                                                           \
	}
#define ONE(name, number, message)                                                                                     \
	{                                                                                                              \
		name, number, ABUT_PROTO_MESSAGE, message, false                                                       \
	}
#define MANY(name, number, message)                                                                                    \
	{                                                                                                              \
		name, number, ABUT_PROTO_MESSAGE, message, true                                                        \
	}
#define TEXT(name, number)                                                                                             \
	{                                                                                                              \
		name, number, ABUT_PROTO_STRING, NULL, false                                                           \
	}
#define FLAG(name, number)                                                                                             \
	{                                                                                                              \
		name, number, ABUT_PROTO_BOOL, NULL, false                                                             \
	}
#define COUNT(name, number)                                                                                            \
	{                                                                                                              \
		name, number, ABUT_PROTO_INT32, NULL, false                                                            \
	}
#define END                                                                                                            \
	{                                                                                                              \
		NULL, 0, ABUT_PROTO_DOUBLE, NULL, false                                                                \
	}

/* Fields of both google.protobuf.Timestamp and google.protobuf.Duration. */
static const AbutProtoField seconds[] = {
    {"seconds", 1, ABUT_PROTO_INT64, NULL, false}, {"nanos", 2, ABUT_PROTO_INT32, NULL, false}, END};
static const AbutProtoField xyz[] = {NUMBER("x", 1), NUMBER("y", 2), NUMBER("z", 3), END};
static const AbutProtoField quaternion[] = {NUMBER("x", 1), NUMBER("y", 2), NUMBER("z", 3), NUMBER("w", 4), END};
static const AbutProtoField color[] = {NUMBER("r", 1), NUMBER("g", 2), NUMBER("b", 3), NUMBER("a", 4), END};
static const AbutProtoField pose[] = {ONE("position", 1, ".foxglove.Vector3"),
                                      ONE("orientation", 2, ".foxglove.Quaternion"), END};
static const AbutProtoField transform[] = {ONE("timestamp", 1, TIME),
                                           TEXT("parent_frame_id", 2),
                                           TEXT("child_frame_id", 3),
                                           ONE("translation", 4, ".foxglove.Vector3"),
                                           ONE("rotation", 5, ".foxglove.Quaternion"),
                                           END};
static const AbutProtoField transforms[] = {MANY("transforms", 1, ".foxglove.FrameTransform"), END};
static const AbutProtoField pair[] = {TEXT("key", 1), TEXT("value", 2), END};
static const AbutProtoField arrow[] = {ONE("pose", 1, POSE),
                                       NUMBER("shaft_length", 2),
                                       NUMBER("shaft_diameter", 3),
                                       NUMBER("head_length", 4),
                                       NUMBER("head_diameter", 5),
                                       ONE("color", 6, COLOR),
                                       END};
/* Fields of both cubes and spheres. */
static const AbutProtoField solid[] = {ONE("pose", 1, POSE), ONE("size", 2, ".foxglove.Vector3"),
                                       ONE("color", 3, COLOR), END};
static const AbutProtoField triangles[] = {
    ONE("pose", 1, POSE),     MANY("points", 2, ".foxglove.Point3"),          ONE("color", 3, COLOR),
    MANY("colors", 4, COLOR), {"indices", 5, ABUT_PROTO_FIXED32, NULL, true}, END};
static const AbutProtoField deletion[] = {ONE("timestamp", 1, TIME), TEXT("id", 3), END};
static const AbutProtoField entity[] = {ONE("timestamp", 1, TIME),
                                        TEXT("frame_id", 2),
                                        TEXT("id", 3),
                                        ONE("lifetime", 4, ".google.protobuf.Duration"),
                                        FLAG("frame_locked", 5),
                                        MANY("metadata", 6, ".foxglove.KeyValuePair"),
                                        MANY("arrows", 7, ".foxglove.ArrowPrimitive"),
                                        MANY("cubes", 8, ".foxglove.CubePrimitive"),
                                        MANY("spheres", 9, ".foxglove.SpherePrimitive"),
                                        MANY("triangles", 12, ".foxglove.TriangleListPrimitive"),
                                        END};
static const AbutProtoField update[] = {MANY("deletions", 1, ".foxglove.SceneEntityDeletion"),
                                        MANY("entities", 2, ".foxglove.SceneEntity"), END};
static const AbutProtoField step[] = {ONE("timestamp", 1, TIME),
                                      TEXT("outcome", 2),
                                      FLAG("exact", 3),
                                      FLAG("retried", 4),
                                      COUNT("halvings", 5),
                                      COUNT("tries", 6),
                                      COUNT("iterations", 7),
                                      COUNT("finish_iterations", 8),
                                      COUNT("active_contacts", 9),
                                      NUMBER("kappa", 10),
                                      NUMBER("residual", 11),
                                      NUMBER("complementarity", 12),
                                      NUMBER("max_penetration", 13),
                                      NUMBER("energy", 14),
                                      ONE("momentum", 15, ".foxglove.Vector3"),
                                      END};

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

void abut_foxglove_describe(AbutBytes *out)
{
	static const char *const none[] = {NULL};
	static const char *const google[] = {"google/protobuf/timestamp.proto", "google/protobuf/duration.proto", NULL};
	static const char *const both[] = {"google/protobuf/timestamp.proto", "foxglove/messages.proto", NULL};
	static const AbutProtoFile files[] = {
	    {"google/protobuf/timestamp.proto", "google.protobuf", none, timestamp_messages},
	    {"google/protobuf/duration.proto", "google.protobuf", none, duration_messages},
	    {"foxglove/messages.proto", "foxglove", google, foxglove_messages},
	    {"abut/messages.proto", "abut", both, abut_messages},
	};
	abut_proto_describe(out, 4, files);
}

/* Writes messages of Protocol Buffers field by field, and the descriptor of their fields for readers. */
#pragma once

#include "io/text/bytes.h"

/* Types of fields, numbered as in descriptor.proto. */
typedef enum AbutProtoType {
	ABUT_PROTO_DOUBLE = 1,
	ABUT_PROTO_INT64 = 3,
	ABUT_PROTO_INT32 = 5,
	ABUT_PROTO_FIXED32 = 7,
	ABUT_PROTO_BOOL = 8,
	ABUT_PROTO_STRING = 9,
	ABUT_PROTO_MESSAGE = 11
} AbutProtoType;

typedef struct AbutProtoField {
	const char *name; /* NULL ends the list of fields */
	int number;
	AbutProtoType type;
	const char *message; /* full name such as ".foxglove.Pose" for ABUT_PROTO_MESSAGE, otherwise NULL */
	bool repeated;
} AbutProtoField;

typedef struct AbutProtoMessage {
	const char *name; /* without the package; NULL ends the list of messages */
	const AbutProtoField *fields;
} AbutProtoMessage;

typedef struct AbutProtoFile {
	const char *name, *package;
	const char *const *imports; /* names of imported files, NULL-terminated */
	const AbutProtoMessage *messages;
} AbutProtoFile;

/* Each function appends field `number` of a message, even if its value is zero. */
void abut_proto_double(AbutBytes *out, int number, double value);
void abut_proto_integer(AbutBytes *out, int number, uint64_t value); /* for BOOL, and INT32 and INT64 values >= 0 */
void abut_proto_text(AbutBytes *out, int number, const char *text);
/* Begin and end a nested message, to which everything written in between belongs. abut_proto_begin returns the argument
 * of abut_proto_end. */
size_t abut_proto_begin(AbutBytes *out, int number);
void abut_proto_end(AbutBytes *out, size_t begun);

/* Appends a FileDescriptorSet (google/protobuf/descriptor.proto, syntax proto3) of `n` files. */
void abut_proto_describe(AbutBytes *out, int n, const AbutProtoFile *files);

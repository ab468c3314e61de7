/* Messages of Protocol Buffers, written field by field, and the descriptor of their fields for readers. */
#ifndef IO_EXPORT_PROTO_H
#define IO_EXPORT_PROTO_H

#include "io/text/bytes.h"

/* Types of fields, with the numbers that descriptors have for them. */
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
	const char *name; /* NULL ends a message's fields */
	int number;
	AbutProtoType type;
	const char *message; /* of ABUT_PROTO_MESSAGE: its full name, such as ".foxglove.Pose"; else NULL */
	bool repeated;
} AbutProtoField;

typedef struct AbutProtoMessage {
	const char *name; /* without its package; NULL ends a file's messages */
	const AbutProtoField *fields;
} AbutProtoMessage;

typedef struct AbutProtoFile {
	const char *name, *package;
	const char *const *imports; /* names of files, NULL-terminated */
	const AbutProtoMessage *messages;
} AbutProtoFile;

/* Each writes field `number` of a message. Zeros are written too. */
void abut_proto_double(AbutBytes *out, int number, double value);
void abut_proto_integer(AbutBytes *out, int number, uint64_t value); /* INT32 and INT64, at least 0, and BOOL */
void abut_proto_text(AbutBytes *out, int number, const char *text);
/* Begins and ends a nested message, to which everything in between belongs. `begin` returns the argument of `end`. */
size_t abut_proto_begin(AbutBytes *out, int number);
void abut_proto_end(AbutBytes *out, size_t begun);

/* A FileDescriptorSet (google/protobuf/descriptor.proto, syntax proto3) of `n` files. */
void abut_proto_describe(AbutBytes *out, int n, const AbutProtoFile *files);

#endif

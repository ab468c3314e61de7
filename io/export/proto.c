/* Writes the wire format of Protocol Buffers. A field is a key (number << 3 | wire type), followed by its value; nested
 * messages and texts start with their length. Keys, lengths and integers are varints with seven bits per byte.
 * tests/io/export/mcap.py reads them with code of its own. */
#include "io/export/proto.h"

#include <string.h>

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, LENGTH_BYTES = 5 };

static void put_varint(AbutBytes *out, uint64_t value)
{
	while (value >= 0x80) {
		abut_bytes_integer(out, (value & 0x7f) | 0x80, 1);
		value >>= 7;
	}
	abut_bytes_integer(out, value, 1);
}

static void put_key(AbutBytes *out, int number, int wire)
{
	put_varint(out, (uint64_t)number << 3 | (uint64_t)wire);
}

void abut_proto_double(AbutBytes *out, int number, double value)
{
	put_key(out, number, FIXED64);
	abut_bytes_double(out, value);
}

void abut_proto_integer(AbutBytes *out, int number, uint64_t value)
{
	put_key(out, number, VARINT);
	put_varint(out, value);
}

void abut_proto_text(AbutBytes *out, int number, const char *text)
{
	put_key(out, number, LENGTH);
	put_varint(out, strlen(text));
	abut_bytes_put(out, text, strlen(text));
}

/* Reserves five bytes for the length, which abut_proto_end sets. A varint may be longer than necessary. */
size_t abut_proto_begin(AbutBytes *out, int number)
{
	put_key(out, number, LENGTH);
	abut_bytes_extend(out, LENGTH_BYTES);
	return out->size;
}

void abut_proto_end(AbutBytes *out, size_t begun)
{
	const uint64_t length = out->size - begun;
	for (int i = 0; !out->failed && i < LENGTH_BYTES; i++) {
		out->data[begun - LENGTH_BYTES + (size_t)i] =
		    (unsigned char)((length >> (7 * i) & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
	}
}

/* --- descriptors, with the field numbers of descriptor.proto --- */

static void describe_field(AbutBytes *out, const AbutProtoField *field)
{
	enum { NAME = 1, NUMBER = 3, LABEL = 4, TYPE = 5, TYPE_NAME = 6, OPTIONAL = 1, REPEATED = 3 };
	const size_t begun = abut_proto_begin(out, 2);
	abut_proto_text(out, NAME, field->name);
	abut_proto_integer(out, NUMBER, (uint64_t)field->number);
	abut_proto_integer(out, LABEL, field->repeated ? REPEATED : OPTIONAL);
	abut_proto_integer(out, TYPE, field->type);
	if (field->message) {
		abut_proto_text(out, TYPE_NAME, field->message);
	}
	abut_proto_end(out, begun);
}

static void describe_file(AbutBytes *out, const AbutProtoFile *file)
{
	enum { NAME = 1, PACKAGE = 2, DEPENDENCY = 3, MESSAGE_TYPE = 4, SYNTAX = 12 };
	const size_t begun = abut_proto_begin(out, 1);
	abut_proto_text(out, NAME, file->name);
	abut_proto_text(out, PACKAGE, file->package);
	for (const char *const *import = file->imports; *import; import++) {
		abut_proto_text(out, DEPENDENCY, *import);
	}
	for (const AbutProtoMessage *message = file->messages; message->name; message++) {
		const size_t inner = abut_proto_begin(out, MESSAGE_TYPE);
		abut_proto_text(out, 1, message->name);
		for (const AbutProtoField *field = message->fields; field->name; field++) {
			describe_field(out, field);
		}
		abut_proto_end(out, inner);
	}
	abut_proto_text(out, SYNTAX, "proto3");
	abut_proto_end(out, begun);
}

void abut_proto_describe(AbutBytes *out, int n, const AbutProtoFile *files)
{
	for (int i = 0; i < n; i++) {
		describe_file(out, &files[i]);
	}
}

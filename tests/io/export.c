/* Tests parts of the writers of exported files. tests/io/export/check.py and tests/cli/view/export.c read whole files
 * back. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/mcap_write.h"
#include "io/export/proto.h"
#include "io/text/bytes.h"

/* Checks CRC-32 of ISO 3309 by the check value of CRC catalogues, in one call and in two. */
Test(export, crc_has_its_check_value)
{
	static const char digits[] = "123456789";
	cr_expect_eq(abut_crc32(0, digits, 9), 0xcbf43926U);
	cr_expect_eq(abut_crc32(abut_crc32(0, digits, 4), digits + 4, 5), 0xcbf43926U);
	cr_expect_eq(abut_crc32(0, digits, 0), 0U);
}

/* Bytes can exceed their first capacity, are little-endian, are padded, and can be overwritten in place. */
Test(export, bytes_are_little_endian)
{
	static const unsigned char start[] = {0x04, 0x03, 0x02, 0x01, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0, 0, 0xc0, 0xbf};
	AbutBytes bytes = {0};
	abut_bytes_integer(&bytes, 0x01020304, 4);
	abut_bytes_double(&bytes, 1.5);
	abut_bytes_float(&bytes, -1.5F);
	cr_assert_eq(bytes.size, sizeof start);
	cr_expect_arr_eq(bytes.data, start, sizeof start);
	for (int i = 0; i < 100000; i++) {
		abut_bytes_integer(&bytes, (uint64_t)i, 3);
	}
	cr_assert_eq(bytes.size, 16 + 300000);
	cr_expect(bytes.data[16 + 3 * 70000] == 0x70 && bytes.data[16 + 3 * 70000 + 2] == 0x01);
	abut_bytes_put(&bytes, "x", 1);
	abut_bytes_pad(&bytes, 8, ' ');
	cr_expect_eq(bytes.size, 300024);
	cr_expect_eq(memcmp(bytes.data + 300016, "x       ", 8), 0);
	abut_bytes_set_u32(&bytes, 300016, 0x64636261);
	cr_expect_eq(memcmp(bytes.data + 300016, "abcd    ", 8), 0);
	cr_expect_not(bytes.failed);
	abut_bytes_free(&bytes);
}

/* The examples of the encoding's documentation: field 1 = 150, this in a message in field 3, and "testing" in field 2.
 * But the length of a message is written in five bytes. */
Test(export, messages_are_those_of_the_documentation)
{
	static const unsigned char wanted[] = {0x08, 0x96, 0x01, 0x1a, 0x83, 0x80, 0x80, 0x80, 0x00, 0x08, 0x96,
	                                       0x01, 0x12, 0x07, 't',  'e',  's',  't',  'i',  'n',  'g'};
	AbutBytes bytes = {0};
	abut_proto_integer(&bytes, 1, 150);
	const size_t begun = abut_proto_begin(&bytes, 3);
	abut_proto_integer(&bytes, 1, 150);
	abut_proto_end(&bytes, begun);
	abut_proto_text(&bytes, 2, "testing");
	cr_assert_eq(bytes.size, sizeof wanted);
	cr_expect_arr_eq(bytes.data, wanted, sizeof wanted);
	abut_bytes_free(&bytes);
}

/* Lists the opcodes of the records of an MCAP file, one after the other, up to the footer. */
static int list_records(const char *file, size_t size, int most, int *opcodes)
{
	int n = 0;
	for (size_t at = 8; at + 9 < size && n < most && (n == 0 || opcodes[n - 1] != 2); n++) {
		uint64_t length = 0;
		for (int i = 0; i < 8; i++) {
			length |= (uint64_t)(unsigned char)file[at + 1 + (size_t)i] << (8 * i);
		}
		opcodes[n] = file[at];
		at += 9 + length;
	}
	return n;
}

/* If the message that ends a chunk is the last one, no empty chunk follows, which would have no times. */
Test(export, the_last_chunk_has_messages)
{
	static const AbutMcapChannel channel = {"/a", "A"};
	static const int wanted[] = {1, 6, 7, 15, 3, 4, 11, 8, 14, 14, 14, 14, 2};
	const int n_wanted = sizeof wanted / sizeof *wanted;
	int opcodes[32];
	char *file = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&file, &size);
	AbutBytes message = {0}, descriptor = {0};
	AbutMcap mcap;
	for (int i = 0; i < 1 << 18; i++) {
		abut_bytes_integer(&message, 0, 8);
	}
	abut_mcap_begin(&mcap, stream, 1, &channel, &descriptor);
	abut_mcap_message(&mcap, 0, 5, &message);
	cr_assert_eq(abut_mcap_finish(&mcap, NULL), ABUT_OK);
	fclose(stream);
	cr_assert_eq(list_records(file, size, 32, opcodes), n_wanted);
	for (int i = 0; i < n_wanted; i++) {
		cr_expect_eq(opcodes[i], wanted[i], "record %d: opcode %d, not %d", i, opcodes[i], wanted[i]);
	}
	abut_bytes_free(&message);
	abut_bytes_free(&descriptor);
	free(file);
}

/* Writes MCAP files: magic bytes, header, chunks of messages each followed by their indexes, end of data, summary,
 * footer, magic bytes. Chunks are not compressed. tests/io/export/mcap.py reads such files back. */
#include "io/export/mcap_write.h"

#include <string.h>

#include "abut/version.h"
#include "base/error.h"

enum {
	HEADER = 1,
	FOOTER = 2,
	SCHEMA = 3,
	CHANNEL = 4,
	MESSAGE = 5,
	CHUNK = 6,
	MESSAGE_INDEX = 7,
	CHUNK_INDEX = 8,
	STATISTICS = 11,
	SUMMARY_OFFSET = 14,
	DATA_END = 15,
	CHUNK_BYTES = 1 << 20 /* a chunk is closed after the message that exceeds this size */
};

static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

static void put_text(AbutBytes *out, const char *text)
{
	abut_bytes_integer(out, strlen(text), 4);
	abut_bytes_put(out, text, strlen(text));
}

/* Begins a record; end_record sets its length. */
static size_t begin_record(AbutBytes *out, int opcode)
{
	abut_bytes_integer(out, (uint64_t)opcode, 1);
	abut_bytes_integer(out, 0, 8);
	return out->size;
}

static void end_record(AbutBytes *out, size_t begun)
{
	const uint64_t length = out->size - begun;
	if (!out->failed) {
		abut_bytes_set_u32(out, begun - 8, (uint32_t)length);
		abut_bytes_set_u32(out, begun - 4, (uint32_t)(length >> 32));
	}
}

/* Writes the bytes to the file and empties them. */
static void flush(AbutMcap *mcap, AbutBytes *bytes)
{
	mcap->failed = mcap->failed || bytes->failed;
	if (!mcap->failed) {
		fwrite(bytes->data, 1, bytes->size, mcap->file);
		mcap->crc = abut_crc32(mcap->crc, bytes->data, bytes->size);
		mcap->at += bytes->size;
	}
	bytes->size = 0;
}

static void put_schema(AbutBytes *out, const AbutMcap *mcap, int channel)
{
	const size_t begun = begin_record(out, SCHEMA);
	abut_bytes_integer(out, (uint64_t)channel + 1, 2);
	put_text(out, mcap->channels[channel].schema);
	put_text(out, "protobuf");
	abut_bytes_integer(out, mcap->descriptor->size, 4);
	abut_bytes_put(out, mcap->descriptor->data, mcap->descriptor->size);
	end_record(out, begun);
}

static void put_channel(AbutBytes *out, const AbutMcap *mcap, int channel)
{
	const size_t begun = begin_record(out, CHANNEL);
	abut_bytes_integer(out, (uint64_t)channel + 1, 2);
	abut_bytes_integer(out, (uint64_t)channel + 1, 2);
	put_text(out, mcap->channels[channel].topic);
	put_text(out, "protobuf");
	abut_bytes_integer(out, 0, 4); /* no metadata */
	end_record(out, begun);
}

void abut_mcap_begin(AbutMcap *mcap, FILE *file, int n_channels, const AbutMcapChannel *channels,
                     const AbutBytes *descriptor)
{
	char library[64];
	AbutBytes head = {0};
	memset(mcap, 0, sizeof *mcap);
	mcap->file = file;
	mcap->channels = channels;
	mcap->n_channels = n_channels;
	mcap->descriptor = descriptor;
	mcap->failed = descriptor->failed;
	snprintf(library, sizeof library, "abut %s", abut_version());
	abut_bytes_put(&head, magic, sizeof magic);
	const size_t begun = begin_record(&head, HEADER);
	put_text(&head, ""); /* no profile */
	put_text(&head, library);
	end_record(&head, begun);
	flush(mcap, &head);
	abut_bytes_free(&head);
	for (int i = 0; i < n_channels; i++) {
		put_schema(&mcap->chunk, mcap, i);
		put_channel(&mcap->chunk, mcap, i);
	}
}

/* Appends the index of a channel's messages in the last chunk. */
static void put_message_index(AbutBytes *out, int channel, const AbutBytes *index)
{
	const size_t begun = begin_record(out, MESSAGE_INDEX);
	abut_bytes_integer(out, (uint64_t)channel + 1, 2);
	abut_bytes_integer(out, index->size, 4);
	abut_bytes_put(out, index->data, index->size);
	end_record(out, begun);
}

/* Adds to the summary the index of the chunk at byte `start` with `length` bytes. `offsets` are pairs of a channel id
 * and the position of its message index. */
static void put_chunk_index(AbutMcap *mcap, uint64_t start, uint64_t length, const AbutBytes *offsets,
                            uint64_t index_length)
{
	AbutBytes *out = &mcap->chunk_indexes;
	const size_t begun = begin_record(out, CHUNK_INDEX);
	abut_bytes_integer(out, mcap->chunk_first, 8);
	abut_bytes_integer(out, mcap->chunk_last, 8);
	abut_bytes_integer(out, start, 8);
	abut_bytes_integer(out, length, 8);
	abut_bytes_integer(out, offsets->size, 4);
	abut_bytes_put(out, offsets->data, offsets->size);
	abut_bytes_integer(out, index_length, 8);
	put_text(out, ""); /* not compressed */
	abut_bytes_integer(out, mcap->chunk.size, 8);
	abut_bytes_integer(out, mcap->chunk.size, 8);
	end_record(out, begun);
}

static void end_chunk(AbutMcap *mcap)
{
	AbutBytes head = {0}, indexes = {0}, offsets = {0};
	AbutBytes *chunk = &mcap->chunk;
	const uint64_t start = mcap->at, size = chunk->size;
	mcap->failed = mcap->failed || chunk->failed;
	abut_bytes_integer(&head, CHUNK, 1);
	abut_bytes_integer(&head, 8 + 8 + 8 + 4 + 4 + 8 + size, 8);
	abut_bytes_integer(&head, mcap->chunk_first, 8);
	abut_bytes_integer(&head, mcap->chunk_last, 8);
	abut_bytes_integer(&head, size, 8);
	abut_bytes_integer(&head, mcap->failed ? 0 : abut_crc32(0, chunk->data, chunk->size), 4);
	put_text(&head, ""); /* not compressed */
	abut_bytes_integer(&head, size, 8);
	const uint64_t length = head.size + size;
	for (int i = 0; i < mcap->n_channels; i++) {
		if (mcap->index[i].size > 0) {
			abut_bytes_integer(&offsets, (uint64_t)i + 1, 2);
			abut_bytes_integer(&offsets, start + length + indexes.size, 8);
			put_message_index(&indexes, i, &mcap->index[i]);
		}
		mcap->failed = mcap->failed || mcap->index[i].failed;
		mcap->index[i].size = 0;
	}
	put_chunk_index(mcap, start, length, &offsets, indexes.size);
	flush(mcap, &head);
	flush(mcap, chunk);
	flush(mcap, &indexes);
	mcap->failed = mcap->failed || offsets.failed || mcap->chunk_indexes.failed;
	mcap->n_chunks++;
	abut_bytes_free(&head);
	abut_bytes_free(&indexes);
	abut_bytes_free(&offsets);
}

void abut_mcap_message(AbutMcap *mcap, int channel, uint64_t time, const AbutBytes *message)
{
	AbutBytes *chunk = &mcap->chunk;
	uint64_t in_chunk = 0, in_file = 0;
	for (int i = 0; i < mcap->n_channels; i++) {
		in_chunk += mcap->index[i].size;
		in_file += mcap->counts[i];
	}
	mcap->first = in_file == 0 ? time : mcap->first;
	mcap->chunk_first = in_chunk == 0 ? time : mcap->chunk_first;
	mcap->last = mcap->chunk_last = time;
	abut_bytes_integer(&mcap->index[channel], time, 8);
	abut_bytes_integer(&mcap->index[channel], chunk->size, 8);
	const size_t begun = begin_record(chunk, MESSAGE);
	abut_bytes_integer(chunk, (uint64_t)channel + 1, 2);
	abut_bytes_integer(chunk, mcap->counts[channel]++, 4);
	abut_bytes_integer(chunk, time, 8);
	abut_bytes_integer(chunk, time, 8);
	abut_bytes_put(chunk, message->data, message->size);
	end_record(chunk, begun);
	mcap->failed = mcap->failed || message->failed || chunk->failed || mcap->index[channel].failed;
	if (chunk->size > CHUNK_BYTES) {
		end_chunk(mcap);
	}
}

static void put_statistics(AbutBytes *out, const AbutMcap *mcap)
{
	uint64_t messages = 0;
	for (int i = 0; i < mcap->n_channels; i++) {
		messages += mcap->counts[i];
	}
	const size_t begun = begin_record(out, STATISTICS);
	abut_bytes_integer(out, messages, 8);
	abut_bytes_integer(out, (uint64_t)mcap->n_channels, 2); /* schemas */
	abut_bytes_integer(out, (uint64_t)mcap->n_channels, 4);
	abut_bytes_integer(out, 0, 4); /* attachments */
	abut_bytes_integer(out, 0, 4); /* metadata */
	abut_bytes_integer(out, mcap->n_chunks, 4);
	abut_bytes_integer(out, mcap->first, 8);
	abut_bytes_integer(out, mcap->last, 8);
	abut_bytes_integer(out, (uint64_t)mcap->n_channels * 10, 4);
	for (int i = 0; i < mcap->n_channels; i++) {
		abut_bytes_integer(out, (uint64_t)i + 1, 2);
		abut_bytes_integer(out, mcap->counts[i], 8);
	}
	end_record(out, begun);
}

/* Appends the summary: groups of records of one kind, then the position of each group. */
static void put_summary(AbutBytes *out, const AbutMcap *mcap, uint64_t start, uint64_t *offsets_start)
{
	static const int kinds[] = {SCHEMA, CHANNEL, STATISTICS, CHUNK_INDEX};
	size_t ends[5] = {0};
	for (int i = 0; i < mcap->n_channels; i++) {
		put_schema(out, mcap, i);
	}
	ends[1] = out->size;
	for (int i = 0; i < mcap->n_channels; i++) {
		put_channel(out, mcap, i);
	}
	ends[2] = out->size;
	put_statistics(out, mcap);
	ends[3] = out->size;
	abut_bytes_put(out, mcap->chunk_indexes.data, mcap->chunk_indexes.size);
	ends[4] = out->size;
	*offsets_start = start + out->size;
	for (int i = 0; i < 4; i++) {
		const size_t begun = begin_record(out, SUMMARY_OFFSET);
		abut_bytes_integer(out, (uint64_t)kinds[i], 1);
		abut_bytes_integer(out, start + ends[i], 8);
		abut_bytes_integer(out, ends[i + 1] - ends[i], 8);
		end_record(out, begun);
	}
}

/* Writes the end of data with its CRC, the summary, and the footer. The footer's CRC covers the bytes from the start of
 * the summary to the CRC itself. */
static void put_end(AbutMcap *mcap)
{
	AbutBytes tail = {0};
	uint64_t offsets_start = 0;
	const size_t data_end = begin_record(&tail, DATA_END);
	abut_bytes_integer(&tail, mcap->crc, 4);
	end_record(&tail, data_end);
	flush(mcap, &tail);
	const uint64_t start = mcap->at;
	put_summary(&tail, mcap, start, &offsets_start);
	abut_bytes_integer(&tail, FOOTER, 1);
	abut_bytes_integer(&tail, 8 + 8 + 4, 8);
	abut_bytes_integer(&tail, start, 8);
	abut_bytes_integer(&tail, offsets_start, 8);
	abut_bytes_integer(&tail, tail.failed ? 0 : abut_crc32(0, tail.data, tail.size), 4);
	abut_bytes_put(&tail, magic, sizeof magic);
	flush(mcap, &tail);
	abut_bytes_free(&tail);
}

AbutStatus abut_mcap_finish(AbutMcap *mcap, AbutError *error)
{
	if (mcap->chunk.size > 0) { /* the chunk is empty if the last message closed one */
		end_chunk(mcap);
	}
	put_end(mcap);
	const bool failed = mcap->failed;
	for (int i = 0; i < mcap->n_channels; i++) {
		abut_bytes_free(&mcap->index[i]);
	}
	abut_bytes_free(&mcap->chunk);
	abut_bytes_free(&mcap->chunk_indexes);
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory") : ABUT_OK;
}

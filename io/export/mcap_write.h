/* MCAP, the container of Foxglove: channels of messages in chunks, with an index and check sums (mcap.dev/spec). */
#ifndef IO_EXPORT_MCAP_WRITE_H
#define IO_EXPORT_MCAP_WRITE_H

#include <stdio.h>

#include "abut/status.h"
#include "io/text/bytes.h"

enum { ABUT_MCAP_CHANNELS_MAX = 8 };

/* A topic and the type of its messages, all Protocol Buffers. Channel i has the id i + 1, and so has its schema. */
typedef struct AbutMcapChannel {
	const char *topic, *schema; /* such as "/tf", "foxglove.FrameTransforms" */
} AbutMcapChannel;

/* A file that is being written, from abut_mcap_begin to abut_mcap_finish. */
typedef struct AbutMcap {
	FILE *file;
	const AbutMcapChannel *channels;
	int n_channels;
	const AbutBytes *descriptor;                   /* of all schemas */
	AbutBytes chunk;                               /* records of the chunk that is open */
	AbutBytes index[ABUT_MCAP_CHANNELS_MAX];       /* times and offsets of its messages, by channel */
	AbutBytes chunk_indexes;                       /* records of the summary */
	uint64_t counts[ABUT_MCAP_CHANNELS_MAX], at;   /* messages; bytes written */
	uint64_t first, last, chunk_first, chunk_last; /* times, ns */
	uint32_t crc, n_chunks;                        /* CRC of all bytes so far */
	bool failed;                                   /* out of memory */
} AbutMcap;

/* `channels` and `descriptor` must outlive the file. */
void abut_mcap_begin(AbutMcap *mcap, FILE *file, int n_channels, const AbutMcapChannel *channels,
                     const AbutBytes *descriptor);
/* Writes a message of a channel, at a time in ns; times must not decrease. */
void abut_mcap_message(AbutMcap *mcap, int channel, uint64_t time, const AbutBytes *message);
/* Writes the end of the file, and frees everything. ABUT_ERROR_MEMORY: the file is incomplete. */
AbutStatus abut_mcap_finish(AbutMcap *mcap, AbutError *error);

#endif

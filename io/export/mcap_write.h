/* Writes MCAP, the container format of Foxglove: channels of messages in chunks, with indexes and checksums
 * (mcap.dev/spec). */
#pragma once

#include <stdio.h>

#include "abut/status.h"
#include "io/text/bytes.h"

enum { ABUT_MCAP_CHANNELS_MAX = 8 };

/* A topic and its message type, all in Protocol Buffers. Channel i and its schema both have the id i + 1. */
typedef struct AbutMcapChannel {
	const char *topic, *schema; /* such as "/tf" and "foxglove.FrameTransforms" */
} AbutMcapChannel;

/* An MCAP file that is being written. */
typedef struct AbutMcap {
	FILE *file;
	const AbutMcapChannel *channels;
	int n_channels;
	const AbutBytes *descriptor;                   /* FileDescriptorSet of all schemas */
	AbutBytes chunk;                               /* records of the open chunk */
	AbutBytes index[ABUT_MCAP_CHANNELS_MAX];       /* times and offsets of the chunk's messages, by channel */
	AbutBytes chunk_indexes;                       /* records of the summary */
	uint64_t counts[ABUT_MCAP_CHANNELS_MAX], at;   /* messages per channel; bytes written */
	uint64_t first, last, chunk_first, chunk_last; /* times of messages, ns */
	uint32_t crc, n_chunks;                        /* CRC of all bytes written; number of chunks */
	bool failed;                                   /* out of memory */
} AbutMcap;

/* Starts the file. `channels` and `descriptor` must outlive it. */
void abut_mcap_begin(AbutMcap *mcap, FILE *file, int n_channels, const AbutMcapChannel *channels,
                     const AbutBytes *descriptor);
/* Writes a message of a channel; `time` is in ns and must not decrease. */
void abut_mcap_message(AbutMcap *mcap, int channel, uint64_t time, const AbutBytes *message);
/* Writes the end of the file and frees all memory. On ABUT_ERROR_MEMORY the file is incomplete. */
AbutStatus abut_mcap_finish(AbutMcap *mcap, AbutError *error);

/* Describes the messages in an MCAP file of a run. */
#ifndef IO_EXPORT_FOXGLOVE_DESCRIBE_H
#define IO_EXPORT_FOXGLOVE_DESCRIBE_H

#include "io/text/bytes.h"

/* Appends a FileDescriptorSet with all messages, including nested ones. */
void abut_foxglove_describe(AbutBytes *out);

#endif

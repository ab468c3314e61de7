/* Warnings about a valid input, with their places. */
#ifndef IO_TEXT_NOTES_H
#define IO_TEXT_NOTES_H

#include "abut/status.h"

enum { ABUT_NOTES_MAX = 100 };

/* All zero at first; freed by abut_notes_free. */
typedef struct AbutNotes {
	int n, capacity;
	AbutError *items; /* status ABUT_OK */
} AbutNotes;

/* Appends a copy. Past the limit, or without memory, it is dropped. */
void abut_notes_add(AbutNotes *notes, const AbutError *note);
void abut_notes_free(AbutNotes *notes);

#endif

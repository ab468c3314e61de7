/* Collects warnings about a valid input, with their places. */
#pragma once

#include "abut/status.h"

enum { ABUT_NOTES_MAX = 100 };

/* Must be all zero at first; freed by abut_notes_free. */
typedef struct AbutNotes {
	int n, capacity;
	AbutError *items; /* warnings; their status is ABUT_OK */
} AbutNotes;

/* Appends a copy of the note. It is dropped if the limit is reached or memory runs out. */
void abut_notes_add(AbutNotes *notes, const AbutError *note);
void abut_notes_free(AbutNotes *notes);

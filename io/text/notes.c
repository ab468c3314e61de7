/* Collects warnings. */
#include "io/text/notes.h"

#include <stdlib.h>

#include "base/grow.h"

void abut_notes_add(AbutNotes *notes, const AbutError *note)
{
	if (notes->n < ABUT_NOTES_MAX &&
	    abut_grow(&notes->items, &notes->capacity, notes->n + 1, sizeof *notes->items)) {
		notes->items[notes->n++] = *note;
	}
}

void abut_notes_free(AbutNotes *notes)
{
	free(notes->items);
	*notes = (AbutNotes){0};
}

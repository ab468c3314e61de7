/* Writes the replay page of a run after `abut run --out`. */
#pragma once

#include <stdbool.h>

typedef struct AbutRunPage {
	const char *folder; /* of the run; NULL: no folder and no page */
	bool wanted;        /* --view */
	bool unwanted;      /* --no-view */
	long states;        /* bodies times steps; a run with too many gets a page only by --view */
} AbutRunPage;

/* Before the run: returns whether the page can be written if --view asks for it; otherwise reports the reason. */
bool abut_run_page_check(const AbutRunPage *page);
/* After the run: writes the page and returns the exit status. Without --view a missing page is not an error; `*missing`
 * is then the reason, otherwise NULL. */
int abut_run_page_write(const AbutRunPage *page, const char **missing);

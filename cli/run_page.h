/* The replay page of a run that `abut run --out` has written. */
#ifndef CLI_RUN_PAGE_H
#define CLI_RUN_PAGE_H

#include <stdbool.h>

typedef struct AbutRunPage {
	const char *folder; /* of the run; NULL: none, and no page */
	bool wanted;        /* --view: asked for by name */
	bool unwanted;      /* --no-view */
	long states;        /* of the run, bodies times steps: too many are not read back unasked */
} AbutRunPage;

/* Before the run: whether a page that is asked for can be made; otherwise a line on stderr. */
bool abut_run_page_check(const AbutRunPage *page);
/* After it. The exit status, of a page that cannot be written with a line on stderr; `*missing` is why there is no page
 * although the run has a folder and nobody forbade it, and otherwise NULL: without --view that is no error. */
int abut_run_page_write(const AbutRunPage *page, const char **missing);

#endif

/* What changes during a run, in columns over its frames, for the page. */
#ifndef IO_VIEW_COLUMNS_H
#define IO_VIEW_COLUMNS_H

#include "io/view/data.h"

/* Adds the motion of the bodies, what steps report, and the contacts. */
AbutStatus abut_view_add_columns(AbutViewData *data, AbutError *error);

#endif

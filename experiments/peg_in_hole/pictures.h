/* A fall of a peg as a row of pictures. */
#ifndef EXPERIMENTS_PEG_IN_HOLE_PICTURES_H
#define EXPERIMENTS_PEG_IN_HOLE_PICTURES_H

#include "experiments/peg_in_hole/insertion.h"
#include "experiments/suite/frames.h"

enum { ABUT_PEG_PICTURES = 4 };

/* Adds the table `name` and the figure that is drawn from it: the insertion at the times, s, increasing. */
AbutStatus abut_insertion_pictures(const AbutPeg *peg, const AbutInsertion *insertion,
                                   const double times[ABUT_PEG_PICTURES], const AbutView *view, const char *name,
                                   const char *caption, AbutReport *report, AbutError *error);

#endif

/* The cases on which Abut's methods are compared with the programs they stand for. */
#ifndef EXPERIMENTS_PEERS_ORIGINAL_CASES_H
#define EXPERIMENTS_PEERS_ORIGINAL_CASES_H

#include "experiments/peers/originals.h"

int abut_original_case_count(void);
const AbutOriginalCase *abut_original_case(int index);
bool abut_original_case_chosen(int index, const char *prefix); /* of its name; NULL: all */

#endif

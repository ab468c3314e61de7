/* Prints messages on stderr, one line each, and chooses exit statuses. */
#pragma once

#include "abut/abut.h"

/* Exit statuses of the interface contract (docs/interface.md). */
enum {
	ABUT_EXIT_DONE = 0,
	ABUT_EXIT_CHECK = 1,  /* the verb did its work, but a step or a check failed */
	ABUT_EXIT_USAGE = 2,  /* the call or an input file is wrong */
	ABUT_EXIT_MACHINE = 3 /* out of memory, disk full */
};

/* Prints a line on stderr, after "abut: ". */
__attribute__((format(printf, 1, 2))) void abut_report(const char *format, ...);
/* Prints a line like abut_report; returns ABUT_EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int abut_refuse(const char *format, ...);
/* Prints a line like abut_report; returns false. */
__attribute__((format(printf, 1, 2))) bool abut_deny(const char *format, ...);
enum { ABUT_MEANT_SIZE = 96 };
/* Writes "did you mean 'NAME'? ", or nothing if `name` is NULL, and returns `out`. */
const char *abut_meant(const char *name, char out[ABUT_MEANT_SIZE]);
/* Reports that memory ran out; returns ABUT_EXIT_MACHINE. */
int abut_report_memory(void);
/* Reports the error; returns ABUT_EXIT_MACHINE if memory ran out or the system failed, else `otherwise`. */
int abut_report_error(const AbutError *error, int otherwise);
/* Reports the error of an output unless `status` is ABUT_OK, and returns the exit status. A wrong folder or file is an
 * error of the call, a full disk one of the machine (io/text/file_text.h). */
int abut_report_output(AbutStatus status, const AbutError *error);
int abut_exit_status(const AbutError *error);
/* Report one warning, and the warnings of a valid scene. */
void abut_report_warning(const AbutError *warning);
void abut_report_warnings(const AbutScene *scene);

/* Flushes stdout; returns `exit_status`, or reports and returns ABUT_EXIT_MACHINE if it could not be written. */
int abut_finish_stdout(int exit_status);

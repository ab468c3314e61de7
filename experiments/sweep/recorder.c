#include "experiments/sweep/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/sweep/text.h"
#include "io/text/file_text.h"
#include "io/text/words.h"

char *abut_sweep_table_path(const char *folder, AbutSweepTableKind table, int rank)
{
	const char *name = table == ABUT_SWEEP_RESULTS ? "runs" : "times";
	return rank == 0 ? abut_text_format("%s/%s.csv", folder, name)
	                 : abut_text_format("%s/%s.%d.csv", folder, name, rank);
}

/* The line at once: a process that is killed leaves whole lines, and a disk that is full at most one that is not. */
static AbutStatus append(const AbutSweepRecorder *recorder, AbutSweepTableKind table, char *line, AbutError *error)
{
	const char *at = line;
	size_t left = line ? strlen(line) : 0;
	AbutStatus status = line ? ABUT_OK : abut_sweep_fail_memory(error);
	while (status == ABUT_OK && left > 0) {
		const ssize_t written = write(recorder->files[table], at, left);
		if (written < 0 && errno != EINTR) {
			status = abut_file_fail(error, recorder->paths[table], ABUT_ERROR_IO, "cannot write: %s",
			                        strerror(errno));
		}
		at += written > 0 ? written : 0;
		left -= written > 0 ? (size_t)written : 0;
	}
	free(line);
	return status;
}

/* A table that is new gets its first line. */
static AbutStatus open_table(AbutSweepRecorder *recorder, AbutSweepTableKind table, const char *folder, int rank,
                             AbutError *error)
{
	struct stat info = {0};
	recorder->paths[table] = abut_sweep_table_path(folder, table, rank);
	if (!recorder->paths[table]) {
		return abut_sweep_fail_memory(error);
	}
	recorder->files[table] = open(recorder->paths[table], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (recorder->files[table] < 0 || fstat(recorder->files[table], &info) != 0) {
		return abut_file_fail(error, recorder->paths[table], ABUT_ERROR_IO, "cannot write: %s",
		                      strerror(errno));
	}
	return info.st_size > 0 ? ABUT_OK
	                        : append(recorder, table, abut_sweep_header_text(recorder->sweep, table), error);
}

AbutStatus abut_sweep_recorder_open(AbutSweepRecorder *recorder, const AbutSweep *sweep, const char *folder, int rank,
                                    AbutError *error)
{
	*recorder = (AbutSweepRecorder){sweep, {NULL, NULL}, {-1, -1}};
	AbutStatus status = open_table(recorder, ABUT_SWEEP_RESULTS, folder, rank, error);
	if (status == ABUT_OK) {
		status = open_table(recorder, ABUT_SWEEP_TIMES, folder, rank, error);
	}
	if (status != ABUT_OK) {
		abut_sweep_recorder_close(recorder);
	}
	return status;
}

/* The times first: a run whose results are there has its times. */
AbutStatus abut_sweep_recorder_append(const AbutSweepRecorder *recorder, long run, const AbutSweepResult *result,
                                      AbutError *error)
{
	const AbutSweep *sweep = recorder->sweep;
	const AbutStatus status =
	    append(recorder, ABUT_SWEEP_TIMES, abut_sweep_row_text(sweep, run, result, ABUT_SWEEP_TIMES), error);
	return status == ABUT_OK ? append(recorder, ABUT_SWEEP_RESULTS,
	                                  abut_sweep_row_text(sweep, run, result, ABUT_SWEEP_RESULTS), error)
	                         : status;
}

void abut_sweep_recorder_close(AbutSweepRecorder *recorder)
{
	for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
		if (recorder->files[i] >= 0) {
			close(recorder->files[i]);
		}
		free(recorder->paths[i]);
	}
	*recorder = (AbutSweepRecorder){NULL, {NULL, NULL}, {-1, -1}};
}

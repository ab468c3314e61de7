#include "experiments/sweep/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "experiments/sweep/text.h"
#include "io/file_text.h"

static const char *const names[ABUT_SWEEP_TABLES] = {"runs", "times"};

char *abut_sweep_table_path(const char *folder, int table, int rank)
{
	return rank == 0 ? abut_text_format("%s/%s.csv", folder, names[table])
	                 : abut_text_format("%s/%s.%d.csv", folder, names[table], rank);
}

static AbutStatus append(int file, const char *path, const char *text, AbutError *error)
{
	size_t left = strlen(text);
	while (left > 0) {
		const ssize_t written = write(file, text, left);
		if (written < 0 && errno != EINTR) {
			return abut_file_fail(error, path, ABUT_ERROR_IO, "cannot write: %s", strerror(errno));
		}
		text += written > 0 ? written : 0;
		left -= written > 0 ? (size_t)written : 0;
	}
	return ABUT_OK;
}

/* A table that is new gets its header. */
static AbutStatus begin(const AbutSweep *sweep, int table, int file, const char *path, AbutError *error)
{
	struct stat info;
	char *text = NULL;
	size_t length = 0;
	if (fstat(file, &info) != 0) {
		return abut_file_fail(error, path, ABUT_ERROR_IO, "cannot write: %s", strerror(errno));
	}
	if (info.st_size > 0) {
		return ABUT_OK;
	}
	FILE *header = open_memstream(&text, &length);
	if (!header) {
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the output");
	}
	if (table == 0) {
		abut_sweep_write_results_header(sweep, header);
	} else {
		abut_sweep_write_times_header(header);
	}
	const bool complete = fclose(header) == 0;
	const AbutStatus status = complete
	                              ? append(file, path, text, error)
	                              : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the output");
	free(text);
	return status;
}

AbutStatus abut_sweep_recorder_open(AbutSweepRecorder *recorder, const AbutSweep *sweep, const char *folder, int rank,
                                    AbutError *error)
{
	AbutStatus status = ABUT_OK;
	*recorder = (AbutSweepRecorder){{NULL, NULL}, {-1, -1}};
	for (int i = 0; status == ABUT_OK && i < ABUT_SWEEP_TABLES; i++) {
		char *const path = recorder->paths[i] = abut_sweep_table_path(folder, i, rank);
		if (!path) {
			status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the output");
			break;
		}
		recorder->files[i] = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
		status = recorder->files[i] < 0
		             ? abut_file_fail(error, path, ABUT_ERROR_IO, "cannot write: %s", strerror(errno))
		             : begin(sweep, i, recorder->files[i], path, error);
	}
	if (status != ABUT_OK) {
		abut_sweep_recorder_close(recorder);
	}
	return status;
}

/* The times first: a run whose results are there has its times. */
AbutStatus abut_sweep_recorder_append(const AbutSweepRecorder *recorder, const AbutSweepRows *rows, AbutError *error)
{
	const AbutStatus status = append(recorder->files[1], recorder->paths[1], rows->times, error);
	return status == ABUT_OK ? append(recorder->files[0], recorder->paths[0], rows->results, error) : status;
}

void abut_sweep_recorder_close(AbutSweepRecorder *recorder)
{
	for (int i = 0; i < ABUT_SWEEP_TABLES; i++) {
		if (recorder->files[i] >= 0) {
			close(recorder->files[i]);
		}
		free(recorder->paths[i]);
	}
	*recorder = (AbutSweepRecorder){{NULL, NULL}, {-1, -1}};
}

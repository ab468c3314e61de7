/* The folder of a run and its files: temporary names first, their own at the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/output.h"

enum { TRAJECTORY, CONTACTS, SUMMARY, N_FILES };

static const char *const names[N_FILES] = {"trajectory.csv", "contacts.csv", "summary.json"};

struct AbutOutput {
	char *folder;            /* without slashes at its end */
	size_t made;             /* length of the outermost folder that we made, 0: none */
	char *path, *final_path; /* room for the path of a file */
	size_t path_size;
	FILE *files[N_FILES];
	bool pending[N_FILES]; /* stands under its temporary name */
};

static AbutStatus fail(AbutError *error, const char *file, const char *what, int reason)
{
	const AbutStatus status = reason == ENOMEM ? ABUT_ERROR_MEMORY : ABUT_ERROR_IO;
	abut_error_set(error, status, NULL, "cannot %s: %s", what, strerror(reason));
	if (error) {
		snprintf(error->file, sizeof error->file, "%s", file);
	}
	return status;
}

/* The temporary name tells the process, so that two runs into one folder do not write into each other's files. */
static const char *temporary_path(AbutOutput *output, int file)
{
	snprintf(output->path, output->path_size, "%s/.%s.%ld.tmp", output->folder, names[file], (long)getpid());
	return output->path;
}

static const char *final_path(AbutOutput *output, int file)
{
	snprintf(output->final_path, output->path_size, "%s/%s", output->folder, names[file]);
	return output->final_path;
}

/* Makes the folder and its parents, noting the outermost that was not there. */
static AbutStatus make_folder(AbutOutput *output, AbutError *error)
{
	char *const folder = output->folder;
	for (char *end = folder + 1;; end++) {
		if (*end != '/' && *end != '\0') {
			continue;
		}
		const char saved = *end;
		*end = '\0';
		const int failed = mkdir(folder, 0777);
		const int reason = errno;
		struct stat info;
		const bool is_folder = failed && stat(folder, &info) == 0 && S_ISDIR(info.st_mode);
		if (!failed && output->made == 0) {
			output->made = (size_t)(end - folder);
		}
		if (failed && !is_folder) {
			const AbutStatus status = fail(error, folder, "make the output folder", reason);
			*end = saved;
			return status;
		}
		*end = saved;
		if (saved == '\0') {
			return ABUT_OK;
		}
	}
}

static AbutStatus open_file(AbutOutput *output, int file, AbutError *error)
{
	const char *path = temporary_path(output, file);
	const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (descriptor < 0) {
		return fail(error, output->folder, "write into the output folder", errno);
	}
	output->pending[file] = true;
	output->files[file] = fdopen(descriptor, "w");
	if (!output->files[file]) {
		const int reason = errno;
		close(descriptor);
		return fail(error, output->folder, "write into the output folder", reason);
	}
	return ABUT_OK;
}

AbutStatus abut_output_open(const char *folder, AbutOutput **out, AbutError *error)
{
	*out = NULL;
	size_t length = strlen(folder);
	if (length == 0) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the output folder has an empty name");
	}
	while (length > 1 && folder[length - 1] == '/') {
		length--;
	}
	AbutOutput *output = calloc(1, sizeof *output);
	if (output) {
		output->path_size = length + 64;
		output->folder = calloc(1, length + 1);
		output->path = calloc(1, output->path_size);
		output->final_path = calloc(1, output->path_size);
	}
	if (!output || !output->folder || !output->path || !output->final_path) {
		abut_output_destroy(output);
		return abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory for the output");
	}
	memcpy(output->folder, folder, length);
	AbutStatus status = make_folder(output, error);
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = open_file(output, i, error);
	}
	if (status != ABUT_OK) {
		abut_output_destroy(output);
		return status;
	}
	abut_output_write_trajectory_header(output->files[TRAJECTORY]);
	abut_output_write_contacts_header(output->files[CONTACTS]);
	*out = output;
	return ABUT_OK;
}

AbutStatus abut_output_observe(void *context, const AbutRunView *view, AbutError *error)
{
	AbutOutput *output = context;
	abut_output_write_trajectory(output->files[TRAJECTORY], view->model, view->state);
	if (view->info) {
		abut_output_write_contacts(output->files[CONTACTS], view->model, view->state, view->workspace);
	}
	for (int i = 0; i < N_FILES; i++) {
		if (ferror(output->files[i])) {
			return fail(error, final_path(output, i), "write", errno ? errno : EIO);
		}
	}
	return ABUT_OK;
}

/* Ends a file; what was still in its buffer may fail to be written. */
static AbutStatus close_file(AbutOutput *output, int file, AbutError *error)
{
	FILE *stream = output->files[file];
	const bool had_error = ferror(stream);
	errno = 0;
	output->files[file] = NULL;
	if (fclose(stream) != 0 || had_error) {
		return fail(error, final_path(output, file), "write", errno ? errno : EIO);
	}
	return ABUT_OK;
}

AbutStatus abut_output_commit(AbutOutput *output, const AbutRunReport *report, AbutError *error)
{
	abut_output_write_summary(output->files[SUMMARY], report);
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		status = close_file(output, i, error);
	}
	for (int i = 0; status == ABUT_OK && i < N_FILES; i++) {
		if (rename(temporary_path(output, i), final_path(output, i)) != 0) {
			return fail(error, final_path(output, i), "write", errno);
		}
		output->pending[i] = false;
		output->made = 0;
	}
	return status;
}

void abut_output_destroy(AbutOutput *output)
{
	if (!output) {
		return;
	}
	for (int i = 0; i < N_FILES; i++) {
		if (output->files[i]) {
			fclose(output->files[i]);
		}
		if (output->pending[i]) {
			unlink(temporary_path(output, i));
		}
	}
	/* The folders that we made, from the inside out; one that others use by now stays. */
	for (size_t end = output->folder ? strlen(output->folder) : 0; output->made > 0 && end >= output->made; end--) {
		if (output->folder[end] == '/' || output->folder[end] == '\0') {
			output->folder[end] = '\0';
			if (rmdir(output->folder) != 0) {
				break;
			}
		}
	}
	free(output->folder);
	free(output->path);
	free(output->final_path);
	free(output);
}

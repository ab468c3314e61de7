/* Tests the files of an output: temporary files, links, and the causes of errors. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "io/output_fixture.h"
#include "io/run/snapshot_file.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"

/* Another path avoids the first error, but not the others. */
Test(output_target, who_is_to_blame)
{
	static const int of_call[] = {EACCES, EEXIST, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, EROFS};
	static const int of_machine[] = {EDQUOT, EFBIG, EIO, ENOSPC};
	for (size_t i = 0; i < sizeof of_call / sizeof *of_call; i++) {
		cr_expect_eq(abut_path_status(of_call[i]), ABUT_ERROR_ARGUMENT, "%s", strerror(of_call[i]));
	}
	for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++) {
		cr_expect_eq(abut_path_status(of_machine[i]), ABUT_ERROR_IO, "%s", strerror(of_machine[i]));
	}
	cr_expect_eq(abut_path_status(ENOMEM), ABUT_ERROR_MEMORY);
	cr_expect_eq(abut_path_status(EMFILE), ABUT_ERROR_SYSTEM);
	cr_expect_eq(abut_path_status(ENFILE), ABUT_ERROR_SYSTEM);
}

/* Two writers of the same file at the same time, like two threads that keep the same parts. Each writes its own content
 * completely, and the last one to finish gives the file its content. */
Test(output_target, writers_share_no_temporary_file)
{
	Fixture fixture;
	AbutTarget first = {0}, second = {0};
	AbutError error = {0};
	char path[160], text[64] = "";
	set_up(&fixture);
	snprintf(path, sizeof path, "%s/kept.json", fixture.root);
	cr_assert_eq(abut_target_open(&first, NULL, path, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_target_open(&second, NULL, path, &error), ABUT_OK, "%s", error.message);
	cr_expect(abut_target_is_same(&first, &second));
	fputs("a long text of the first", first.file);
	fputs("the second", second.file);
	cr_assert_eq(abut_target_close(&second, &error), ABUT_OK);
	cr_assert_eq(abut_target_commit(&second, &error), ABUT_OK);
	cr_assert_eq(abut_target_close(&first, &error), ABUT_OK);
	cr_assert_eq(abut_target_commit(&first, &error), ABUT_OK);
	abut_target_drop(&first);
	abut_target_drop(&second);
	FILE *file = fopen(path, "r");
	cr_assert_not_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	cr_expect_str_eq(text, "a long text of the first");
	cr_expect_eq(count_entries(fixture.root), 1);
	unlink(path);
	tear_down(&fixture);
}

/* Opens a.csv and b.csv in a process that ends without closing them, as if it was killed. */
static void leave_files(const char *root)
{
	const pid_t child = fork();
	if (child == 0) {
		AbutTarget a = {0}, b = {0};
		const bool opened = abut_target_open(&a, root, "a.csv", NULL) == ABUT_OK &&
		                    abut_target_open(&b, root, "b.csv", NULL) == ABUT_OK;
		_exit(opened ? 0 : 1);
	}
	int status = -1;
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0);
}

/* A killed process leaves its temporary files. The next writer of the file, or a sweep of the folder, removes them, but
 * neither those of a living process (open, or closed and not yet renamed) nor files of other programs. */
Test(output_target, only_temporary_files_of_dead_processes_are_removed)
{
	Fixture fixture;
	AbutTarget open = {0}, closed = {0}, again = {0};
	AbutError error = {0};
	char path[160];
	set_up(&fixture);
	const char *root = fixture.root;
	leave_files(root);
	cr_expect_eq(count_entries(root), 2);
	cr_assert_eq(abut_target_open(&open, root, "a.csv", &error), ABUT_OK, "%s", error.message);
	cr_expect_eq(count_entries(root), 2);
	cr_assert_eq(abut_target_open(&closed, root, "c.csv", &error), ABUT_OK);
	cr_assert_eq(abut_target_close(&closed, &error), ABUT_OK);
	snprintf(path, sizeof path, "%s/.foreign.1.2.tmp", root);
	fclose(fopen(path, "w"));
	cr_expect_eq(count_entries(root), 4);
	abut_target_sweep(root); /* removes that of b.csv */
	cr_expect_eq(count_entries(root), 3);
	cr_assert_eq(abut_target_open(&again, root, "c.csv", &error), ABUT_OK);
	cr_expect_eq(abut_target_commit(&closed, &error), ABUT_OK, "%s", error.message);
	abut_target_drop(&closed);
	cr_expect_eq(abut_target_end(&again, ABUT_OK, &error), ABUT_OK, "%s", error.message);
	cr_expect_eq(abut_target_end(&open, ABUT_OK, &error), ABUT_OK, "%s", error.message);
	cr_expect_eq(count_entries(root), 3); /* a.csv, c.csv and the foreign file */
	tear_down(&fixture);
}

/* A link with the name of a snapshot is replaced; the file it names stays as it is. */
Test(output_target, a_snapshot_of_a_run_replaces_a_link)
{
	Fixture fixture;
	AbutError error = {0};
	struct stat info;
	char precious[160], link[160];
	set_up(&fixture);
	snprintf(precious, sizeof precious, "%s/precious", fixture.root);
	snprintf(link, sizeof link, "%s/step_1.abut", fixture.root);
	fclose(fopen(precious, "w"));
	cr_assert_eq(symlink(precious, link), 0);
	cr_expect_eq(abut_snapshot_write_in(fixture.root, "step_1.abut", fixture.model, fixture.state, &error), ABUT_OK,
	             "%s", error.message);
	cr_assert_eq(stat(precious, &info), 0);
	cr_expect_eq(info.st_size, 0);
	cr_assert_eq(lstat(link, &info), 0);
	cr_expect(S_ISREG(info.st_mode));
	tear_down(&fixture);
}

/* No descriptor is left: neither the scene nor the output is to blame. */
Test(output_target, too_many_open_files_are_a_failure_of_the_system)
{
	const AbutSceneDef empty = abut_scene_def_default();
	AbutScene *scene = NULL;
	AbutError error = {0}, of_output = {0};
	struct rlimit limit;
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	const rlim_t before = limit.rlim_cur;
	limit.rlim_cur = 0;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	const AbutStatus status =
	    abut_scene_load(ABUT_SOURCE_DIR "/experiments/scenes/cube_drop.json", 0, NULL, &scene, &error);
	const AbutStatus writing = abut_scene_save(&empty, "scene.json", &of_output);
	limit.rlim_cur = before;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	cr_expect_eq(status, ABUT_ERROR_SYSTEM, "%s", error.message);
	cr_expect_eq(writing, ABUT_ERROR_SYSTEM, "%s", of_output.message);
	cr_expect_eq(abut_scene_load("/nowhere/scene.json", 0, NULL, &scene, &error), ABUT_ERROR_IO);
	cr_expect_eq(abut_read_status(ENOENT), ABUT_ERROR_IO);
	cr_expect_eq(abut_read_status(EIO), ABUT_ERROR_SYSTEM);
	cr_expect_eq(abut_read_status(ENOMEM), ABUT_ERROR_MEMORY);
}

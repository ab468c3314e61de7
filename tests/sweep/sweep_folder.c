#include "experiments/sweep/load.h"
#include "sweep/sweep_folder.h"

char sweep_folder[64];

void sweep_set_up(void)
{
	strcpy(sweep_folder, "/tmp/abut-sweep-XXXXXX");
	cr_assert_not_null(mkdtemp(sweep_folder));
}

void sweep_tear_down(void)
{
	char command[96];
	snprintf(command, sizeof command, "rm -r '%s'", sweep_folder);
	cr_expect_eq(system(command), 0);
}

const char *sweep_path(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", sweep_folder, name);
	return path;
}

void sweep_write(const char *name, const char *text)
{
	FILE *file = fopen(sweep_path(name), "wb");
	cr_assert_not_null(file, "%s", name);
	fputs(text, file);
	cr_assert_eq(fclose(file), 0);
}

const char *sweep_read(const char *name, int slot)
{
	static char texts[3][SWEEP_FILE_MAX];
	FILE *file = fopen(sweep_path(name), "rb");
	cr_assert_not_null(file, "%s", name);
	const size_t n = fread(texts[slot], 1, SWEEP_FILE_MAX - 1, file);
	texts[slot][n] = '\0';
	fclose(file);
	return texts[slot];
}

bool sweep_exists(const char *name)
{
	struct stat info;
	return lstat(sweep_path(name), &info) == 0;
}

void sweep_expect_same(const char *a, const char *b)
{
	cr_expect(strcmp(sweep_read(a, 0), sweep_read(b, 1)) == 0, "%s and %s differ", a, b);
}

const char sweep_scene_text[] = "{\"abut\": 1, \"timestep\": 0.02, \"duration\": 0.2, \"bodies\": [\n"
                                " {\"name\": \"floor\", \"static\": true,\n"
                                "  \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"offset\": 0}},\n"
                                " {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0, 0.12],\n"
                                "  \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}]}\n";

void sweep_write_scene(const char *name, const char *from, const char *to)
{
	char text[1024];
	const char *at = strstr(sweep_scene_text, from);
	cr_assert_not_null(at, "%s", from);
	snprintf(text, sizeof text, "%.*s%s%s", (int)(at - sweep_scene_text), sweep_scene_text, to, at + strlen(from));
	sweep_write(name, text);
}

AbutSweep *sweep_load(const char *name)
{
	AbutSweep *sweep = NULL;
	AbutError error = {0};
	cr_assert_eq(abut_sweep_load(sweep_path(name), NULL, &sweep, &error), ABUT_OK, "%s:%d:%d: %s: %s", error.file,
	             error.line, error.column, error.where, error.message);
	return sweep;
}

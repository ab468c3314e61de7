#include "cli/call.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char folder[64];

void set_up(void)
{
	cr_assert_eq(setenv("ABUT_TEST_COMMAND", ABUT_COMMAND, 1), 0);
	cr_assert_eq(setenv("ABUT_TEST_SCENES", ABUT_SOURCE_DIR "/experiments/scenes", 1), 0);
	strcpy(folder, "/tmp/abut-test-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
}

void tear_down(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	cr_expect_eq(system(command), 0);
}

void read_file(const char *path, char *out, size_t size)
{
	FILE *file = fopen(path, "rb");
	cr_assert_not_null(file, "%s", path);
	const size_t n = fread(out, 1, size - 1, file);
	out[n] = '\0';
	fclose(file);
}

void call_after(Call *call, const char *before, const char *arguments)
{
	char command[4096], path[96];
	snprintf(command, sizeof command, "cd '%s' && { %s \"$ABUT_TEST_COMMAND\" %s ; } >stdout 2>stderr </dev/null",
	         folder, before, arguments);
	const int status = system(command);
	call->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	snprintf(path, sizeof path, "%s/stdout", folder);
	read_file(path, call->out, sizeof call->out);
	snprintf(path, sizeof path, "%s/stderr", folder);
	read_file(path, call->err, sizeof call->err);
}

void call(Call *call, const char *arguments)
{
	call_after(call, "", arguments);
}

void write_file(const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

bool exists(const char *name)
{
	char path[128];
	struct stat info;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return lstat(path, &info) == 0;
}

int count_lines(const char *text)
{
	int n = 0;
	for (; *text; text++) {
		n += *text == '\n';
	}
	return n;
}

cJSON *parse_json(const char *text)
{
	cJSON *object = cJSON_ParseWithOpts(text, NULL, 1);
	cr_assert(cJSON_IsObject(object), "not one JSON object: %s", text);
	return object;
}

double number(const cJSON *object, const char *key)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* Tests that abut_struct_size knows every struct defined in the public headers, with its size. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "abut/abut.h"

Test(struct_size, sizes_are_those_of_the_compiler)
{
	cr_expect_eq(abut_struct_size("AbutError"), sizeof(AbutError));
	cr_expect_eq(abut_struct_size("AbutShape"), sizeof(AbutShape));
	cr_expect_eq(abut_struct_size("AbutSmooth"), sizeof(AbutSmooth));
	cr_expect_eq(abut_struct_size("AbutBody"), 0);
	cr_expect_eq(abut_struct_size(""), 0);
	cr_expect_eq(abut_struct_size(NULL), 0);
}

/* Checks the definitions in a header: lines "typedef struct NAME {" and "struct NAME {". */
static int check_header(const char *path)
{
	FILE *file = fopen(path, "r");
	cr_assert_not_null(file, "%s", path);
	char line[512], name[64], brace;
	int structs = 0;
	while (fgets(line, sizeof line, file)) {
		if (sscanf(line, "typedef struct %63[A-Za-z0-9] %c", name, &brace) != 2 &&
		    sscanf(line, "struct %63[A-Za-z0-9] %c", name, &brace) != 2) {
			continue;
		}
		if (brace == '{') {
			structs++;
			cr_expect_gt(abut_struct_size(name), 0, "%s: io/text/struct_size.c does not know %s", path,
			             name);
		}
	}
	fclose(file);
	return structs;
}

Test(struct_size, every_struct_of_the_headers_is_known)
{
	const char *folder = ABUT_SOURCE_DIR "/include/abut";
	DIR *headers = opendir(folder);
	cr_assert_not_null(headers);
	int structs = 0;
	for (const struct dirent *entry = readdir(headers); entry; entry = readdir(headers)) {
		char path[1024];
		if (entry->d_name[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			structs += check_header(path);
		}
	}
	closedir(headers);
	cr_expect_geq(structs, 33, "only %d structs were found", structs);
}

/* Makes a folder for the files of a test, and removes it afterwards. */
#pragma once

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

static void set_up(void)
{
	strcpy(folder, "/tmp/abut-test-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -r '%s'", folder);
	cr_expect_eq(system(command), 0);
}

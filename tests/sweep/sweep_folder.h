/* Makes a folder with files for each test of sweeps, and loads sweeps from there. */
#pragma once

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/sweep/sweep.h"

enum { SWEEP_FILE_MAX = 1 << 20 };

extern char sweep_folder[64]; /* of this test; tests run in processes of their own */

void sweep_set_up(void);
void sweep_tear_down(void);

/* Returns the path of `name` in the folder, valid until four calls later. */
const char *sweep_path(const char *name);
void sweep_write(const char *name, const char *text);
/* Returns the text of a file, valid until the same slot (0 to 2) is read again. */
const char *sweep_read(const char *name, int slot);
bool sweep_exists(const char *name);
void sweep_expect_same(const char *a, const char *b);

/* A ball over a floor, which is quick to simulate. */
extern const char sweep_scene_text[];
/* Writes that scene with the text `from`, which it contains, replaced. */
void sweep_write_scene(const char *name, const char *from, const char *to);

/* Loads a sweep from a file in the folder. The caller destroys it. */
AbutSweep *sweep_load(const char *name);

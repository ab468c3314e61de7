/* Provides a small valid scene as text, whose fragments the tests replace one at a time. */
#pragma once

#include <stdio.h>
#include <string.h>

/* Line 1 is the opening brace; bodies[0] is on line 9, bodies[1] on line 10. */
static const char scene_text[] = "{\n"
                                 "  \"abut\": 1,\n"
                                 "  \"timestep\": 0.01,\n"
                                 "  \"duration\": 0.1,\n"
                                 "  \"friction\": 0.5,\n"
                                 "  \"solver\": {\"kappa\": 1e-6},\n"
                                 "  \"shapes\": {\"brick\": {\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.5]}},\n"
                                 "  \"bodies\": [\n"
                                 "    {\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", "
                                 "\"normal\": [0, 0, 1], \"offset\": 0}},\n"
                                 "    {\"name\": \"cube\", \"mass\": 1, \"shape\": \"brick\", \"position\": [0, 0, 1], "
                                 "\"orientation\": [1, 0, 0, 0]}\n"
                                 "  ],\n"
                                 "  \"contacts\": [{\"pair\": [\"floor\", \"cube\"], \"friction\": 0.3}]\n"
                                 "}\n";

enum { SCENE_TEXT_SIZE = 4096 };

/* Copies the scene with the first `find` replaced. Returns false if it does not occur. */
static inline int scene_replace(const char *find, const char *replacement, char out[SCENE_TEXT_SIZE])
{
	const char *at = strstr(scene_text, find);
	if (!at) {
		return 0;
	}
	snprintf(out, SCENE_TEXT_SIZE, "%.*s%s%s", (int)(at - scene_text), scene_text, replacement, at + strlen(find));
	return 1;
}

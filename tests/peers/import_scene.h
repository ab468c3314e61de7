/* Reads a scene from a robot's file as `abut import` writes it. */
#pragma once

#include "abut/abut.h"

/* The caller destroys the scene. Fails the test if the file cannot be read. */
AbutScene *abut_test_import_scene(const char *path);

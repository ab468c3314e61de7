/* Names the units of length. */
#include <stddef.h>
#include <string.h>

#include "abut/mesh.h"

bool abut_mesh_unit(const char *name, double *metres, const char **known)
{
	static const struct {
		const char *name;
		double metres;
	} units[] = {{"um", 1e-6}, {"mm", 1e-3},   {"cm", 1e-2},   {"dm", 1e-1},   {"m", 1.0},
	             {"km", 1e3},  {"in", 0.0254}, {"ft", 0.3048}, {"yd", 0.9144}, {"mi", 1609.344}};
	if (known) {
		*known = "um, mm, cm, dm, m, km, in, ft, yd, mi";
	}
	for (size_t i = 0; name && i < sizeof units / sizeof *units; i++) {
		if (strcmp(units[i].name, name) == 0) {
			if (metres) {
				*metres = units[i].metres;
			}
			return true;
		}
	}
	return false;
}

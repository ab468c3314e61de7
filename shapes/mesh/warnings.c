/* Writes warnings about a loaded mesh: one sentence for each finding, with a remedy. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "abut/mesh.h"
#include "base/vec3.h"

/* A mesh whose size (m) is outside these lengths gets a warning. */
#define SMALL 2e-4
#define LARGE 200.0
/* The same upper bound if neither the format nor the options give a unit: STL files of parts are usually in
 * millimetres. */
#define LARGE_AS_METRES 20.0

/* Fraction of the volume below which wrong volumes are not reported: lines cannot measure them. */
#define WRONG_VOLUME 1e-5

typedef struct List {
	char (*lines)[ABUT_MESH_WARNING_SIZE];
	int n;
} List;

__attribute__((format(printf, 2, 3))) static void add(List *list, const char *format, ...)
{
	va_list arguments;
	if (list->n == ABUT_MESH_WARNINGS_MAX) {
		return;
	}
	va_start(arguments, format);
	vsnprintf(list->lines[list->n++], ABUT_MESH_WARNING_SIZE, format, arguments);
	va_end(arguments);
}

/* Adds a warning about an implausible size. Suggests the unit that brings the size nearest to 0.1 m. */
static void add_size(List *list, const AbutMeshReport *report)
{
	static const struct {
		const char *option, *unit;
		double factor;
	} cures[] = {{"unit mm", "millimetres", 1e-3},       {"unit cm", "centimetres", 1e-2},
	             {"unit in", "inches", 0.0254},          {"unit um", "micrometres", 1e-6},
	             {"scale 1000", "thousands of it", 1e3}, {"scale 1e6", "millions of it", 1e6}};
	const int n = sizeof cures / sizeof *cures;
	double size = 0.0;
	for (int k = 0; k < 3; k++) {
		size = abut_max(size, report->high[k] - report->low[k]);
	}
	const double large = report->has_unit || report->metres != 1.0 ? LARGE : LARGE_AS_METRES;
	if (size >= SMALL && size <= large) {
		return;
	}
	int best = size > large ? 0 : 4;
	for (int i = 0; i < n; i++) {
		if (fabs(log(size * cures[i].factor / 0.1)) < fabs(log(size * cures[best].factor / 0.1)) - 1.5) {
			best = i;
		}
	}
	if (best < 4 && !report->has_unit) {
		add(list, "the object is %.4g m long; the file is probably in %s: %s makes it %.4g m", size,
		    cures[best].unit, cures[best].option, size * cures[best].factor);
	} else {
		add(list, "the object is %.4g m long; a unit was probably applied %s: scale %g makes it %.4g m", size,
		    size < SMALL ? "twice" : "wrongly", cures[best].factor, size * cures[best].factor);
	}
}

static void add_surface(List *list, const AbutMeshReport *report)
{
	if (report->triangles_in == 0) {
		add(list, "the file has points but no triangles; only their hull can be used");
	} else if (!report->closed) {
		add(list,
		    "the surface is not closed (%d edges have one triangle, %d three or more%s), so that volume and "
		    "inertia are those of the hull; close it in a mesh editor, or give mass and inertia",
		    report->open_edges, report->nonmanifold_edges,
		    report->one_sided_edges > 0 ? ", and it is one-sided" : "");
	} else if (report->nonmanifold_edges > 0) {
		add(list, "edges with four or more triangles, where pieces touch: %d", report->nonmanifold_edges);
	}
	if (report->back_to_back > 0) {
		add(list,
		    "pairs of triangles at the same place that face opposite ways, such as walls without thickness or "
		    "touching pieces: %d",
		    report->back_to_back);
	}
}

/* Adds warnings about volumes that a closed surface counts wrongly. */
static void add_counts(List *list, const AbutMeshReport *report)
{
	const double least = WRONG_VOLUME * report->enclosed;
	if (report->nested > 0 && !(report->several > least)) {
		add(list,
		    "closed pieces inside another piece that face outwards, so that their volume counts twice: %d; "
		    "join the pieces, or turn cavities inside out",
		    report->nested);
	}
	if (report->several > least) {
		add(list,
		    "pieces overlap, or the surface intersects itself: about %.2g m^3 (%.2g %%) count twice in volume "
		    "and inertia; join the pieces in a mesh editor, or give mass and inertia",
		    report->several, 100.0 * report->several / report->enclosed);
	}
	if (report->against > least) {
		add(list,
		    "about %.2g m^3 count negatively in volume and inertia, where the surface faces inwards or "
		    "intersects itself; correct it in a mesh editor, or give mass and inertia",
		    report->against);
	}
}

static void add_repairs(List *list, const AbutMeshReport *report)
{
	if (report->inside_out) {
		add(list, "the surface was inside out; it was turned over");
	} else if (report->turned > 0) {
		add(list, "triangles turned over because they faced inwards or against their neighbours: %d",
		    report->turned);
	}
	if (report->doubled > 0) {
		add(list,
		    "every triangle appeared twice, facing both ways, so that nothing was enclosed; one of each pair "
		    "was removed: %d",
		    report->doubled);
	}
	if (report->degenerate > 0) {
		add(list, "triangles without area, removed: %d", report->degenerate);
	}
	if (report->flat > 0) {
		add(list, "triangles without area that were kept because they close the surface: %d", report->flat);
	}
	if (report->duplicate > 0) {
		add(list, "duplicate triangles, removed: %d", report->duplicate);
	}
	if (report->n_not_triangles > 0) {
		add(list, "points and lines in the file, ignored: %d", report->n_not_triangles);
	}
	if (report->n_parts > 1) {
		add(list, "%d meshes of the file were joined into one", report->n_parts);
	}
}

int abut_mesh_warnings(const AbutMeshReport *report, char (*out)[ABUT_MESH_WARNING_SIZE])
{
	List list = {out, 0};
	if (report->hides_unit) {
		add(&list, "the unit declared by the file could not be read, so metres are assumed; such files are "
		           "usually in millimetres: unit mm");
	}
	add_size(&list, report);
	add_surface(&list, report);
	add_counts(&list, report);
	add_repairs(&list, report);
	return list.n;
}

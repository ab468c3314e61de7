#include "cli/mesh_report.h"

#include <string.h>

#include "cli/json_print.h"
#include "io/scene/write_shapes.h"
#include "io/text/number.h"

static const char *fit_name(const AbutMeshResult *result)
{
	return result->fit == ABUT_MESH_FIT_INNER ? "inner" : "outer";
}

static bool is_reduced(const AbutMeshResult *result)
{
	return result->hull.reduced_faces < result->hull.faces;
}

/* --- for people --- */

static void print_vector(const char *what, const double v[3], const char *unit)
{
	printf("  %-18s %.6g, %.6g, %.6g %s\n", what, v[0], v[1], v[2], unit);
}

static void print_surface(const AbutMeshReport *mesh)
{
	const double size[3] = {mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1],
	                        mesh->high[2] - mesh->low[2]};
	printf("  %-18s %d triangles, %d vertices, %d piece%s%s\n", "surface", mesh->triangles_in, mesh->vertices_in,
	       mesh->components, mesh->components == 1 ? "" : "s", mesh->closed ? ", closed" : ", not closed");
	if (mesh->cavities > 0) {
		printf("  %-18s %d\n", "cavities", mesh->cavities);
	}
	print_vector("size", size, "m");
	if (!mesh->has_unit && !mesh->hides_unit && mesh->metres == 1.0) {
		printf("  %-18s metres, as the file declares none; --unit says otherwise\n", "unit");
	}
	if (mesh->up != 'z') {
		printf("  %-18s %c in the file%s, turned to z\n", "up", mesh->up,
		       mesh->has_up ? " (as it declares)" : "");
	}
}

void abut_mesh_print(const AbutMeshResult *result)
{
	const AbutMassProperties *mass = &result->mass;
	const AbutMeshHullReport *hull = &result->hull;
	printf("%s\n", result->path);
	print_surface(&result->mesh);
	printf("  %-18s %.8g m^3%s\n", "volume", mass->volume, result->has_mass ? "" : " (of the hull)");
	print_vector("centre of mass", mass->centre_of_mass, "m");
	for (int i = 0; i < 3; i++) {
		printf("  %-18s [%13.6g %13.6g %13.6g]%s\n", i == 0 ? "inertia, density 1" : "", mass->inertia[3 * i],
		       mass->inertia[3 * i + 1], mass->inertia[3 * i + 2], i == 0 ? " m^5" : "");
	}
	printf("  %-18s %d faces, %d vertices, %.8g m^3\n", "hull", hull->faces, hull->vertices, hull->hull.volume);
	if (result->has_mass) {
		printf("  %-18s %.1f %%\n", "fills its hull", 100.0 * mass->volume / hull->hull.volume);
	}
	if (result->parts) {
		abut_mesh_print_parts(result);
	} else if (is_reduced(result)) {
		printf("  %-18s %d faces, %d vertices, %.8g m^3 (%s)\n", "polytope", hull->reduced_faces,
		       hull->reduced_vertices, hull->reduced.volume, fit_name(result));
		printf("  %-18s %.4g m\n", "from the hull", hull->hausdorff);
	}
}

/* --- JSON --- */

static void print_mass(const AbutMassProperties *mass)
{
	abut_print_number("volume", mass->volume);
	abut_print_vector("centre_of_mass", mass->centre_of_mass);
	printf(", \"inertia\": [");
	for (int i = 0; i < 3; i++) {
		fputs(i > 0 ? ", " : "", stdout);
		abut_print_entries(&mass->inertia[3 * i]);
	}
	putchar(']');
}

static void print_json_surface(const AbutMeshReport *mesh)
{
	const double size[3] = {mesh->high[0] - mesh->low[0], mesh->high[1] - mesh->low[1],
	                        mesh->high[2] - mesh->low[2]};
	printf(", \"vertices_in\": %d, \"faces_in\": %d, \"meshes_in\": %d, \"closed\": %s, \"components\": %d",
	       mesh->vertices_in, mesh->triangles_in, mesh->n_parts, mesh->closed ? "true" : "false", mesh->components);
	printf(", \"cavities\": %d, \"open_edges\": %d, \"nonmanifold_edges\": %d, \"one_sided_edges\": %d",
	       mesh->cavities, mesh->open_edges, mesh->nonmanifold_edges, mesh->one_sided_edges);
	printf(", \"welded\": %d, \"degenerate\": %d, \"duplicate\": %d, \"flat\": %d, \"turned\": %d",
	       mesh->vertices_welded, mesh->degenerate, mesh->duplicate, mesh->flat, mesh->turned);
	printf(", \"doubled\": %d, \"back_to_back\": %d, \"nested\": %d", mesh->doubled, mesh->back_to_back,
	       mesh->nested);
	abut_print_number("counted_twice", mesh->several);
	abut_print_number("counted_against", mesh->against);
	printf(", \"up\": \"%c\", \"unit_declared\": %s", mesh->up, mesh->has_unit ? "true" : "false");
	abut_print_number("metres_per_unit", mesh->metres);
	abut_print_number("weld_tolerance", mesh->weld_tolerance);
	abut_print_vector("size", size);
}

void abut_mesh_print_json(const AbutMeshResult *result)
{
	const AbutMeshHullReport *hull = &result->hull;
	printf("{\"file\": ");
	abut_json_write_string(stdout, result->path);
	printf(", \"hash\": \"fnv1a64:%016llx\"", result->hash);
	print_json_surface(&result->mesh);
	abut_print_text("mass_of", result->has_mass ? "mesh" : "hull");
	print_mass(&result->mass);
	printf(", \"hull\": {\"faces\": %d, \"vertices\": %d", hull->faces, hull->vertices);
	print_mass(&hull->hull);
	putchar('}');
	if (result->parts) {
		abut_mesh_print_json_parts(result);
	} else {
		printf(", \"parts\": [{\"faces\": %d, \"vertices\": %d", hull->reduced_faces, hull->reduced_vertices);
		abut_print_number("volume", hull->reduced.volume);
		printf("}]");
		abut_print_text("fit", fit_name(result));
		abut_print_number("hausdorff", hull->hausdorff);
	}
	printf(", \"warnings\": [");
	for (int i = 0; i < result->n_warnings; i++) {
		fputs(i > 0 ? ", " : "", stdout);
		abut_json_write_string(stdout, result->warnings[i]);
	}
	printf("], \"seed\": %llu, \"version\": \"%s\"}\n", result->seed, abut_version());
}

/* --- a shape for scenes --- */

void abut_mesh_write(FILE *file, const AbutMeshResult *result)
{
	const char *slash = strrchr(result->path, '/');
	fputc('{', file);
	abut_scene_write_shape_keys(file, result->shape);
	fputs(",\n \"source\": {\"file\": ", file);
	abut_json_write_string(file, slash ? slash + 1 : result->path);
	fprintf(file, ", \"hash\": \"fnv1a64:%016llx\", \"up\": \"%c\"", result->hash, result->mesh.up);
	abut_scene_write_number(file, "metres_per_unit", result->mesh.metres);
	fprintf(file, ", \"faces\": %d, \"fit\": \"%s\"", result->max_faces, fit_name(result));
	abut_scene_write_number(file, "hausdorff", result->hull.hausdorff);
	fprintf(file, ", \"mass_of\": \"%s\", \"version\": \"%s\"}}\n", result->has_mass ? "mesh" : "hull",
	        abut_version());
}

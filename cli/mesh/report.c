/* Prints the output of `abut mesh`: tables, JSON, and shapes for scenes. */
#include "cli/mesh/report.h"

#include <string.h>

#include "cli/common/print.h"
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

/* --- tables --- */

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
		printf("  %-18s m (the file declares none; --unit sets it)\n", "unit");
	}
	if (mesh->up != 'z') {
		printf("  %-18s %c in the file%s, turned to z\n", "up", mesh->up, mesh->has_up ? " (as declared)" : "");
	}
}

static void print_parts(const AbutDecomposition *parts)
{
	printf("  %-18s %d, %s\n", "convex parts", parts->n_parts,
	       parts->within_bound ? "within the bound" : "limited by --max-parts or --faces before the bound");
	for (int i = 0; i < parts->n_parts; i++) {
		const AbutDecomposePart *part = &parts->parts[i];
		printf("  %-18s %d faces, %d vertices, %.6g m^3, %.3g m from the mesh\n", i == 0 ? "hulls" : "",
		       part->shape->n_rows, part->shape->n_vertices, part->shape->mass.volume, part->distance);
	}
	printf("  %-18s %.8g m^3, of which at most %.3g m^3 counted twice\n", "hulls together", parts->hull_volume,
	       parts->overlap_volume);
	printf("  %-18s %.3g to %.3g %%\n", "volume error",
	       100.0 * ((parts->hull_volume - parts->overlap_volume) / parts->volume - 1.0),
	       100.0 * (parts->hull_volume / parts->volume - 1.0));
	printf("  %-18s %.4g m\n", "from the mesh", parts->distance);
	printf("  %-18s %.4g m\n", "depth of surface", parts->depth);
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
		print_parts(result->parts);
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
	printf(", \"inertia\": ");
	abut_print_matrix(mass->inertia);
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

static void print_json_parts(const AbutDecomposition *parts)
{
	printf(", \"parts\": [");
	for (int i = 0; i < parts->n_parts; i++) {
		const AbutDecomposePart *part = &parts->parts[i];
		printf("%s{\"faces\": %d, \"vertices\": %d", i > 0 ? ", " : "", part->shape->n_rows,
		       part->shape->n_vertices);
		abut_print_number("volume", part->shape->mass.volume);
		abut_print_number("piece_volume", part->volume);
		abut_print_number("depth", part->depth);
		abut_print_number("distance", part->distance);
		putchar('}');
	}
	printf("], \"within_bound\": %s", parts->within_bound ? "true" : "false");
	abut_print_number("hull_volume", parts->hull_volume);
	abut_print_number("overlap_volume", parts->overlap_volume);
	abut_print_number("depth", parts->depth);
	abut_print_number("hausdorff", parts->distance);
	printf(", \"flat_solids\": %d", parts->n_flat);
}

void abut_mesh_print_json(const AbutMeshResult *result)
{
	const AbutMeshHullReport *hull = &result->hull;
	abut_print_first("file", result->path);
	printf(", \"hash\": \"fnv1a64:%016llx\"", result->hash);
	print_json_surface(&result->mesh);
	abut_print_text("mass_of", result->has_mass ? "mesh" : "hull");
	print_mass(&result->mass);
	printf(", \"hull\": {\"faces\": %d, \"vertices\": %d", hull->faces, hull->vertices);
	print_mass(&hull->hull);
	putchar('}');
	if (result->parts) {
		print_json_parts(result->parts);
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
	putchar(']');
	abut_print_end(result->seed);
}

/* --- shapes for scenes --- */

/* Begins the member "source", which says where the shape comes from. */
static void begin_source(FILE *file, const AbutMeshResult *result)
{
	const char *slash = strrchr(result->path, '/');
	fputs(",\n \"source\": {\"file\": ", file);
	abut_json_write_string(file, slash ? slash + 1 : result->path);
	fprintf(file, ", \"hash\": \"fnv1a64:%016llx\", \"up\": \"%c\"", result->hash, result->mesh.up);
	abut_scene_write_number(file, "metres_per_unit", result->mesh.metres);
}

void abut_mesh_write(FILE *file, const AbutMeshResult *result)
{
	fputc('{', file);
	abut_scene_write_shape_keys(file, result->shape);
	begin_source(file, result);
	fprintf(file, ", \"faces\": %d, \"fit\": \"%s\"", result->max_faces, fit_name(result));
	abut_scene_write_number(file, "hausdorff", result->hull.hausdorff);
	fprintf(file, ", \"mass_of\": \"%s\", \"version\": \"%s\"}}\n", result->has_mass ? "mesh" : "hull",
	        abut_version());
}

void abut_mesh_write_union(FILE *file, const AbutMeshResult *result)
{
	fputc('{', file);
	abut_scene_write_union_keys(file, result->bundle->n_parts, result->bundle->parts, &result->mass);
	begin_source(file, result);
	abut_scene_write_number(file, "concavity",
	                        result->concavity > 0.0 ? result->concavity : ABUT_DECOMPOSE_CONCAVITY);
	fprintf(file, ", \"max_parts\": %d", result->max_parts > 0 ? result->max_parts : ABUT_DECOMPOSE_PARTS);
	if (result->max_faces > 0) {
		fprintf(file, ", \"faces\": %d", result->max_faces);
	}
	abut_scene_write_number(file, "hausdorff", result->parts->distance);
	fprintf(file, ", \"algorithm\": %d, \"version\": \"%s\"}}\n", ABUT_DECOMPOSE_VERSION, abut_version());
}

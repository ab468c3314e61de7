/* What `abut mesh --decompose` prints and writes of the parts. */
#include <string.h>

#include "cli/json_print.h"
#include "cli/mesh_report.h"
#include "io/scene/write_shapes.h"
#include "io/text/number.h"

void abut_mesh_print_parts(const AbutMeshResult *result)
{
	const AbutDecomposition *parts = result->parts;
	printf("  %-18s %d, %s\n", "convex parts", parts->n_parts,
	       parts->within_bound ? "within the bound" : "the limit of parts or faces came before the bound");
	for (int i = 0; i < parts->n_parts; i++) {
		const AbutDecomposePart *part = &parts->parts[i];
		printf("  %-18s %d faces, %d vertices, %.6g m^3, %.3g m from the mesh\n", i == 0 ? "hulls" : "",
		       part->shape->n_rows, part->shape->n_vertices, part->shape->mass.volume, part->distance);
	}
	printf("  %-18s %.8g m^3, of which at most %.3g m^3 in several\n", "hulls together", parts->hull_volume,
	       parts->overlap_volume);
	printf("  %-18s %.3g to %.3g %%\n", "error of volume",
	       100.0 * ((parts->hull_volume - parts->overlap_volume) / parts->volume - 1.0),
	       100.0 * (parts->hull_volume / parts->volume - 1.0));
	printf("  %-18s %.4g m\n", "from the mesh", parts->distance);
	printf("  %-18s %.4g m\n", "depth of surface", parts->depth);
}

void abut_mesh_print_json_parts(const AbutMeshResult *result)
{
	const AbutDecomposition *parts = result->parts;
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

void abut_mesh_write_union(FILE *file, const AbutMeshResult *result)
{
	const char *slash = strrchr(result->path, '/');
	fputc('{', file);
	abut_scene_write_union_keys(file, result->bundle->n_parts, result->bundle->parts, &result->mass);
	fputs(",\n \"source\": {\"file\": ", file);
	abut_json_write_string(file, slash ? slash + 1 : result->path);
	fprintf(file, ", \"hash\": \"fnv1a64:%016llx\", \"up\": \"%c\"", result->hash, result->mesh.up);
	abut_scene_write_number(file, "metres_per_unit", result->mesh.metres);
	abut_scene_write_number(file, "concavity",
	                        result->concavity > 0.0 ? result->concavity : ABUT_DECOMPOSE_CONCAVITY);
	fprintf(file, ", \"max_parts\": %d", result->max_parts > 0 ? result->max_parts : ABUT_DECOMPOSE_PARTS);
	if (result->max_faces > 0) {
		fprintf(file, ", \"faces\": %d", result->max_faces);
	}
	abut_scene_write_number(file, "hausdorff", result->parts->distance);
	fprintf(file, ", \"algorithm\": %d, \"version\": \"%s\"}}\n", ABUT_DECOMPOSE_VERSION, abut_version());
}

/* Finds the mesh files of URDF. */
#include "io/urdf/urdf_mesh.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/robot/importer.h"
#include "io/robot/values.h"
#include "io/text/words.h"

/* Resolves package://NAME/REST to an existing file: in the nearest folder above the model that is called NAME or
 * contains NAME. The caller frees the path. NULL: not found, or an error of the importer. */
static char *find_in_package(AbutImporter *importer, const char *name)
{
	const char *const rest = strchr(name, '/');
	char *const folder = realpath(importer->path, NULL);
	char *found = NULL;
	char *slash = folder ? strrchr(folder, '/') : NULL;
	while (rest && slash && !found) {
		*slash = '\0';
		const char *const last = strrchr(folder, '/');
		const size_t size = strlen(folder) + strlen(name) + 2, length = (size_t)(rest - name);
		const bool is_it = last && strlen(last + 1) == length && strncmp(last + 1, name, length) == 0;
		found = malloc(size);
		if (found) {
			snprintf(found, size, "%s%s%s", folder, is_it ? "" : "/", is_it ? rest : name);
		}
		if (!found) {
			abut_importer_no_memory(importer);
			break;
		}
		if (access(found, R_OK) != 0) {
			free(found);
			found = NULL;
		}
		slash = strrchr(folder, '/');
	}
	if (!folder && errno == ENOMEM) {
		abut_importer_no_memory(importer);
	}
	free(folder);
	return found;
}

/* Returns the file of this name in the model's folder, or in a folder mesh or meshes of it, where models lie whose
 * packages were taken apart. The caller frees the path. NULL: not found, or an error of the importer. */
static char *find_beside(AbutImporter *importer, const AbutXml *mesh, const char *name)
{
	static const char *const folders[] = {"", "mesh", "meshes"};
	const char *const slash = strrchr(name, '/');
	for (size_t i = 0; slash && i < sizeof folders / sizeof *folders; i++) {
		char *const path = abut_importer_path(importer, importer->path, folders[i], slash + 1);
		if (path && access(path, R_OK) == 0) {
			abut_importer_note(importer, mesh, "approximated: %.200s is not there; %.200s is taken instead",
			                   name, path);
			return path;
		}
		free(path);
	}
	return NULL;
}

void abut_urdf_mesh(AbutImporter *importer, const AbutXml *mesh, AbutGeom *geom)
{
	static const char package[] = "package://", model[] = "model://", file[] = "file://";
	const char *name = abut_xml_get(mesh, "filename");
	char quoted[ABUT_QUOTE_SIZE];
	if (!name || !name[0]) {
		abut_importer_fail(importer, mesh, "attribute filename is missing");
		return;
	}
	abut_importer_scale(importer, mesh, abut_xml_get(mesh, "scale"), geom->mesh.scale);
	geom->kind = ABUT_GEOM_MESH;
	if (strncmp(name, package, sizeof package - 1) == 0 || strncmp(name, model, sizeof model - 1) == 0) {
		geom->mesh.file = find_in_package(importer, strstr(name, "://") + 3);
		if (!geom->mesh.file) {
			geom->mesh.file = find_beside(importer, mesh, name);
		}
		if (!geom->mesh.file) {
			abut_importer_fail(importer, mesh,
			                   "filename: %s: no folder above the model is or contains this package with "
			                   "this file, and neither the model's folder nor its folders mesh and meshes "
			                   "contain it",
			                   abut_text_quote(name, quoted));
		}
	} else {
		const size_t skip = strncmp(name, file, sizeof file - 1) == 0 ? sizeof file - 1 : 0;
		geom->mesh.file = abut_importer_path(importer, importer->path, "", name + skip);
	}
}

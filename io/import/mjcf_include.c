/* <include file="..."/>: the children of another file's root take its place. Files are named from the model's folder,
 * and each is included once, as MuJoCo has it. */
#include <stdlib.h>
#include <string.h>

#include "io/import/mjcf.h"

/* Whether a file of that path is among the trees. */
static bool is_read(const AbutImport *import, const char *path)
{
	for (int i = 0; i < import->n_trees; i++) {
		if (strcmp(import->trees[i]->file, path) == 0) {
			return true;
		}
	}
	return false;
}

/* The children of `from` behind `include`, which becomes one without a meaning; `from` keeps what owns it all. */
static void splice(AbutXml *include, AbutXml *from)
{
	if (!from->child) {
		return;
	}
	for (AbutXml *child = from->child; child; child = child->next) {
		child->parent = include->parent;
	}
	from->last_child->next = include->next;
	include->next = from->child;
	if (include->parent->last_child == include) {
		include->parent->last_child = from->last_child;
	}
	from->child = from->last_child = NULL;
}

static void include_file(AbutImporter *importer, AbutXml *include)
{
	const char *name = abut_xml_get(include, "file");
	AbutXml *root = NULL;
	if (!name || !name[0]) {
		abut_importer_fail(importer, include, "file: is missing");
		return;
	}
	if (!include->parent) {
		abut_importer_fail(importer, include, "may not be the root");
		return;
	}
	char *const path = abut_importer_path(importer, importer->path, "", name);
	if (path && is_read(importer->import, path)) {
		abut_importer_fail(importer, include, "file: \"%.200s\" is included already, and may be once", name);
	} else if (path) {
		importer->status = abut_xml_read(path, "included file", &root, importer->error);
	}
	if (root) {
		abut_importer_keep(importer, root);
	}
	if (root && importer->status == ABUT_OK) {
		splice(include, root);
	}
	free(path);
}

/* What an include brings stands behind it, and is walked next. */
void abut_mjcf_include(AbutImporter *importer, AbutXml *root)
{
	for (AbutXml *at = root->child; at && importer->status == ABUT_OK; at = at->next) {
		if (strcmp(at->name, "include") == 0) {
			include_file(importer, at);
		} else {
			abut_mjcf_include(importer, at);
		}
	}
}

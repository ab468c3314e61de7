/* Reads the other files of an MJCF model: included ones, and models of which a body is attached. */
#include "io/mjcf/mjcf_files.h"

#include <stdlib.h>
#include <string.h>

#include "io/robot/importer.h"
#include "io/robot/values.h"
#include "io/text/words.h"

/* --- <include file="..."/> ---
 *
 * The children of the included file's root replace the element. Paths are relative to the model's folder. Each file may
 * be included only once, as in MuJoCo. */

/* Returns whether the file `path` has already been read. */
static bool is_read(const AbutImport *import, const char *path)
{
	for (int i = 0; i < import->n_trees; i++) {
		if (strcmp(import->trees[i]->file, path) == 0) {
			return true;
		}
	}
	return false;
}

/* Moves the children of `from` behind `include`. The <include> element itself remains but has no effect; `from` still
 * owns the memory of the children. */
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
		abut_importer_fail(importer, include, "attribute file is missing");
		return;
	}
	if (!include->parent) {
		abut_importer_fail(importer, include, "may not be the root");
		return;
	}
	char *const path = abut_importer_path(importer, importer->path, "", name);
	if (path && is_read(importer->import, path)) {
		abut_importer_fail(importer, include,
		                   "file: \"%.200s\" is already included; a file may be included only once", name);
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

/* Included elements follow their <include>, so the loop visits them next. */
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

/* --- <attach model="..." body="..."/> --- */

/* Returns whether an asset is the model `name`, which an asset without a name takes from its file. */
static bool is_model(const AbutXml *asset, const AbutXml *root, const char *name)
{
	const char *own = abut_xml_get(asset, "name");
	own = own ? own : abut_xml_get(root, "model");
	return own && strcmp(own, name) == 0;
}

/* Reads the file of a <model>. NULL: an error. */
static AbutXml *read_model(AbutImporter *importer, const AbutXml *asset)
{
	const char *file = abut_xml_get(asset, "file");
	AbutXml *root = NULL;
	char *const path = file ? abut_importer_path(importer, importer->path, "", file) : NULL;
	if (!file) {
		abut_importer_fail(importer, asset, "attribute file is missing");
	}
	if (path) {
		importer->status = abut_xml_read(path, "attached model", &root, importer->error);
	}
	if (root) {
		abut_importer_keep(importer, root);
	}
	free(path);
	return importer->status == ABUT_OK ? root : NULL;
}

/* Returns the body `name` of a model, or NULL. */
static const AbutXml *find_body(const AbutXml *within, const char *name)
{
	const AbutXml *found = NULL;
	for (const AbutXml *at = within->child; at && !found; at = at->next) {
		const bool is_body = strcmp(at->name, "body") == 0;
		found = is_body && strcmp(abut_importer_name(at), name) == 0 ? at : find_body(at, name);
	}
	return found;
}

const AbutXml *abut_mjcf_attached(const AbutMjcf *mjcf, const AbutXml *element, AbutMjcf *other)
{
	enum { DEPTH_MAX = 8 };
	AbutImporter *importer = mjcf->importer;
	const char *model = abut_xml_get(element, "model"), *body = abut_xml_get(element, "body");
	char quoted[ABUT_QUOTE_SIZE];
	if (!model || !body) {
		abut_importer_fail(importer, element, "attribute %s is missing", model ? "body" : "model");
		return NULL;
	}
	if (other->depth > DEPTH_MAX) {
		abut_importer_fail(importer, element, "is nested more than %d deep", (int)DEPTH_MAX);
	}
	for (const AbutXml *all = abut_xml_child(mjcf->root, "asset"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = abut_xml_child(all, "model"); at && importer->status == ABUT_OK;
		     at = abut_xml_next(at)) {
			other->root = read_model(importer, at);
			if (other->root && is_model(at, other->root, model)) {
				abut_mjcf_include(importer, other->root);
				abut_mjcf_read_compiler(other);
				const AbutXml *found = find_body(other->root, body);
				if (!found) {
					abut_importer_fail(importer, element, "body: the model has no body %s",
					                   abut_text_quote(body, quoted));
				}
				return importer->status == ABUT_OK ? found : NULL;
			}
		}
	}
	abut_importer_fail(importer, element, "model: must name a <model> of <asset>, is %s",
	                   abut_text_quote(model, quoted));
	return NULL;
}

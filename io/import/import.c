/* Reads a model of either format. */
#include "io/import/import.h"

#include <stdlib.h>
#include <string.h>

#include "io/import/shape.h"
#include "io/mjcf/mjcf.h"
#include "io/robot/importer.h"
#include "io/text/file_text.h"
#include "io/urdf/urdf.h"

void abut_import_free(AbutImport *import)
{
	if (!import) {
		return;
	}
	while (import->n_bodies > 0) {
		abut_importer_drop_body(import);
	}
	for (int i = 0; i < import->n_notes; i++) {
		free(import->notes[i].text);
	}
	for (int i = 0; i < import->n_trees; i++) {
		abut_xml_free(import->trees[i]);
	}
	for (int i = 0; i < import->n_joints; i++) {
		free(import->joints[i].name);
	}
	for (int i = 0; i < import->sensing.n_sites; i++) {
		free(import->sensing.sites[i].name);
	}
	for (int i = 0; i < import->sensing.n_sensors; i++) {
		free(import->sensing.sensors[i].name);
	}
	free(import->sensing.sites);
	free(import->sensing.sensors);
	free(import->joints);
	free(import->couplings);
	free(import->bodies);
	free(import->notes);
	free(import->trees);
	free(import->places);
	free(import->contacts.excluded);
	free(import->contacts.pairs);
	free(import->contacts.apart);
	free(import->name);
	free(import);
}

const AbutImportNote *abut_import_note(const AbutImport *import, int i)
{
	return i < import->n_notes ? &import->notes[i] : NULL;
}

AbutStatus abut_import_read(const char *path, const AbutImportOptions *options, AbutImport **out, AbutError *error)
{
	static const AbutImportOptions defaults = {.keyframe = NULL};
	AbutXml *root = NULL;
	AbutImporter importer = {.import = calloc(1, sizeof *importer.import),
	                         .options = options ? options : &defaults,
	                         .path = path,
	                         .error = error};
	*out = NULL;
	if (!importer.import) {
		return abut_file_fail(error, path, ABUT_ERROR_MEMORY, "out of memory");
	}
	importer.import->gravity[2] = -9.81;
	importer.import->timestep = 0.01;
	importer.status = abut_xml_read(path, "model", &root, error);
	if (importer.status == ABUT_OK) {
		abut_importer_keep(&importer, root);
	}
	if (importer.status == ABUT_OK && strcmp(root->name, "robot") == 0) {
		abut_import_urdf(&importer, root);
	} else if (importer.status == ABUT_OK && strcmp(root->name, "mujoco") == 0) {
		abut_import_mjcf(&importer, root);
	} else {
		abut_importer_fail(&importer, root, "must be <robot> (URDF) or <mujoco> (MJCF)");
	}
	abut_importer_finish(&importer);
	if (importer.status != ABUT_OK) {
		abut_import_free(importer.import);
	} else {
		*out = importer.import;
	}
	return importer.status;
}

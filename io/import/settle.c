/* Mends the start of an import whose bodies overlap: pairs of a URDF are taken apart, and robots can be raised. Tested
 * in tests/io/import_settle.c. */
#include "io/import/settle.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/vec3.h"
#include "dynamics/model/pair_query.h"
#include "io/robot/importer.h"

/* Depths (m) below this are left as they are. */
static const double least = 1e-9;

typedef struct Settling {
	AbutImporter importer;
	bool lifts, changed;
	double up[3]; /* unit vector against gravity; 0 without gravity */
	int *root;    /* of each body: least index of the bodies that joints connect to it; -1: one of them is static */
	double *rise; /* m, of each root */
} Settling;

/* Finds the bodies that joints connect. */
static void connect(Settling *settling)
{
	const AbutImport *import = settling->importer.import;
	bool changed = true;
	for (int i = 0; i < import->n_bodies; i++) {
		settling->root[i] = import->bodies[i].is_static ? -1 : i;
	}
	while (changed) {
		changed = false;
		for (int i = 0; i < import->n_joints; i++) {
			const int *body = import->joints[i].body;
			int *const child = &settling->root[body[1]];
			const int parent = body[0] >= 0 ? settling->root[body[0]] : -1,
			          first = *child < parent ? *child : parent;
			changed = changed || *child != first || (body[0] >= 0 && settling->root[body[0]] != first);
			*child = first;
			if (body[0] >= 0) {
				settling->root[body[0]] = first;
			}
		}
	}
}

/* Adds the pair to those that never touch, with a note. */
static void take_apart(Settling *settling, const AbutPairQuery *query)
{
	AbutImport *import = settling->importer.import;
	AbutImportContacts *contacts = &import->contacts;
	for (int i = 0; i < contacts->n_apart; i++) {
		if (contacts->apart[i][0] == query->body[0] && contacts->apart[i][1] == query->body[1]) {
			return;
		}
	}
	if (!abut_grow(&contacts->apart, &contacts->apart_capacity, contacts->n_apart + 1, sizeof *contacts->apart)) {
		abut_importer_no_memory(&settling->importer);
		return;
	}
	contacts->apart[contacts->n_apart][0] = query->body[0];
	contacts->apart[contacts->n_apart++][1] = query->body[1];
	settling->changed = true;
	abut_importer_note(&settling->importer, import->bodies[query->body[1]].element,
	                   "approximated: \"%.60s\" and \"%.60s\" overlap by %.3g m in the model; they never touch",
	                   import->bodies[query->body[0]].name, import->bodies[query->body[1]].name,
	                   -query->result.gap);
}

/* Raises the moving one of two bodies until they are apart along the normal, which points from the first to the
 * second. */
static void raise(Settling *settling, const AbutPairQuery *query)
{
	const AbutImportBody *bodies = settling->importer.import->bodies;
	const int moving = bodies[query->body[0]].is_static ? 1 : 0, root = settling->root[query->body[moving]];
	const double along = (moving == 1 ? 1.0 : -1.0) * abut_dot3(query->result.normal, settling->up);
	if (root >= 0 && along > 0.1) {
		settling->rise[root] = fmax(settling->rise[root], -query->result.gap / along);
		settling->changed = true;
	}
}

static bool visit(void *context, const AbutPairQuery *query)
{
	Settling *settling = context;
	const AbutImport *import = settling->importer.import;
	const bool fixed[2] = {import->bodies[query->body[0]].is_static, import->bodies[query->body[1]].is_static};
	if (query->result.outcome == ABUT_OUTCOME_FAILED || !(query->result.gap < -least)) {
		return true;
	}
	if (!fixed[0] && !fixed[1] && (settling->lifts || !import->contacts.takes_larger) &&
	    settling->root[query->body[0]] == settling->root[query->body[1]]) {
		take_apart(settling, query);
	} else if (fixed[0] != fixed[1] && settling->lifts) {
		raise(settling, query);
	}
	return settling->importer.status == ABUT_OK;
}

static void move(Settling *settling)
{
	AbutImport *import = settling->importer.import;
	for (int i = 0; i < import->n_bodies; i++) {
		const int root = settling->root[i];
		if (root >= 0 && settling->rise[root] > 0.0) {
			double *position = import->bodies[i].pose.position;
			abut_add_scaled3(position, settling->rise[root], settling->up, position);
		}
	}
	for (int i = 0; i < import->n_bodies; i++) {
		import->bodies[i].raised += settling->rise[i];
	}
}

AbutStatus abut_import_note_raised(AbutImport *import, AbutError *error)
{
	AbutImporter importer = {.import = import, .error = error};
	for (int i = 0; i < import->n_bodies; i++) {
		if (import->bodies[i].raised > 0.0) {
			abut_importer_note(&importer, import->bodies[i].element,
			                   "approximated: \"%.60s\" is raised by %.6g m, out of static bodies",
			                   import->bodies[i].name, import->bodies[i].raised);
		}
	}
	return importer.status;
}

AbutStatus abut_import_settle(AbutImport *import, const AbutModel *model, bool lifts, bool *changed, AbutError *error)
{
	Settling settling = {.importer = {.import = import, .error = error}, .lifts = lifts};
	const double weight = abut_norm3(import->gravity);
	const AbutPairCall call = {.kappa = 1e-8, .passes_over = true, .visit = visit, .context = &settling};
	settling.root = calloc((size_t)import->n_bodies + 1, sizeof *settling.root);
	settling.rise = calloc((size_t)import->n_bodies + 1, sizeof *settling.rise);
	AbutStatus status =
	    settling.root && settling.rise ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	if (status == ABUT_OK) {
		if (weight > 0.0) {
			abut_scale3(-1.0 / weight, import->gravity, settling.up);
		}
		connect(&settling);
		status = abut_pair_queries(model, &call, error);
	}
	if (status == ABUT_OK) {
		move(&settling);
		status = settling.importer.status;
	}
	*changed = settling.changed;
	free(settling.root);
	free(settling.rise);
	return status;
}

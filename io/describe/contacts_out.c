/* Writes contacts of a scene as elements of MJCF. There, the friction of two geometries is the larger of theirs, they
 * have no torsional friction, and bodies that a joint connects never touch. What differs is a <pair>, of every pair
 * that the scene lists; of others it is noted. Tested in tests/io/describe.c. */
#include "io/describe/contacts_out.h"

#include <math.h>
#include <stdio.h>

#include "base/differ.h"
#include "dynamics/model/pair.h"
#include "io/describe/freedoms.h"
#include "io/describe/solids.h"

/* Pairs of bodies that the scene does not list, and whose contacts differ. */
typedef struct Unlisted {
	int larger, untwisted; /* with the larger friction instead of the mean; without their torsional friction */
} Unlisted;

void abut_describe_spring(FILE *file, const char *solref, const char *solimp, const AbutSoftness *spring)
{
	const AbutSolverOptions usual = abut_solver_options_default();
	if (abut_differ(2, spring->solref, usual.solref)) {
		abut_describe_numbers(file, solref, spring->solref, 2);
	}
	if (abut_differ(5, spring->solimp, usual.solimp)) {
		abut_describe_numbers(file, solimp, spring->solimp, 5);
	}
	if (spring->margin > 0.0) {
		abut_describe_numbers(file, "margin", &spring->margin, 1);
	}
}

static void write_exclude(const AbutDescribing *d, int a, int b)
{
	fputs("<exclude", d->file);
	abut_describe_text(d->file, "body1", abut_naming_body(d->names, a));
	abut_describe_text(d->file, "body2", abut_naming_body(d->names, b));
	fputs("/>\n", d->file);
}

static double torsion_of(const AbutDescribing *d, int part_a, int part_b)
{
	const double radius = abut_pair_torsional_radius(d->model, part_a, part_b) * d->model->units.length;
	return radius * abut_part_friction(d->model, part_a, part_b);
}

/* Writes <pair> for each geometry of one body with each of the other. */
static void write_pairs(const AbutDescribing *d, int a, int b)
{
	const AbutBody *first = &d->model->bodies[a], *second = &d->model->bodies[b];
	for (int i = 0; i < first->n_parts; i++) {
		for (int k = 0; k < second->n_parts; k++) {
			const int parts[2] = {first->first_part + i, second->first_part + k};
			const double mu = abut_part_friction(d->model, parts[0], parts[1]);
			const double torsion = torsion_of(d, parts[0], parts[1]), friction[3] = {mu, mu, torsion};
			if (!abut_describe_has_geom(d->model->parts[parts[0]].shape) ||
			    !abut_describe_has_geom(d->model->parts[parts[1]].shape)) {
				continue;
			}
			fputs("<pair", d->file);
			abut_describe_text(d->file, "geom1", abut_describe_geom(d, a, i));
			abut_describe_text(d->file, "geom2", abut_describe_geom(d, b, k));
			fprintf(d->file, " condim=\"%d\"", mu > 0.0 ? torsion > 0.0 ? 4 : 3 : 1);
			abut_describe_numbers(d->file, "friction", friction, 3);
			abut_describe_spring(d->file, "solref", "solimp",
			                     abut_part_softness(d->model, parts[0], parts[1]));
			fputs("/>\n", d->file);
		}
	}
}

static bool twists(const AbutDescribing *d, int a, int b)
{
	const AbutBody *first = &d->model->bodies[a], *second = &d->model->bodies[b];
	bool is = false;
	for (int i = 0; i < first->n_parts && !is; i++) {
		for (int k = 0; k < second->n_parts && !is; k++) {
			is = torsion_of(d, first->first_part + i, second->first_part + k) > 0.0;
		}
	}
	return is;
}

static void write_touching(const AbutDescribing *d, int a, int b, Unlisted *unlisted)
{
	const AbutPairDef *pair = abut_describe_pair(d->def, a, b, false);
	const AbutPairDef *of_parts = abut_describe_pair(d->def, a, b, true);
	const double most = fmax(abut_describe_friction(d, a), abut_describe_friction(d, b));
	const double mu = abut_pair_friction(d->model, a, b);
	const bool larger = abut_differ(1, &mu, &most), twisted = twists(d, a, b);
	const bool soft = pair && (pair->has_solref || pair->has_solimp || pair->has_margin);
	if (abut_describe_adjoin(d->def, a, b) || of_parts || (pair && (larger || twisted || soft))) {
		write_pairs(d, a, b);
	} else {
		unlisted->larger += larger;
		unlisted->untwisted += twisted;
	}
	if (pair && pair->restitution >= 0.0) {
		abut_describe_note(d, ABUT_LEFT_OUT, "contacts", "", "the restitution of \"%.60s\" and \"%.60s\"",
		                   d->def->bodies[a].name, d->def->bodies[b].name);
	}
}

void abut_describe_contacts(const AbutDescribing *d)
{
	const AbutSceneDef *def = d->def;
	Unlisted unlisted = {0, 0};
	fputs("<contact>\n", d->file);
	for (int a = 0; a < def->n_bodies; a++) {
		for (int b = a + 1; b < def->n_bodies; b++) {
			if (def->bodies[a].is_static && def->bodies[b].is_static) {
				continue;
			}
			if (abut_describe_may_touch(def, a, b)) {
				write_touching(d, a, b, &unlisted);
			} else {
				write_exclude(d, a, b);
			}
		}
	}
	fputs("</contact>\n", d->file);
	if (unlisted.larger > 0) {
		abut_describe_note(d, ABUT_APPROXIMATED, "contacts", "",
		                   "friction of %d pair%s of bodies, not listed in \"contacts\", is the larger "
		                   "coefficient instead of the mean",
		                   unlisted.larger, unlisted.larger == 1 ? "" : "s");
	}
	if (unlisted.untwisted > 0) {
		abut_describe_note(d, ABUT_LEFT_OUT, "contacts", "",
		                   "torsional friction of %d pair%s of bodies, not listed in \"contacts\"",
		                   unlisted.untwisted, unlisted.untwisted == 1 ? "" : "s");
	}
}

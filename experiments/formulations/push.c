/* A box at rest is pushed at an angle to its sides: its speed after a step, by the force, against Coulomb's law. */
#include "experiments/formulations/push.h"

#include <math.h>

#include "experiments/formulations/studies.h"

static const double along[2] = {0.8, 0.6}; /* between the axes of pyramids */

/* From the same rest, a step with the force. */
static double push(AbutWorld *world, const AbutState *rest, double force)
{
	const double f[3] = {force * along[0], force * along[1], 0.0}, torque[3] = {0.0};
	AbutBodyState after;
	abut_state_copy(world->model, rest, world->state);
	abut_state_set_input(world->model, world->state, ABUT_LONE_BODY, f, torque);
	if (!abut_lone_body_run(world, 1)) {
		return NAN;
	}
	abut_state_get_body(world->model, world->state, ABUT_LONE_BODY, &after);
	return after.linear_velocity[0] * along[0] + after.linear_velocity[1] * along[1];
}

static AbutStatus push_all(const AbutFormulationSettings *settings, const AbutVariant *variant, AbutTable *table,
                           double *worst, AbutError *error)
{
	const AbutLoneBody *box = &settings->box;
	AbutWorld world;
	AbutState *rest = NULL;
	AbutStatus status = abut_lone_body_open(box, variant, &world, error);
	if (status == ABUT_OK) {
		status = abut_state_create(world.model, &rest, error);
	}
	/* Soft contacts sink in first. */
	if (status == ABUT_OK && abut_lone_body_run(&world, 100)) {
		abut_state_copy(world.model, world.state, rest);
		*worst = 0.0;
		for (int i = 0; i < settings->forces; i++) {
			const double force = settings->largest_force * i / (settings->forces - 1);
			const double expected = abut_coulomb_push(force, box->mass, box->friction, box->timestep);
			const double speed = push(&world, rest, force), off = fabs(speed - expected);
			abut_table_text(table, variant->name);
			abut_table_numbers(table, 3, (const double[]){force, speed, expected});
			*worst = abut_study_worst(*worst, off);
		}
	}
	abut_state_destroy(rest);
	abut_world_close(&world);
	return status;
}

AbutStatus abut_study_push(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                           AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"force_N", "force, N", 4},
	    {"speed_m_s", "speed after a step, m/s", 4},
	    {"coulomb_m_s", "by Coulomb's law, m/s", 4},
	};
	AbutTable *table = abut_report_data(report, "push", "A push through stick and slip");
	AbutStatus status = ABUT_OK;
	abut_table_columns(table, sizeof columns / sizeof *columns, columns);
	for (int v = 0; v < ABUT_VARIANTS && status == ABUT_OK; v++) {
		status = push_all(settings, abut_variant(v), table, &rows[v].push, error);
	}
	return status;
}

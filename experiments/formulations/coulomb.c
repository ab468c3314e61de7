/* Compares each method with Coulomb's law in two studies. In the first, a box slides over the floor at several angles
 * until it rests (Howell et al., Dojo, figure 5); isotropic friction keeps it on its line. In the second, a box at rest
 * is pushed at an angle to its sides; its speed after one step is compared for each force. */
#include "experiments/formulations/coulomb.h"

#include <math.h>

#include "base/error.h"

static const double pi = 3.14159265358979323846;

/* Computes the distance the box slides along its line and sideways, m; NaN if a step fails. */
static AbutStatus slide(const AbutFormulationSettings *settings, const AbutVariant *variant, double angle,
                        double way[2], AbutError *error)
{
	AbutLoneBody box = settings->box;
	const double along[2] = {cos(angle * pi / 180.0), sin(angle * pi / 180.0)};
	AbutBodyState end;
	AbutWorld world;
	long steps = 0;
	box.velocity[0] = settings->speed * along[0];
	box.velocity[1] = settings->speed * along[1];
	abut_coulomb_way(settings->speed, box.friction, box.timestep, &steps);
	const AbutStatus status = abut_lone_body_open(&box, variant, &world, error);
	way[0] = way[1] = NAN;
	/* runs half as long again, so that creep becomes visible */
	if (status == ABUT_OK && abut_lone_body_run(&world, steps + steps / 2)) {
		abut_state_get_body(world.model, world.state, ABUT_LONE_BODY, &end);
		way[0] = end.position[0] * along[0] + end.position[1] * along[1];
		way[1] = end.position[1] * along[0] - end.position[0] * along[1];
	}
	abut_world_close(&world);
	return status;
}

static void judge(const AbutFormulationRow *rows, AbutReport *report)
{
	static const double bound = 1e-6; /* m */
	for (int v = 0; v < ABUT_VARIANTS; v++) {
		const AbutVariant *variant = abut_variant(v);
		const bool asked =
		    variant->cone == ABUT_FRICTION_CONE_SOC &&
		    (variant->method == ABUT_METHOD_SINGLE_LEVEL || variant->method == ABUT_METHOD_POINT_NCP);
		if (asked) {
			abut_report_target(report, rows[v].drift < bound,
			                   "%s: a sliding box drifts by at most %.1e m to the side, target %.0e",
			                   variant->name, rows[v].drift, bound);
		} else {
			abut_report_result(report, "%s: a sliding box drifts by at most %.1e m to the side",
			                   variant->name, rows[v].drift);
		}
	}
}

AbutStatus abut_study_slide(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                            AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"angle_deg", "angle, degrees", 3},
	    {"way_m", "way along the line, m", 6},
	    {"drift_m", "to the side, m", 3},
	    {"way_error", "way relative to Coulomb's law, minus 1", 3},
	};
	long steps = 0;
	const double expected =
	    abut_coulomb_way(settings->speed, settings->box.friction, settings->box.timestep, &steps);
	AbutTable *table = ABUT_DATA(report, "slide", "A box slides until it rests", columns);
	AbutStatus status = ABUT_OK;
	for (int v = 0; v < ABUT_VARIANTS && status == ABUT_OK; v++) {
		rows[v].drift = rows[v].way = 0.0;
		for (int i = 0; i < settings->n_angles && status == ABUT_OK; i++) {
			double way[2];
			status = slide(settings, abut_variant(v), settings->angles[i], way, error);
			abut_table_text(table, abut_variant(v)->name);
			ABUT_NUMBERS(table, settings->angles[i], way[0], way[1], way[0] / expected - 1.0);
			rows[v].drift = abut_study_worst(rows[v].drift, fabs(way[1]));
			rows[v].way = abut_study_worst(rows[v].way, fabs(way[0] / expected - 1.0));
		}
	}
	judge(rows, report);
	return status;
}

/* --- push --- */

static const double push_along[2] = {0.8, 0.6}; /* between the axes of pyramids */

/* Takes one step with the force (N), always from the state `rest`; returns the speed along it, m/s. */
static double push(AbutWorld *world, const AbutState *rest, double force)
{
	const double f[3] = {force * push_along[0], force * push_along[1], 0.0}, torque[3] = {0.0};
	AbutBodyState after;
	abut_state_copy(world->model, rest, world->state);
	abut_state_set_input(world->model, world->state, ABUT_LONE_BODY, f, torque);
	if (!abut_lone_body_run(world, 1)) {
		return NAN;
	}
	abut_state_get_body(world->model, world->state, ABUT_LONE_BODY, &after);
	return after.linear_velocity[0] * push_along[0] + after.linear_velocity[1] * push_along[1];
}

static AbutStatus push_all(const AbutFormulationSettings *settings, const AbutVariant *variant, AbutTable *table,
                           double *worst, AbutError *error)
{
	const AbutLoneBody *box = &settings->box;
	AbutWorld world;
	AbutState *rest = NULL;
	AbutStatus status = abut_lone_body_open(box, variant, &world, error);
	ABUT_THEN(status, abut_state_create(world.model, &rest, error));
	/* Soft contacts first sink in. */
	if (status == ABUT_OK && abut_lone_body_run(&world, 100)) {
		abut_state_copy(world.model, world.state, rest);
		*worst = 0.0;
		for (int i = 0; i < settings->forces; i++) {
			const double force = settings->largest_force * i / (settings->forces - 1);
			const double expected = abut_coulomb_push(force, box->mass, box->friction, box->timestep);
			const double speed = push(&world, rest, force), off = fabs(speed - expected);
			abut_table_text(table, variant->name);
			ABUT_NUMBERS(table, force, speed, expected);
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
	AbutTable *table = ABUT_DATA(report, "push", "A push through stick and slip", columns);
	for (int v = 0; v < ABUT_VARIANTS; v++) {
		ABUT_TRY(push_all(settings, abut_variant(v), table, &rows[v].push, error));
	}
	return ABUT_OK;
}

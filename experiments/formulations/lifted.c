/* A ball at rest is to be lifted by a force that begins below its weight (Werling et al., Nimble, figure 3): steepest
 * descent along the derivative stays where it is, along one aware of complementarity or smoothed it escapes. */
#include "experiments/formulations/lifted.h"

#include <math.h>

#include "abut/gradient.h"
#include "abut/lcp.h"
#include "base/error.h"
#include "experiments/formulations/studies.h"

enum { STEPS = 10, WAYS = 6, SINGLE_LEVEL = 0, LCP = 6 }; /* variants */

static const double wanted = 0.55, radius = 0.5; /* m */

/* The slope of half the squared distance to the wanted height by the force, through the last step alone. */
static AbutStatus lcp_slope(const AbutWorld *world, bool aware, double off, double *slope, AbutError *error)
{
	double loss[ABUT_LCP_ROWS] = {0.0}, out[ABUT_LCP_COLUMNS] = {0.0};
	loss[ABUT_LCP_POSITION + 2] = off;
	const AbutStatus status = abut_lcp_loss_gradient(world->model, world->workspace, loss, aware, out, NULL, error);
	*slope = out[ABUT_LCP_FORCE + 2];
	return status;
}

static const struct {
	const char *name;
	int variant;
	bool aware;
	double kappa; /* of the derivative, single-level; 0: exact */
} ways[WAYS] = {
    {"lcp, derivative", LCP, false, 0.0},
    {"lcp, aware of complementarity", LCP, true, 0.0},
    {"single-level, exact", SINGLE_LEVEL, false, 0.0},
    {"single-level, path at kappa 1e-2", SINGLE_LEVEL, false, 1e-2},
    {"single-level, path at kappa 1e-3", SINGLE_LEVEL, false, 1e-3},
    {"single-level, path at kappa 1e-4", SINGLE_LEVEL, false, 1e-4},
};

static AbutStatus path_slope(const AbutGradient *gradient, double off, double *slope, AbutError *error)
{
	double loss[ABUT_GRADIENT_ROWS] = {0.0}, out[ABUT_GRADIENT_COLUMNS] = {0.0};
	loss[ABUT_GRADIENT_POSITION + 2] = off;
	const AbutStatus status = abut_gradient_backward(gradient, loss, out, NULL, error);
	*slope = out[ABUT_GRADIENT_FORCE + 2];
	return status;
}

typedef struct Descent {
	AbutWorld world;
	AbutState *start;
	AbutGradient *gradient; /* NULL: of method lcp */
	double force, height;   /* N, m */
	int rounds;             /* until it is within a millimetre of the wanted height */
} Descent;

/* Ten steps with the force from the start, and the slope through the last. */
static AbutStatus evaluate(Descent *descent, bool aware, double *slope, AbutError *error)
{
	const double force[3] = {0.0, 0.0, descent->force}, torque[3] = {0.0};
	AbutWorld *world = &descent->world;
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	AbutBodyState body;
	abut_state_copy(world->model, descent->start, world->state);
	abut_state_set_input(world->model, world->state, ABUT_LONE_BODY, force, torque);
	if (!abut_lone_body_run(world, STEPS - 1)) {
		return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "one of %d steps at a force of %g N failed",
		                      STEPS - 1, descent->force);
	}
	const AbutStatus status =
	    descent->gradient
	        ? abut_step_differentiate(world->model, world->state, world->workspace, descent->gradient, &info)
	        : abut_step(world->model, world->state, world->workspace, &info);
	abut_state_get_body(world->model, world->state, ABUT_LONE_BODY, &body);
	descent->height = body.position[2];
	if (status != ABUT_OK) {
		return status;
	}
	return descent->gradient ? path_slope(descent->gradient, descent->height - wanted, slope, error)
	                         : lcp_slope(world, aware, descent->height - wanted, slope, error);
}

static AbutStatus descend(Descent *descent, int rounds, bool aware, AbutError *error)
{
	static const double rate = 2e5; /* N^2/m^2: a fifth of Newton's step in flight */
	AbutStatus status = ABUT_OK;
	descent->rounds = -1;
	for (int i = 0; i < rounds && status == ABUT_OK; i++) {
		double slope = 0.0;
		status = evaluate(descent, aware, &slope, error);
		if (descent->rounds < 0 && fabs(descent->height - wanted) < 1e-3) {
			descent->rounds = i;
		}
		descent->force -= rate * slope;
	}
	return status;
}

static AbutStatus lift(const AbutFormulationSettings *settings, int way, Descent *descent, AbutError *error)
{
	const AbutLoneBody ball = {
	    .radius = radius, .mass = 1.0, .friction = settings->box.friction, .timestep = settings->box.timestep};
	const AbutVariant *variant = abut_variant(ways[way].variant);
	*descent = (Descent){.force = 5.0};
	AbutStatus status = abut_lone_body_open(&ball, variant, &descent->world, error);
	if (status == ABUT_OK) {
		status = abut_state_create(descent->world.model, &descent->start, error);
	}
	if (status == ABUT_OK && variant->method != ABUT_METHOD_LCP) {
		status = abut_gradient_create(descent->world.model, ways[way].kappa, &descent->gradient, error);
	}
	if (status == ABUT_OK) {
		status = descend(descent, settings->rounds, ways[way].aware, error);
	}
	abut_gradient_destroy(descent->gradient);
	abut_state_destroy(descent->start);
	abut_world_close(&descent->world);
	return status;
}

AbutStatus abut_study_lifted(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                             AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"gradient", "gradient", 0},
	    {"force_N", "force at the end, N", 4},
	    {"height_m", "height, m", 4},
	    {"rounds", "rounds to a millimetre", 4},
	};
	AbutTable *table =
	    abut_report_table(report, "lifted", "A ball is to be lifted from 0.5 to 0.55 m, from 5 N on");
	AbutStatus status = ABUT_OK;
	(void)rows;
	abut_table_columns(table, sizeof columns / sizeof *columns, columns);
	for (int i = 0; i < WAYS && status == ABUT_OK; i++) {
		Descent descent;
		status = lift(settings, i, &descent, error);
		abut_table_text(table, ways[i].name);
		abut_table_numbers(
		    table, 3,
		    (const double[]){descent.force, descent.height, descent.rounds < 0 ? (double)NAN : descent.rounds});
		if (ways[i].variant == LCP) {
			abut_report_target(report, status == ABUT_OK && ways[i].aware == (descent.rounds >= 0),
			                   "%s: the ball ends at %.4f m, asked %s", ways[i].name, descent.height,
			                   ways[i].aware ? "0.55 m" : "0.5 m: no descent escapes along it");
		}
		if (status == ABUT_ERROR_NUMERICAL) {
			abut_table_note(table, "%s: ended where %s", ways[i].name, error->message);
			status = ABUT_OK;
		}
	}
	return status;
}

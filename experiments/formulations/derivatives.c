/* Studies the derivative of a step by force and torque. For a box that slides and one that sticks, it is compared with
 * central differences of steps, and its time with that of a step.
 *
 * In a second study, a ball at rest is to be lifted by a force that is too small at first (Werling et al., Nimble,
 * figure 3). Steepest descent with the exact derivative gets stuck; with a complementarity-aware or smoothed derivative
 * it escapes. */
#include "experiments/formulations/derivatives.h"

#include <math.h>
#include <string.h>

#include "abut/gradient.h"
#include "abut/lcp.h"
#include "base/clock.h"
#include "base/error.h"

enum { INPUTS = 6, VELOCITIES = 6, REPEATS = 200 };

/* The world at the start of the differentiated step. */
typedef struct Point {
	AbutWorld world;
	AbutState *start;
	AbutGradient *gradient; /* NULL for method lcp */
} Point;

static void point_close(Point *point)
{
	abut_gradient_destroy(point->gradient);
	abut_state_destroy(point->start);
	abut_world_close(&point->world);
}

static AbutStatus point_open(const AbutLoneBody *box, const AbutVariant *variant, double kappa, Point *point,
                             AbutError *error)
{
	*point = (Point){.start = NULL};
	ABUT_TRY(abut_lone_body_open(box, variant, &point->world, error));
	ABUT_TRY(abut_state_create(point->world.model, &point->start, error));
	return variant->method == ABUT_METHOD_LCP
	           ? ABUT_OK
	           : abut_gradient_create(point->world.model, kappa, &point->gradient, error);
}

/* Takes some steps to let the body settle, and sets its velocity. */
static void settle(Point *point, const double velocity[3])
{
	AbutBodyState body;
	abut_lone_body_run(&point->world, 20);
	abut_state_get_body(point->world.model, point->world.state, ABUT_LONE_BODY, &body);
	memcpy(body.linear_velocity, velocity, 3 * sizeof *velocity);
	abut_state_set_body(point->world.model, point->world.state, ABUT_LONE_BODY, &body);
	abut_state_copy(point->world.model, point->world.state, point->start);
}

static AbutStatus take_step(const Point *point, bool differentiate, AbutStepInfo *info)
{
	const AbutWorld *world = &point->world;
	return differentiate
	           ? abut_step_differentiate(world->model, world->state, world->workspace, point->gradient, info)
	           : abut_step(world->model, world->state, world->workspace, info);
}

/* Takes the step from the start, after entry `k` of the input is changed by `value`. */
static AbutStatus step(Point *point, int k, double value, bool differentiate, AbutError *error)
{
	AbutWorld *world = &point->world;
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	double input[INPUTS] = {0.3, 0.2, -0.4, 0.0, 0.0, 0.0}; /* N, N m; the values avoid symmetry */
	input[k] += value;
	abut_state_copy(world->model, point->start, world->state);
	abut_state_set_input(world->model, world->state, ABUT_LONE_BODY, input, input + 3);
	AbutStatus status = take_step(point, differentiate, &info);
	if (status == ABUT_OK && info.outcome == ABUT_OUTCOME_FAILED) {
		status = abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL,
		                        "the step with entry %d of the input changed by %g failed", k, value);
	}
	return status;
}

static AbutStatus analytic(Point *point, double *out, AbutError *error)
{
	double matrix[ABUT_LCP_ROWS * ABUT_LCP_COLUMNS];
	const int columns = point->gradient ? ABUT_GRADIENT_COLUMNS : ABUT_LCP_COLUMNS;
	AbutStatus status = step(point, 0, 0.0, point->gradient != NULL, error);
	ABUT_THEN(status, point->gradient
	                      ? abut_gradient_matrix(point->gradient, matrix, error)
	                      : abut_lcp_gradient(point->world.model, point->world.workspace, matrix, error));
	for (int r = 0; r < VELOCITIES && status == ABUT_OK; r++) {
		for (int k = 0; k < INPUTS; k++) {
			out[r * INPUTS + k] = matrix[(ABUT_GRADIENT_LINEAR + r) * columns + ABUT_GRADIENT_FORCE + k];
		}
	}
	return status;
}

/* Computes column `k` of the derivative by central differences. */
static AbutStatus difference(Point *point, int k, double *out, AbutError *error)
{
	static const double width = 1e-4; /* N, N m */
	AbutBodyState end[2];
	AbutStatus status = ABUT_OK;
	for (int side = 0; side < 2 && status == ABUT_OK; side++) {
		status = step(point, k, side == 0 ? -width : width, false, error);
		abut_state_get_body(point->world.model, point->world.state, ABUT_LONE_BODY, &end[side]);
	}
	for (int r = 0; r < 3; r++) {
		out[r * INPUTS + k] = (end[1].linear_velocity[r] - end[0].linear_velocity[r]) / (2.0 * width);
		out[(r + 3) * INPUTS + k] = (end[1].angular_velocity[r] - end[0].angular_velocity[r]) / (2.0 * width);
	}
	return status;
}

/* Computes the largest difference, relative to the largest entry for a body in flight. Blocks of linear and angular
 * rows and columns have different units, so each has its own reference. */
static double error_of(const AbutLoneBody *box, const double *exact, const double *differences)
{
	const double arm = fmin(box->half[0], fmin(box->half[1], box->half[2]));
	const double inertia = 2.0 / 3.0 * box->mass * arm * arm;
	double worst = 0.0;
	for (int i = 0; i < VELOCITIES * INPUTS; i++) {
		const int turning = (i / INPUTS >= 3) + (i % INPUTS >= 3);
		const double unit = turning == 0   ? 1.0 / box->mass
		                    : turning == 1 ? 1.0 / sqrt(box->mass * inertia)
		                                   : 1.0 / inertia;
		worst = fmax(worst, fabs(exact[i] - differences[i]) / (box->timestep * unit));
	}
	return worst;
}

/* Measures the times of a step without and with the derivative, from the same start; the least of the repeats. */
static AbutStatus time_it(Point *point, double us[2], AbutError *error)
{
	double out[VELOCITIES * INPUTS];
	AbutStatus status = ABUT_OK;
	us[0] = us[1] = INFINITY;
	for (int i = 0; i < REPEATS && status == ABUT_OK; i++) {
		const double start = abut_now_us();
		status = step(point, 0, 0.0, false, error);
		const double middle = abut_now_us();
		ABUT_THEN(status, analytic(point, out, error));
		us[0] = fmin(us[0], middle - start);
		us[1] = fmin(us[1], abut_now_us() - middle);
	}
	return status;
}

static AbutStatus measure(const AbutFormulationSettings *settings, const AbutVariant *variant, bool slides,
                          double out[3], AbutError *error)
{
	const double velocity[3] = {slides ? 1.0 : 0.0, slides ? 0.3 : 0.0, 0.0};
	double exact[VELOCITIES * INPUTS], differences[VELOCITIES * INPUTS], us[2];
	AbutLoneBody box = settings->box;
	Point point;
	box.tolerance = 1e-11; /* resolves differences of 1e-4 N */
	AbutStatus status = point_open(&box, variant, 0.0, &point, error);
	if (status == ABUT_OK) {
		settle(&point, velocity);
		status = analytic(&point, exact, error);
	}
	for (int k = 0; k < INPUTS && status == ABUT_OK; k++) {
		status = difference(&point, k, differences, error);
	}
	ABUT_THEN(status, time_it(&point, us, error));
	if (status == ABUT_OK) {
		out[0] = error_of(&box, exact, differences);
		out[1] = us[1];
		out[2] = us[1] / us[0];
	}
	point_close(&point);
	return status;
}

AbutStatus abut_study_derivative(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                                 AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"box", "box", 0},
	    {"error", "error against differences", 2},
	    {"time_us", "step with derivative, us", 3},
	    {"time_ratio", "over a step", 3},
	};
	AbutTable *table = ABUT_TABLE(report, "gradients", "Velocities after a step by force and torque", columns);
	AbutStatus status = ABUT_OK;
	for (int v = 0; v < ABUT_VARIANTS && status == ABUT_OK; v++) {
		rows[v].gradient = 0.0;
		for (int slides = 0; slides < 2 && status == ABUT_OK; slides++) {
			double found[3] = {NAN, NAN, NAN};
			status = measure(settings, abut_variant(v), slides > 0, found, error);
			abut_table_text(table, abut_variant(v)->name);
			abut_table_text(table, slides ? "slides" : "sticks");
			abut_table_numbers(table, 3, found);
			rows[v].gradient = abut_study_worst(rows[v].gradient, found[0]);
			rows[v].gradient_time = found[2];
			if (status == ABUT_ERROR_UNSUPPORTED || status == ABUT_ERROR_NUMERICAL) {
				if (!slides) {
					abut_table_note(table, "%s: %s", abut_variant(v)->name, error->message);
				}
				status = ABUT_OK;
			}
		}
	}
	return status;
}

/* --- descent --- */

enum { STEPS = 10, WAYS = 6, SINGLE_LEVEL = 0, LCP = 6 }; /* the last two are indices of variants */

static const double wanted = 0.55, radius = 0.5; /* m */

/* Computes the slope by the force of half the squared distance to the wanted height, through the last step only. */
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
	double kappa; /* of the single-level derivative; 0: exact */
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
	Point at;
	double force, height; /* N, m */
	int rounds;           /* iterations until the ball is within 1 mm of the wanted height */
} Descent;

/* Takes ten steps from the start with the force, and computes the slope through the last step. */
static AbutStatus evaluate(Descent *descent, bool aware, double *slope, AbutError *error)
{
	const double force[3] = {0.0, 0.0, descent->force}, torque[3] = {0.0};
	AbutWorld *world = &descent->at.world;
	AbutStepInfo info = {.outcome = ABUT_OUTCOME_EXACT};
	AbutBodyState body;
	abut_state_copy(world->model, descent->at.start, world->state);
	abut_state_set_input(world->model, world->state, ABUT_LONE_BODY, force, torque);
	if (!abut_lone_body_run(world, STEPS - 1)) {
		return abut_error_set(error, ABUT_ERROR_NUMERICAL, NULL, "one of %d steps at a force of %g N failed",
		                      STEPS - 1, descent->force);
	}
	const AbutGradient *gradient = descent->at.gradient;
	const AbutStatus status = take_step(&descent->at, gradient != NULL, &info);
	abut_state_get_body(world->model, world->state, ABUT_LONE_BODY, &body);
	descent->height = body.position[2];
	if (status != ABUT_OK) {
		return status;
	}
	return gradient ? path_slope(gradient, descent->height - wanted, slope, error)
	                : lcp_slope(world, aware, descent->height - wanted, slope, error);
}

static AbutStatus descend(Descent *descent, int rounds, bool aware, AbutError *error)
{
	static const double rate = 2e5; /* N^2/m^2: a fifth of Newton's step for a ball in flight */
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
	*descent = (Descent){.force = 5.0};
	AbutStatus status = point_open(&ball, abut_variant(ways[way].variant), ways[way].kappa, &descent->at, error);
	ABUT_THEN(status, descend(descent, settings->rounds, ways[way].aware, error));
	point_close(&descent->at);
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
	    ABUT_TABLE(report, "lifted",
	               "Descent on a force that should lift a ball from 0.5 to 0.55 m, starting at 5 N", columns);
	AbutStatus status = ABUT_OK;
	(void)rows;
	for (int i = 0; i < WAYS && status == ABUT_OK; i++) {
		Descent descent;
		status = lift(settings, i, &descent, error);
		abut_table_text(table, ways[i].name);
		ABUT_NUMBERS(table, descent.force, descent.height, descent.rounds < 0 ? (double)NAN : descent.rounds);
		if (ways[i].variant == LCP) {
			abut_report_target(report, status == ABUT_OK && ways[i].aware == (descent.rounds >= 0),
			                   "%s: the ball ends at %.4f m, expected %s", ways[i].name, descent.height,
			                   ways[i].aware ? "0.55 m" : "0.5 m: descent gets stuck");
		}
		if (status == ABUT_ERROR_NUMERICAL) {
			abut_table_note(table, "%s: ended where %s", ways[i].name, error->message);
			status = ABUT_OK;
		}
	}
	return status;
}

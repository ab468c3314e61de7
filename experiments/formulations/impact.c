/* Studies an impact: a ball falls onto the floor (Todorov, ICRA 2011, figure 3). */
#include "experiments/formulations/impact.h"

#include <math.h>

#include "experiments/formulations/lone_body.h"

enum { CASES = 9, STEPS = 200 };

static const struct {
	const char *name;
	int variant;
	double time_constant; /* s */
	double margin;        /* m */
} cases[CASES] = {
    {"single-level", 0, 0.0, 0.0}, {"bilevel", 2, 0.0, 0.0},         {"point-ncp", 4, 0.0, 0.0},
    {"lcp", 6, 0.0, 0.0},          {"convex 0.02 s", 7, 0.02, 0.0},  {"convex 0.05 s", 7, 0.05, 0.0},
    {"convex 0.1 s", 7, 0.1, 0.0}, {"convex barriers", 9, 0.0, 0.0}, {"convex barriers, margin 20 mm", 9, 0.0, 0.02},
};

/* Returns the contact force divided by the weight of the ball. */
static double force_of(const AbutWorld *world, const AbutLoneBody *ball)
{
	double impulse = 0.0;
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		AbutContact contact;
		abut_contact_get(world->model, world->workspace, i, &contact);
		impulse += contact.normal_impulse;
	}
	return impulse / (ball->timestep * ball->mass * 9.81);
}

/* Computes the largest force, `peak`, in weights, and the duration of the impact, `lasts`, in s. The impact lasts from
 * the first force to the last one that differs from the weight by 5 % or more. */
static AbutStatus fall(const AbutLoneBody *ball, const AbutVariant *variant, const char *name, AbutTable *curves,
                       double *peak, double *lasts, AbutError *error)
{
	AbutWorld world;
	const AbutStatus status = abut_lone_body_open(ball, variant, &world, error);
	double first = NAN, last = NAN;
	bool stepped = status == ABUT_OK;
	*peak = 0.0;
	for (int k = 1; k <= STEPS && stepped; k++) {
		stepped = abut_lone_body_run(&world, 1);
		const double force = stepped ? force_of(&world, ball) : (double)NAN, time = k * ball->timestep;
		abut_table_text(curves, name);
		ABUT_NUMBERS(curves, time, force);
		*peak = abut_study_worst(*peak, force);
		first = isnan(first) && force > 0.0 ? time - ball->timestep : first;
		last = !isnan(first) && fabs(force - 1.0) >= 0.05 ? time : last;
	}
	*lasts = last - first;
	abut_world_close(&world);
	return status;
}

AbutStatus abut_study_impact(const AbutFormulationSettings *settings, AbutFormulationRow *rows, AbutReport *report,
                             AbutError *error)
{
	static const AbutColumn columns[] = {
	    {"method", "method", 0},
	    {"peak_weights", "largest force, weights", 3},
	    {"lasts_s", "until the force is the weight, s", 3},
	};
	static const AbutColumn curve_columns[] = {
	    {"method", "method", 0}, {"time_s", "time, s", 4}, {"force_weights", "force, weights", 4}};
	AbutTable *table = ABUT_TABLE(report, "impact", "A ball falls by 50 mm: its force over time", columns);
	AbutTable *curves = ABUT_DATA(report, "force", "Contact force over time", curve_columns);
	AbutStatus status = ABUT_OK;
	for (int i = 0; i < CASES && status == ABUT_OK; i++) {
		const AbutLoneBody ball = {.radius = 0.1,
		                           .mass = 1.0,
		                           .above = 0.05,
		                           .friction = settings->box.friction,
		                           .timestep = 0.002,
		                           .time_constant = cases[i].time_constant,
		                           .margin = cases[i].margin};
		double peak, lasts;
		status = fall(&ball, abut_variant(cases[i].variant), cases[i].name, curves, &peak, &lasts, error);
		abut_table_text(table, cases[i].name);
		ABUT_NUMBERS(table, peak, lasts);
		if (isnan(rows[cases[i].variant].peak)) {
			rows[cases[i].variant].peak = peak;
		}
	}
	return status;
}

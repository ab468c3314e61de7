/* What a step tells, by frames: of several steps between two frames the worst. */
#include <math.h>

#include "io/view/data.h"

/* The steps that lead from frame `frame` - 1 to it: [first, last). */
static void steps_of(const AbutViewData *data, long frame, long *first, long *last)
{
	*first = frame > 0 ? abut_view_state_of_frame(data->record, data->every, frame - 1) : 0;
	*last = frame > 0 ? abut_view_state_of_frame(data->record, data->every, frame) : 0;
}

static double penetration(const AbutRunStep *step)
{
	return step->max_penetration;
}

static double iterations(const AbutRunStep *step)
{
	return step->iterations;
}

static double residual(const AbutRunStep *step)
{
	return step->residual;
}

static double complementarity(const AbutRunStep *step)
{
	return step->complementarity;
}

static double active_contacts(const AbutRunStep *step)
{
	return step->active_contacts;
}

static double outcome(const AbutRunStep *step)
{
	return step->outcome;
}

/* The largest of the steps before the frame; 0 of the first. */
static double worst(const AbutViewData *data, long frame, double (*of)(const AbutRunStep *))
{
	long first, last;
	double most = 0.0;
	steps_of(data, frame, &first, &last);
	for (long k = first; k < last; k++) {
		most = fmax(most, of(&data->record->steps[k]));
	}
	return most;
}

static AbutRunTotals totals_of(const AbutViewData *data, long frame)
{
	const long state = abut_view_state_of_frame(data->record, data->every, frame);
	return state > 0 ? data->record->steps[state - 1].totals : data->record->start;
}

void abut_view_add_series(AbutViewData *data)
{
	static const struct {
		const char *name;
		double (*of)(const AbutRunStep *);
	} columns[] = {
	    {"penetration", penetration},         {"iterations", iterations},           {"residual", residual},
	    {"complementarity", complementarity}, {"active_contacts", active_contacts}, {"outcome", outcome}};
	const size_t n = (size_t)data->n_frames;
	abut_view_section(data, "times", n);
	for (long f = 0; f < data->n_frames; f++) {
		abut_view_add_f64(data, data->record->times[abut_view_state_of_frame(data->record, data->every, f)]);
	}
	abut_view_section(data, "energy", n);
	for (long f = 0; f < data->n_frames; f++) {
		abut_view_add_f64(data, totals_of(data, f).energy);
	}
	abut_view_section(data, "momentum", 3 * n);
	for (long f = 0; f < data->n_frames; f++) {
		for (int i = 0; i < 3; i++) {
			abut_view_add_f32(data, totals_of(data, f).momentum[i]);
		}
	}
	for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
		abut_view_section(data, columns[c].name, n);
		for (long f = 0; f < data->n_frames; f++) {
			abut_view_add_f32(data, worst(data, f, columns[c].of));
		}
	}
	/* A last step that was not solved leads to no frame. */
	fprintf(data->head, ",\"ended_early\":%s", data->record->n_steps == data->record->n_frames ? "true" : "false");
}

/* Adds progress, results and pictures of a plan to a report. */
#include "experiments/ilqr/plan_report.h"

#include <stdio.h>
#include <string.h>

#include "experiments/setting/world.h"

AbutTable *abut_plan_progress_table(AbutReport *report, const char *name)
{
	static const AbutColumn columns[] = {
	    {"plan", "plan", 0},           {"kappa", "kappa", 3}, {"round", "round", 3},
	    {"iteration", "iteration", 5}, {"cost", "cost", 6},   {"augmented", "augmented", 6},
	    {"violation", "violation", 3},
	};
	return ABUT_DATA(report, name, "Progress of the plans, a row an iteration", columns);
}

void abut_plan_columns(AbutTable *table)
{
	static const AbutColumn columns[] = {
	    {"kappa", "kappa", 3},           {"cost", "cost", 4},     {"violation", "violation", 2},
	    {"iterations", "iterations", 4}, {"rounds", "rounds", 3}, {"steps", "steps", 6},
	};
	ABUT_COLUMNS(table, columns);
}

void abut_plan_cells(AbutTable *table, double kappa, const AbutReached *reached)
{
	ABUT_NUMBERS(table, kappa, reached->cost, reached->violation, reached->iterations, reached->rounds,
	             (double)reached->steps);
}

void abut_plan_progress(void *context, const AbutReachProgress *progress)
{
	const AbutPlanProgress *own = context;
	abut_table_text(own->table, own->plan);
	ABUT_NUMBERS(own->table, own->number, progress->round, progress->iteration, progress->cost, progress->augmented,
	             progress->violation);
}

static AbutStatus place(const AbutReach *reach, const AbutWorld *world, const double *x)
{
	AbutStatus status = ABUT_OK;
	int moving = 0;
	for (int i = 0; status == ABUT_OK && i < reach->def->n_bodies; i++) {
		if (!reach->def->bodies[i].is_static) {
			AbutBodyState state;
			memcpy(&state, &x[ABUT_REACH_STATE * moving++], sizeof state);
			status = abut_state_set_body(world->model, world->state, i, &state);
		}
	}
	return status;
}

AbutStatus abut_plan_pictures(const AbutReach *reach, const double *x, const AbutPlanPictures *pictures,
                              AbutError *error)
{
	AbutWorld world;
	AbutStatus status = abut_world_open(&world, reach->def, error);
	int moving = 0;
	for (int i = 0; i < reach->def->n_bodies; i++) {
		moving += !reach->def->bodies[i].is_static;
	}
	for (int i = 0; status == ABUT_OK && i < pictures->n; i++) {
		const int step = pictures->steps[i];
		char text[64];
		snprintf(text, sizeof text, "%s t = %.3g s", pictures->label, step * reach->def->timestep);
		status = place(reach, &world, &x[(size_t)step * (size_t)(moving * ABUT_REACH_STATE)]);
		if (status == ABUT_OK) {
			const AbutFrame frame = {pictures->first + i, text, reach->def, world.model, world.state, NULL};
			status = abut_frames_add(&frame, pictures->view, pictures->table, error);
		}
	}
	abut_world_close(&world);
	return status;
}

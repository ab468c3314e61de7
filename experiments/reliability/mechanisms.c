/* Measures energy and momenta of random passive mechanisms of 2 to 9 boxes (0.1 to 0.6 m, 0.3 to 3.3 kg) on hinges,
 * balls and universal joints, without contacts: chains and trees that hang from the world and fall, and floating trees
 * without gravity whose bodies start with random spins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "dynamics/state/state.h"
#include "experiments/reliability/random_tree.h"
#include "experiments/reliability/trees.h"

static const char *const kinds[] = {"hanging", "floating"};
static const double timesteps[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05};
enum { KINDS = 2, TIMESTEPS = 6 };
static const double run_time = 10.0, gravity = 9.81, rise_limit = 0.05; /* s, m/s^2, part of the swing */

typedef struct Cell {
	Tally tally;
	long rises; /* runs whose energy rises by more than rise_limit of the swing */
	double worst_rise, loss;
	unsigned long worst_seed;
	double momentum, angular;  /* largest errors over the largest momentum */
	double joint_m, joint_rad; /* largest violations of exact steps */
} Cell;

/* A run. A floating tree is measured from after its first step, which closes the rates of the joints. */
typedef struct Watched {
	const Tree *tree;
	Cell *cell;
	bool floating, begun;
	double energy, highest, lowest; /* J: at the beginning, and the extremes relative to it */
	double start[2][3];             /* linear and angular momentum */
	double largest[2], error[2];
} Watched;

/* Computes the linear momentum, and the angular momentum about the origin that a step conserves (formulation.md 2):
 * x x m v + R (c J w - (dt/2) w x J w), c^2 = 1 - |dt w / 2|^2, with the length dt of its last part. */
static void add_momenta(const Watched *run, const AbutModel *model, const AbutState *state, double out[2][3])
{
	memset(out, 0, 2 * sizeof *out);
	for (int i = 0; i < run->tree->n; i++) {
		AbutBodyState s;
		double p[3], orbit[3], Jw[3], gyro[3], R[9], spin[3];
		abut_state_get_body(model, state, i, &s);
		const double half = 0.5 * state->motion[i].last_timestep * model->units.time;
		const double *w = s.angular_velocity, c = sqrt(1.0 - half * half * abut_dot3(w, w));
		abut_mat3_vec(model->bodies[i].inertia_si, w, Jw);
		abut_cross3(w, Jw, gyro);
		abut_scale3(c, Jw, Jw);
		abut_add_scaled3(Jw, -half, gyro, Jw);
		abut_quat_to_mat3(s.orientation, R);
		abut_mat3_vec(R, Jw, spin);
		abut_scale3(abut_model_body_mass(model, i), s.linear_velocity, p);
		abut_cross3(s.position, p, orbit);
		abut_add3(out[0], p, out[0]);
		abut_add3(out[1], orbit, out[1]);
		abut_add3(out[1], spin, out[1]);
	}
}

static void begin(void *data, const AbutModel *model, AbutState *state, long step)
{
	Watched *run = data;
	if (step == 0) {
		run->energy = abut_state_energy(model, state);
	}
}

static void add_momentum_errors(Watched *run, const AbutModel *model, const AbutState *state)
{
	double momenta[2][3], change[3];
	add_momenta(run, model, state, momenta);
	if (!run->begun) {
		memcpy(run->start, momenta, sizeof momenta);
		run->energy = abut_state_energy(model, state);
		run->begun = true;
	}
	for (int i = 0; i < 2; i++) {
		abut_sub3(momenta[i], run->start[i], change);
		run->largest[i] = fmax(run->largest[i], abut_norm3(momenta[i]));
		run->error[i] = fmax(run->error[i], abut_norm3(change));
	}
}

static void add_step(void *data, const AbutModel *model, const AbutState *state, const AbutStepInfo *info,
                     bool touching)
{
	Watched *run = data;
	(void)touching;
	if (info->exact) {
		run->cell->joint_m = fmax(run->cell->joint_m, info->joint_violation_m);
		run->cell->joint_rad = fmax(run->cell->joint_rad, info->joint_violation_rad);
	}
	if (run->floating && info->outcome != ABUT_OUTCOME_FAILED) {
		add_momentum_errors(run, model, state);
	}
	const double energy = abut_state_energy(model, state) - run->energy;
	run->highest = fmax(run->highest, energy);
	run->lowest = fmin(run->lowest, energy);
}

/* Adds a box on a joint to the world or to an earlier box: the last one in a chain, any in a tree. */
static void add_box(Tree *tree, bool chain, bool floating, AbutRng *rng)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	const int i = tree->n, parent = chain || i == 0 ? i - 1 : (int)abut_rng_uniform(rng, 0.0, i);
	double along[3], axis[3], half[3];
	AbutShape *shape = NULL;
	AbutError error = {.status = ABUT_OK};
	tree_direction(rng, along);
	half[0] = abut_rng_uniform(rng, 0.02, 0.06);
	half[1] = abut_rng_uniform(rng, 0.02, 0.06);
	half[2] = abut_rng_uniform(rng, 0.05, 0.3);
	const double mass = exp(abut_rng_uniform(rng, -1.2, 1.2)), which = abut_rng_uniform(rng, 0.0, 1.0);
	AbutBodyDef *body =
	    tree_add_link(tree, parent, parent < 0 ? origin : tree->links[parent].tip, along, 2.0 * half[2], mass);
	const AbutStatus status = abut_shape_create_box(half, &shape, &error);
	tree->scene.parts[i] = tree_own(tree, status, shape, &error);
	tree_direction(rng, axis);
	for (int k = 0; k < 3; k++) {
		body->angular_velocity[k] = floating ? abut_rng_uniform(rng, -2.0, 2.0) : 0.0;
		body->linear_velocity[k] = floating ? abut_rng_uniform(rng, -1.0, 1.0) : 0.0;
	}
	if (parent >= 0 || !floating) {
		tree_add_joint(tree, i,
		               which < 0.6   ? ABUT_JOINT_HINGE
		               : which < 0.8 ? ABUT_JOINT_BALL
		                             : ABUT_JOINT_UNIVERSAL,
		               axis);
	}
}

/* Adds a run to its cell. The swing of a hanging mechanism is the sum of m g |r| over its centres of mass, r from the
 * joint to the world. */
static void add_run(const Watched *run, unsigned long seed, Cell *cell)
{
	double swing = 0.0;
	for (int i = 0; i < run->tree->n; i++) {
		const AbutBodyDef *body = &run->tree->scene.bodies[i];
		swing += body->mass * gravity * abut_norm3(body->position);
	}
	const double unit = run->floating ? fmax(run->energy, 1e-9) : swing, rise = run->highest / unit;
	cell->rises += rise > rise_limit;
	cell->loss -= run->lowest / unit;
	if (rise >= cell->worst_rise) {
		cell->worst_rise = rise;
		cell->worst_seed = seed;
	}
	if (run->floating) {
		cell->momentum = fmax(cell->momentum, run->error[0] / fmax(run->largest[0], 1e-9));
		cell->angular = fmax(cell->angular, run->error[1] / fmax(run->largest[1], 1e-9));
	}
}

static bool run_mechanism(const TreesOptions *options, bool floating, double timestep, unsigned long seed, Cell *cell)
{
	static Tree tree;
	Watched run = {.tree = &tree, .cell = cell, .floating = floating};
	AbutRng rng = abut_rng_stream(seed, floating); /* the same mechanism at every timestep */
	const int n = (int)abut_rng_uniform(&rng, 2.0, 10.0);
	const bool chain = abut_rng_uniform(&rng, 0.0, 1.0) < 0.5;
	tree_begin(&tree, options->keep);
	tree.scene.def.solver = *options->solver;
	tree.scene.def.timestep = timestep;
	tree.scene.def.gravity[2] = floating ? 0.0 : -gravity;
	while (tree.n < n) {
		add_box(&tree, chain, floating, &rng);
	}
	tree.scene.watch = (Watch){&run, begin, add_step};
	const bool good = tree.good && study_run(&tree.scene, run_time, seed, &cell->tally);
	add_run(&run, seed, cell);
	tree_free(&tree);
	return good;
}

static void print_cell(const char *name, bool floating, const Cell *cell)
{
	const Tally *t = &cell->tally;
	const double steps = t->steps > 0 ? (double)t->steps : 1.0, runs = t->runs > 0 ? (double)t->runs : 1.0;
	printf("%-16s %5ld %8ld %6ld %8ld %7ld %6.2f %5d %6ld %8.4f %6lu %8.4f %8.1e %8.1e", name, t->runs, t->steps,
	       t->failed, t->steps - t->failed - t->exact, t->halved, (double)t->iterations / steps, t->iterations_max,
	       cell->rises, cell->worst_rise, cell->worst_seed, cell->loss / runs, cell->joint_m, cell->joint_rad);
	if (floating) {
		printf(" %8.1e %8.1e\n", cell->momentum, cell->angular);
	} else {
		printf(" %8s %8s\n", "-", "-");
	}
	fflush(stdout);
}

bool mechanisms_run(const TreesOptions *options, Tally *total)
{
	static Cell cell;
	bool good = true;
	long rises = 0, runs = 0;
	printf("%-16s %5s %8s %6s %8s %7s %6s %5s %6s %8s %6s %8s %8s %8s %8s %8s\n", "cell", "runs", "steps", "failed",
	       "inexact", "halved", "it", "max", "rises", "worst", "seed", "loss", "joint m", "joint rad", "dP/P",
	       "dL/L");
	for (int i = 0; good && i < KINDS * TIMESTEPS; i++) {
		const bool floating = i / TIMESTEPS == 1;
		const double timestep = timesteps[i % TIMESTEPS];
		char name[64];
		snprintf(name, sizeof name, "%s %g ms", kinds[floating], 1e3 * timestep);
		if (!trees_selected(options, name)) {
			continue;
		}
		memset(&cell, 0, sizeof cell);
		for (unsigned long k = 0; good && k < options->count; k++) {
			good = run_mechanism(options, floating, timestep, options->first + k, &cell);
		}
		print_cell(name, floating, &cell);
		rises += floating ? 0 : cell.rises;
		runs += floating ? 0 : cell.tally.runs;
		if (options->rows) {
			tally_print_rows(&cell.tally);
		}
		tally_add(total, &cell.tally);
	}
	printf("seeds %lu to %lu: energy rises by more than 5 %% of the swing in %ld of %ld hanging runs\n",
	       options->first, options->first + options->count - 1, rises, runs);
	return good;
}

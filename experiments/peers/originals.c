/* Runs two engines side by side, and measures their times and the differences between their states and wrenches. */
#include "experiments/peers/originals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/scenes.h"
#include "experiments/setting/kick.h"

/* --- the pairs --- */

typedef struct Candidate {
	int method; /* index in abut_peer_methods */
	const AbutPeerFamily *theirs;
	int setting;
	AbutOriginalMethod of;
	bool same_law, momentum;
} Candidate;

static const Candidate candidates[ABUT_ORIGINAL_PAIRS_MAX] = {
    {ABUT_PEER_LCP, &abut_peer_dart, ABUT_PEER_DART, ABUT_ORIGINAL_LCP, true, false},
    {ABUT_PEER_LCP, &abut_peer_dart, ABUT_PEER_DART_THOROUGH, ABUT_ORIGINAL_LCP, true, true},
    {ABUT_PEER_LCP_DEFAULTS, &abut_peer_dart, ABUT_PEER_DART_DEFAULTS, ABUT_ORIGINAL_LCP, false, false},
    {ABUT_PEER_CONVEX_PYRAMID, &abut_peer_mujoco, ABUT_PEER_MUJOCO, ABUT_ORIGINAL_CONVEX, true, false},
    {ABUT_PEER_CONVEX, &abut_peer_mujoco, ABUT_PEER_MUJOCO_ELLIPTIC, ABUT_ORIGINAL_CONVEX, true, false},
};

int abut_original_pair_count(void)
{
	int count = 0;
	for (int i = 0; i < ABUT_ORIGINAL_PAIRS_MAX; i++) {
		count += candidates[i].theirs->count > 0;
	}
	return count;
}

AbutOriginalPair abut_original_pair(int index)
{
	const Candidate *at = candidates;
	for (; at->theirs->count == 0 || index > 0; at++) {
		index -= at->theirs->count > 0;
	}
	return (AbutOriginalPair){&abut_peer_methods.engines[at->method], &at->theirs->engines[at->setting], at->of,
	                          at->same_law, at->momentum};
}

bool abut_original_pair_takes(const AbutOriginalPair *pair, const AbutOriginalCase *which)
{
	return !pair->momentum || which->claim[pair->method] == ABUT_ORIGINAL_MOMENTUM;
}

/* --- side by side --- */

typedef struct Twins {
	const AbutPeerCase *which;
	const AbutPeerEngine *engine[2];
	AbutPeerWorld *world[2];
	AbutPeerScene scene;
	AbutRng rng; /* draws the kicks */
} Twins;

static void kick(Twins *twins, bool kicked)
{
	for (int i = 0; i < twins->scene.n_bodies; i++) {
		AbutKicked body = {.mass = twins->scene.mass};
		double force[3] = {0.0}, torque[3] = {0.0};
		abut_peer_inertia(&twins->scene, i, body.inertia);
		if (kicked) {
			abut_kick(&body, twins->which->kick, twins->scene.timestep, &twins->rng, force, torque);
		}
		for (int s = 0; s < 2; s++) {
			twins->engine[s]->push(twins->world[s], i, force, torque);
		}
	}
}

static double distance(const double a[3], const double b[3])
{
	return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void compare_states(const Twins *twins, AbutOriginalDifference *out)
{
	double momentum[2][3] = {{0.0}};
	for (int i = 0; i < twins->scene.n_bodies; i++) {
		AbutPeerPose pose[2];
		for (int s = 0; s < 2; s++) {
			twins->engine[s]->read(twins->world[s], i, &pose[s]);
			abut_add_scaled3(momentum[s], twins->scene.mass, pose[s].velocity, momentum[s]);
		}
		out->position = fmax(out->position, distance(pose[0].position, pose[1].position));
		out->velocity = fmax(out->velocity, distance(pose[0].velocity, pose[1].velocity));
		out->spin = fmax(out->spin, distance(pose[0].spin, pose[1].spin));
	}
	for (int s = 0; s < 2; s++) {
		out->momentum[s] += distance(momentum[s], (const double[3]){0.0});
	}
}

static double weight_of(const AbutPeerScene *scene)
{
	return scene->n_bodies * scene->mass * distance(scene->gravity, (const double[3]){0.0});
}

static double compare_wrenches(const Twins *twins)
{
	double worst = 0.0;
	for (int i = 0; i < twins->scene.n_bodies; i++) {
		for (int j = -1; j < i; j++) {
			double wrench[2][6];
			for (int s = 0; s < 2; s++) {
				twins->engine[s]->wrench(twins->world[s], i, j, wrench[s]);
			}
			worst = fmax(worst, distance(wrench[0], wrench[1]));
			worst = fmax(worst, distance(wrench[0] + 3, wrench[1] + 3));
		}
	}
	return worst / weight_of(&twins->scene);
}

static void run(Twins *twins, long steps, AbutOriginalDifference *out)
{
	for (long k = 0; k < steps; k++) {
		const int interval = twins->which->kick_interval;
		kick(twins, interval > 0 && k % interval == 0);
		for (int s = 0; s < 2; s++) {
			twins->engine[s]->step(twins->world[s]);
		}
		compare_states(twins, out);
	}
	for (int s = 0; s < 2; s++) {
		out->momentum[s] /= (double)steps;
	}
	const bool offered = twins->engine[0]->wrench && twins->engine[1]->wrench;
	out->wrench = offered ? compare_wrenches(twins) : (double)NAN;
}

/* Measures the differences over at most `steps_most` steps; if it is 0, over all steps of the case. */
static AbutStatus differ(const AbutOriginalCase *which, const AbutOriginalPair *pair, double timestep,
                         unsigned long long seed, long steps_most, AbutOriginalDifference *out, AbutError *error)
{
	Twins twins = {&which->scene, {pair->ours, pair->theirs}, {NULL}, .rng = abut_rng_stream(seed, 0)};
	const long steps = lround(which->scene.duration / timestep);
	AbutPeerShapes shapes;
	*out = (AbutOriginalDifference){.position = 0.0};
	AbutStatus status = abut_peer_shapes_create(&shapes, error);
	if (status == ABUT_OK) {
		abut_peer_scene_fill(&which->scene, &shapes, timestep, seed, 0, &twins.scene);
	}
	for (int s = 0; status == ABUT_OK && s < 2; s++) {
		status = twins.engine[s]->create(&twins.scene, twins.engine[s]->variant, &twins.world[s], error);
	}
	if (status == ABUT_OK) {
		run(&twins, steps_most > 0 && steps_most < steps ? steps_most : steps, out);
	}
	for (int s = 0; s < 2; s++) {
		twins.engine[s]->destroy(twins.world[s]);
	}
	abut_peer_shapes_destroy(&shapes);
	return status;
}

AbutStatus abut_original_compare(const AbutOriginalCase *which, const AbutOriginalPair *pair, unsigned long long seed,
                                 bool quick, AbutOriginalResult *out, AbutError *error)
{
	enum { few = 5 }; /* runs of a pair for which no agreement is required */
	AbutPeerEffort effort = abut_peer_effort(quick);
	const double timestep = which->scene.timestep;
	if (!quick && abut_original_claim(which, pair) == ABUT_ORIGINAL_NOTHING) {
		effort.runs_most = few;
	}
	ABUT_TRY(differ(which, pair, timestep, seed, effort.steps_most, &out->difference, error));
	ABUT_TRY(abut_peer_measure(&which->scene, pair->ours, timestep, seed, &effort, &out->ours, error));
	return abut_peer_measure(&which->scene, pair->theirs, timestep, seed, &effort, &out->theirs, error);
}

AbutOriginalClaim abut_original_claim(const AbutOriginalCase *which, const AbutOriginalPair *pair)
{
	return pair->same_law ? which->claim[pair->method] : ABUT_ORIGINAL_NOTHING;
}

AbutOriginalVerdict abut_original_verdict(const AbutOriginalCase *which, const AbutOriginalPair *pair,
                                          const AbutOriginalResult *result)
{
	static const double share = 0.1, way = 1e-5, speed = 1e-4; /* relative, of wrenches and momentum; m; m/s */
	const AbutOriginalDifference *off = &result->difference;
	const bool still = result->ours.momentum <= (1.0 + share) * result->theirs.momentum;
	bool agrees = false;
	switch (abut_original_claim(which, pair)) {
	case ABUT_ORIGINAL_NOTHING:
		return ABUT_ORIGINAL_UNJUDGED;
	case ABUT_ORIGINAL_WRENCHES:
		agrees = off->wrench <= share && still;
		break;
	case ABUT_ORIGINAL_MOTION:
		agrees = off->position <= way && off->velocity <= speed;
		break;
	case ABUT_ORIGINAL_MOMENTUM:
		agrees = still && result->ours.momentum >= (1.0 - share) * result->theirs.momentum;
		break;
	}
	return agrees ? ABUT_ORIGINAL_AGREES : ABUT_ORIGINAL_DIFFERS;
}

/* --- cases --- */

#define OVERLAP (-1e-6)
static const AbutPeerStart rest = {0.0, 0.0, OVERLAP}, shallow = {20.0, 0.0, OVERLAP}, steep = {35.0, 0.0, OVERLAP},
                           moving = {0.0, 2.0, OVERLAP}, above = {0.0, 0.0, 0.5};

/* Runs of a stack of `number` shapes, with the start `first`. */
#define RUNS(label, shape, number, seconds, runs, repeats, kick, interval, first)                                      \
	.scene = {label, ABUT_PEER_STACK, shape, number,   0.01,  0.0,     seconds,                                    \
	          runs,  repeats,         kick,  interval, false, &(first)}
#define SCENE(label, shape, number, seconds, first) RUNS(label, shape, number, seconds, 1, 5, 0.0, 0, first)
#define KICKED(number) RUNS("stack_" #number "_kick", ABUT_SHAPE_BOX, number, 4.5, 20, 3, 0.05, 10, rest)
#define STACK(number) SCENE("stack_" #number "_rest", ABUT_SHAPE_BOX, number, 2.0, rest), CLAIMS(WRENCHES, WRENCHES)
#define CLAIMS(lcp, convex) .claim = {ABUT_ORIGINAL_##lcp, ABUT_ORIGINAL_##convex}

const AbutOriginalCase abut_original_cases[] = {
    {SCENE("box_rest", ABUT_SHAPE_BOX, 1, 2.0, rest), CLAIMS(WRENCHES, WRENCHES)},
    {SCENE("incline_sticks", ABUT_SHAPE_BOX, 1, 2.0, shallow), CLAIMS(WRENCHES, WRENCHES)},
    {SCENE("incline_slides", ABUT_SHAPE_BOX, 1, 2.0, steep), CLAIMS(MOTION, NOTHING)},
    {SCENE("box_slides", ABUT_SHAPE_BOX, 1, 1.0, moving), CLAIMS(MOTION, MOTION)},
    {SCENE("box_falls_flat", ABUT_SHAPE_BOX, 1, 1.0, above), CLAIMS(MOTION, MOTION)},
    {SCENE("ball_rolls", ABUT_SHAPE_SPHERE, 1, 2.0, moving), CLAIMS(MOTION, MOTION)},
    {SCENE("ball_falls", ABUT_SHAPE_SPHERE, 1, 1.0, above), CLAIMS(MOTION, MOTION)},
    {STACK(2)},
    {STACK(3)},
    {STACK(4)},
    {STACK(5)},
    {STACK(6)},
    {STACK(7)},
    {STACK(8)},
    {STACK(9)},
    {STACK(10)},
    {KICKED(2), CLAIMS(MOMENTUM, NOTHING)},
    {KICKED(4), CLAIMS(MOMENTUM, NOTHING)},
    {KICKED(10), CLAIMS(MOMENTUM, NOTHING)},
    {.scene = {"box_drops", ABUT_PEER_DROPPED, ABUT_SHAPE_BOX, 1, 0.01, 0.0, 1.5, 20, 5, 0.0, 0, false, NULL},
     CLAIMS(NOTHING, NOTHING)},
};
const int abut_original_case_count = sizeof abut_original_cases / sizeof *abut_original_cases;

bool abut_original_case_chosen(int index, const char *prefix)
{
	return !prefix || strncmp(abut_original_cases[index].scene.name, prefix, strlen(prefix)) == 0;
}

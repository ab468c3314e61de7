/* Runs random extreme scenes and checks them: abut_extreme [--joints] SCENES SEED [FOLDER]. Each scene takes ten steps
 * in a process of its own. It must be refused with a message, or:
 *
 *   - a call that takes long ends when its caller asks for it (abut/stop.h);
 *   - no number is NaN, and quaternions have unit length (fuzz.c);
 *   - the reported overlap is not less than that of boxes and spheres with the floor, computed here from their poses,
 * up to the residual of a relaxed step;
 *   - joints are closed and within their limits, by the poses of their bodies (joint_check.c);
 *   - the energy rises by no more than its causes explain: rounding, the work of contacts (contact_work), the error of
 *     free rotation, and the method's own error (method_error).
 *
 * Prints one line, and one for each scene that fails, which is saved as FOLDER/SEED.json. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abut/shape.h"
#include "abut/stop.h"
#include "base/clock.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "fuzz.h"
#include "joint_check.h"
#include "random_scene.h"

/* Seconds of processor time: when the caller asks for an end, by when it must have come, and when the process is killed
 * (the kernel's own count may be ahead of clock() by a tenth). */
enum { STEPS = 10, PATIENCE = 20, MOST_SECONDS = 22, KILLED = 40 };

/* How a scene ended; the exit status of its process. */
typedef enum Ending { PASSED = 0, REFUSED = 10, UNSOLVED, STOPPED, UNDERSTATED, GAINED, OPENED, ENDINGS } Ending;

/* --- checks --- */

/* Returns how far a box or a sphere lies below the plane z = 0; 0 for other shapes. */
static double depth_of(const AbutBodyDef *body, const AbutBodyState *motion)
{
	const AbutShape *const shape = body->parts[0];
	const double *const q = motion->orientation, *const p = motion->position;
	if (body->is_static || body->n_parts != 1 || shape->kind != ABUT_SHAPE_BOX) {
		return body->is_static || shape->kind != ABUT_SHAPE_SPHERE ? 0.0 : fmax(0.0, shape->size[0] - p[2]);
	}
	const double row[3] = {2.0 * (q[1] * q[3] - q[0] * q[2]), 2.0 * (q[2] * q[3] + q[0] * q[1]),
	                       1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])};
	double below = 0.0;
	for (int i = 0; i < 3; i++) {
		below += fabs(row[i]) * shape->size[i];
	}
	return fmax(0.0, below - p[2]);
}

/* Returns whether body `i` may touch the floor, body 0. */
static bool may_touch_floor(const AbutSceneDef *def, int i)
{
	bool may = def->all_pairs;
	for (int k = 0; k < def->n_joints; k++) {
		const AbutJointDef *joint = &def->joints[k];
		may = may && !(joint->parent == 0 && joint->child == i && !joint->collide);
	}
	return may;
}

/* Returns the deepest overlap with a floor that is a halfspace, and the rounding error of the positions in `*rounding`.
 */
static double floor_depth(const FuzzWorld *world, const AbutSceneDef *def, double *rounding)
{
	double deepest = 0.0;
	*rounding = 0.0;
	for (int i = 0; i < def->n_bodies; i++) {
		AbutBodyState motion;
		abut_state_get_body(world->model, world->state, i, &motion);
		if (may_touch_floor(def, i)) {
			deepest = fmax(deepest, depth_of(&def->bodies[i], &motion));
		}
		*rounding = fmax(*rounding, 1e-9 * fabs(motion.position[2]));
	}
	return def->bodies[0].parts[0]->kind == ABUT_SHAPE_HALFSPACE ? deepest : 0.0;
}

/* Returns the energy that counts as rounding: a part of all kinetic energies and of the weights' work along the
 * heights. */
static double energy_scale(const FuzzWorld *world, const AbutSceneDef *def)
{
	double scale = fabs(abut_state_energy(world->model, world->state));
	for (int i = 0; i < def->n_bodies; i++) {
		AbutBodyState motion;
		abut_state_get_body(world->model, world->state, i, &motion);
		const double fall = 9.81 * def->timestep, *const v = motion.linear_velocity;
		scale += abut_model_body_mass(world->model, i) *
		         (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + fall * fall + 9.81 * fabs(motion.position[2]));
	}
	return scale;
}

/* Returns the change of a contact's gap that its velocity does not show, to second order in the step: the turn of the
 * bodies moves its points, and their relative motion turns its normal. A soft contact acts where its points open, and
 * reports the gap of the deepest one: the others may open by the whole turn. */
static double turned_gap(const FuzzWorld *world, const AbutSceneDef *def, const AbutContact *contact)
{
	const int bodies[2] = {contact->body_a, contact->body_b};
	double turned = 0.0, way[3] = {0.0, 0.0, 0.0}, least = INFINITY;
	for (int k = 0; k < 2; k++) {
		AbutBodyState motion;
		abut_state_get_body(world->model, world->state, bodies[k], &motion);
		const double *const w = motion.angular_velocity, *const p = motion.position;
		double from_centre[3];
		abut_sub3(contact->point, p, from_centre);
		const double angle = def->timestep * abut_norm3(w), arm = abut_norm3(from_centre);
		turned += (def->solver.method == ABUT_METHOD_CONVEX ? angle : 0.5 * angle * angle) * arm;
		least = def->bodies[bodies[k]].is_static ? least : fmin(least, arm);
		abut_add_scaled3(way, (k == 0 ? 1.0 : -1.0) * def->timestep, motion.linear_velocity, way);
	}
	return turned + 0.5 * abut_dot3(way, way) / least;
}

/* Returns the most work that the contacts of a step can do: their impulses, times the speed of closing the overlap
 * before the step, of opening the gaps after it, and of the gap's change that the velocity does not show. An exact step
 * without overlap leaves no gap where an impulse acts; relaxed steps, soft contacts and restitution do. */
static double contact_work(const FuzzWorld *world, const AbutSceneDef *def, const AbutStepInfo *info, double overlap)
{
	double work = 0.0;
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		AbutContact contact;
		abut_contact_get(world->model, world->workspace, i, &contact);
		const double change = fmax(contact.gap, 0.0) + overlap + turned_gap(world, def, &contact);
		work += contact.normal_impulse * change;
	}
	return 2.0 * info->parts * work / def->timestep;
}

/* Returns the most energy that a step of free rotation may add: the scheme keeps the momentum, and the energy only up
 * to the square of the angle of one step. */
static double rotation_error(const FuzzWorld *world, const AbutSceneDef *def)
{
	double error = 0.0;
	for (int i = 0; i < def->n_bodies; i++) {
		AbutBodyState motion;
		abut_state_get_body(world->model, world->state, i, &motion);
		const double *const w = motion.angular_velocity;
		const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], *const I =
		                                                                   world->model->bodies[i].inertia_si;
		error += 0.5 * (I[0] + I[4] + I[8]) * square * fmin(1.0, square * def->timestep * def->timestep);
	}
	return error;
}

/* Returns the largest ratio of two masses; 1 with a single moving body. */
static double mass_ratio(const FuzzWorld *world, const AbutSceneDef *def)
{
	double least = INFINITY, most = 0.0;
	for (int i = 0; i < def->n_bodies; i++) {
		const double mass = abut_model_body_mass(world->model, i);
		least = def->bodies[i].is_static ? least : fmin(least, mass);
		most = def->bodies[i].is_static ? most : fmax(most, mass);
	}
	return most > 0.0 ? most / least : 1.0;
}

static bool has_springs(const AbutSceneDef *def)
{
	bool has = false;
	for (int i = 0; i < def->n_joints * ABUT_JOINT_FREEDOMS; i++) {
		has = has || def->joints[i / ABUT_JOINT_FREEDOMS].axes[i % ABUT_JOINT_FREEDOMS].stiffness > 0.0;
	}
	return has;
}

/* Returns the energy that the method may add by itself: `kappa` of a relaxed step; the barriers of `convex`, which have
 * a slope, and which may drive a light body out from between two others if it is too light to carry them; any part of
 * the motion's energy with restitution, and with joints, which keep momentum, and energy only on the mean; the work of
 * motors; and three times the energy with springs of joints: up to dt^2 k / J = 2 they keep an energy of two steps,
 * which may differ from that of the pose by a factor of two either way. */
static double method_error(const FuzzWorld *world, const AbutSceneDef *def, const AbutStepInfo *info, double scale)
{
	const bool barrier =
	    def->solver.method == ABUT_METHOD_CONVEX && def->solver.convex_model == ABUT_CONVEX_MODEL_BARRIER;
	return joint_work(world, def) + scale * (has_springs(def)                              ? 3.0
	                                         : def->restitution > 0.0 || def->n_joints > 0 ? 1.0
	                                         : barrier && info->active_contacts > 1 && mass_ratio(world, def) > 1e3
	                                             ? (double)INFINITY
	                                         : barrier     ? 100.0 * def->solver.kappa
	                                         : info->exact ? 0.0
	                                                       : info->kappa);
}

static bool is_out_of_patience(void *context)
{
	(void)context;
	return clock() > (clock_t)PATIENCE * CLOCKS_PER_SEC;
}

static Ending step_all(FuzzWorld *world, const AbutSceneDef *def, bool overlaps)
{
	double overlap = 0.0;
	for (int i = 0; i < STEPS; i++) {
		AbutStepInfo info = {0};
		double rounding;
		const double before = abut_state_energy(world->model, world->state), scale = energy_scale(world, def),
		             spin = rotation_error(world, def);
		const AbutStatus status = abut_step(world->model, world->state, world->workspace, &info);
		if (status == ABUT_ERROR_STOPPED) {
			return clock() < (clock_t)MOST_SECONDS * CLOCKS_PER_SEC ? STOPPED : ENDINGS;
		}
		FUZZ_CHECK(status == ABUT_OK);
		fuzz_world_check(world, &info);
		if (info.outcome == ABUT_OUTCOME_FAILED || info.outcome == ABUT_OUTCOME_RAISED_KAPPA) {
			return UNSOLVED;
		}
		/* The distances of a relaxed step are exact up to its residual and some `kappa`, in model units. */
		const double inexact =
		    info.exact ? 0.0 : (info.residual + 10.0 * info.kappa) * world->model->units.length;
		const double depth = floor_depth(world, def, &rounding);
		if (def->solver.lcp_gap != ABUT_LCP_GAP_NONE &&
		    depth > 1.01 * info.max_penetration + rounding + inexact) {
			fprintf(stderr, "step %d: overlap %g m, reported %g m\n", i + 1, depth, info.max_penetration);
			return UNDERSTATED;
		}
		if (!joint_check(world, def, &info, i + 1)) {
			return OPENED;
		}
		const double after = abut_state_energy(world->model, world->state);
		const double gain = after - before - spin - contact_work(world, def, &info, overlap) -
		                    method_error(world, def, &info, scale);
		if (!overlaps && gain > 1e-6 * scale) {
			fprintf(stderr, "step %d: energy %g J to %g J, %g J unexplained, %d contacts, %s\n", i + 1,
			        before, after, gain, info.active_contacts, abut_outcome_name(info.outcome));
			return GAINED;
		}
		overlap = info.max_penetration + inexact;
	}
	return PASSED;
}

static Ending run_scene(const char *text, bool overlaps)
{
	AbutScene *scene = NULL;
	AbutError error = {0};
	FuzzWorld world;
	Ending ending = REFUSED;
	if (fuzz_result(abut_scene_parse(text, strlen(text), "scene", 0, NULL, &scene, &error), &error) &&
	    fuzz_world_make(&world, abut_scene_def(scene))) {
		abut_workspace_set_stop(world.workspace, &(AbutStop){.wanted = is_out_of_patience});
		ending = step_all(&world, abut_scene_def(scene), overlaps);
		fuzz_world_free(&world);
	}
	abut_scene_destroy(scene);
	return ending;
}

/* --- processes --- */

/* Runs the scene in another process. Returns its ending; ENDINGS if it crashed or took too long. */
static Ending run_apart(const char *text, bool overlaps)
{
	int status = 0;
	fflush(NULL);
	const pid_t child = fork();
	FUZZ_CHECK(child >= 0);
	if (child == 0) {
		const struct rlimit limit = {KILLED, KILLED};
		setrlimit(RLIMIT_CPU, &limit);
		_exit((int)run_scene(text, overlaps));
	}
	while (waitpid(child, &status, 0) != child) {
	}
	return WIFEXITED(status) ? (Ending)WEXITSTATUS(status) : ENDINGS;
}

static void save(const char *folder, unsigned long long seed, const char *text)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%llu.json", folder, seed);
	FILE *const file = fopen(path, "w");
	FUZZ_CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

int main(int argc, char **argv)
{
	static char text[EXTREME_TEXT_SIZE];
	const bool jointed = argc > 1 && strcmp(argv[1], "--joints") == 0;
	argc -= jointed;
	argv += jointed;
	if (argc < 3) {
		fputs("usage: abut_extreme [--joints] SCENES SEED [FOLDER]\n", stderr);
		return 2;
	}
	const long n = strtol(argv[1], NULL, 10);
	const unsigned long long first = strtoull(argv[2], NULL, 10);
	const double start = abut_now_us();
	long counts[ENDINGS + 1] = {0};
	double slowest = 0.0;
	for (long i = 0; i < n; i++) {
		const unsigned long long seed = first + (unsigned long long)i;
		const bool overlaps = extreme_scene(seed, jointed, text);
		const double begin = abut_now_us();
		const Ending ending = run_apart(text, overlaps);
		const int index = ending == PASSED ? 0 : ending < REFUSED || ending > ENDINGS ? ENDINGS : (int)ending;
		slowest = fmax(slowest, abut_now_us() - begin);
		counts[index]++;
		if (index > STOPPED) {
			printf("seed %llu: %s\n", seed,
			       index == UNDERSTATED ? "overlap understated"
			       : index == GAINED    ? "energy rises"
			       : index == OPENED    ? "a joint is open"
			                            : "crashed, or took too long");
			if (argc > 3) {
				save(argv[3], seed, text);
			}
		}
	}
	printf("%ld scenes, seeds %llu to %llu: %ld passed, %ld refused, %ld with an unsolved step, %ld stopped after "
	       "%d s, %ld understate an overlap, %ld gain energy, %ld open a joint, %ld crash or hang; slowest %.1f s, "
	       "in all %.0f s\n",
	       n, first, first + (unsigned long long)n - 1, counts[PASSED], counts[REFUSED], counts[UNSOLVED],
	       counts[STOPPED], PATIENCE, counts[UNDERSTATED], counts[GAINED], counts[OPENED], counts[ENDINGS],
	       1e-6 * slowest, 1e-6 * (abut_now_us() - start));
	const bool mostly_passed = 2 * counts[PASSED] >= n;
	if (!mostly_passed) {
		puts("fewer than half of the scenes passed");
	}
	return mostly_passed && counts[UNDERSTATED] + counts[GAINED] + counts[OPENED] + counts[ENDINGS] == 0 ? 0 : 1;
}

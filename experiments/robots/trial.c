/* Runs robots (trial.h). Both engines get the same targets of motors at the same times. */
#include "experiments/robots/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/abut.h"
#include "base/clock.h"
#include "base/error.h"
#include "experiments/peers/peers.h"
#include "experiments/setting/world.h"

static const double held = 0.05; /* s between changes of the targets */

/* A run while it goes on, in either engine. */
typedef struct Course {
	const AbutRobotTrial *trial;
	AbutWorld world;
	AbutPeerWorld *peer;
	AbutRng rng;
	long changes; /* of the targets, so far */
	double speed; /* largest rate so far */
	bool lost;
} Course;

static void set_abut(void *context, int joint, int axis, double target)
{
	const Course *course = context;
	abut_state_set_motor(course->world.model, course->world.state, joint, axis, target);
}

static void set_mujoco(void *context, int joint, int axis, double target)
{
	const Course *course = context;
	const AbutSceneDef *def = &course->trial->robot->imported.def;
	abut_peer_robots.drive(course->peer, def->joints[joint].name, axis, target);
}

/* Makes servos hold the coordinates of the start. */
static void hold_start(Course *course, AbutTargetSetter *set)
{
	const AbutSceneDef *def = &course->trial->robot->imported.def;
	for (int i = 0; i < def->n_joints; i++) {
		for (int k = 0; k < abut_joint_type_freedoms(def->joints[i].type); k++) {
			if (def->joints[i].axes[k].motor.type == ABUT_MOTOR_POSITION) {
				set(course, i, k, def->joints[i].has_position ? def->joints[i].position[k] : 0.0);
			}
		}
	}
}

/* Sets new targets if the step at `time` begins a new interval. */
static void control(Course *course, double time, AbutTargetSetter *set)
{
	const AbutRobotTrial *trial = course->trial;
	if (trial->driven && floor(time / held + 1e-9) >= (double)course->changes) {
		abut_imported_drive(&trial->robot->imported.def, &course->rng, set, course);
		course->changes++;
	}
}

/* Adds the time of a step that began at `time`. */
static void add_time(const Course *course, double time, double us, AbutRobotMeasure *out)
{
	if (time >= course->trial->settle - 1e-9) {
		out->timed++;
		out->us += us;
	}
}

/* Adds the largest rate of a step. */
static void add_speed(Course *course, double speed)
{
	const double most = course->trial->most;
	course->speed = fmax(course->speed, speed);
	course->lost = course->lost || !isfinite(speed) || (most > 0.0 && speed > most);
}

static void begin(const AbutRobotTrial *trial, Course *course)
{
	*course = (Course){.trial = trial, .rng = abut_rng_stream(trial->seed, 1)};
}

static void end(const Course *course, AbutRobotMeasure *out)
{
	out->runs++;
	out->lost += course->lost;
	out->speed = fmax(out->speed, course->speed);
}

/* --- Abut --- */

static void observe_step(const AbutStepInfo *info, Course *course, AbutRobotMeasure *out)
{
	const bool failed = info->outcome == ABUT_OUTCOME_FAILED || info->outcome == ABUT_OUTCOME_RAISED_KAPPA;
	out->steps++;
	out->failed += failed;
	out->exact += info->exact;
	out->penetration = fmax(out->penetration, info->max_penetration);
	out->limit = fmax(out->limit, info->limit_violation);
	out->joint_m = fmax(out->joint_m, info->joint_violation_m);
	out->joint_rad = fmax(out->joint_rad, info->joint_violation_rad);
	course->lost = course->lost || failed;
}

static double largest_rate(AbutRobot *joints, const AbutState *state, double *qdot)
{
	double speed = 0.0;
	abut_robot_get_state(joints, state, NULL, qdot);
	for (int i = 0; i < abut_robot_velocity_count(joints); i++) {
		speed = isfinite(qdot[i]) ? fmax(speed, fabs(qdot[i])) : (double)INFINITY;
	}
	return speed;
}

static double torso_height(const AbutRobotTrial *trial, const AbutWorld *world)
{
	const AbutSceneDef *def = &trial->robot->imported.def;
	AbutBodyState body = {.position = {0.0}};
	for (int i = 0; i < def->n_bodies; i++) {
		if (strcmp(def->bodies[i].name, trial->robot->source->torso) == 0) {
			abut_state_get_body(world->model, world->state, i, &body);
			return body.position[2];
		}
	}
	return NAN;
}

static void go(Course *course, AbutRobot *joints, double *qdot, AbutRobotMeasure *out)
{
	const AbutRobotTrial *trial = course->trial;
	const AbutWorld *world = &course->world;
	const long steps = lround(trial->duration / trial->timestep);
	hold_start(course, set_abut);
	for (long k = 0; k < steps && !course->lost; k++) {
		AbutStepInfo info = {.row = 0};
		control(course, (double)k * trial->timestep, set_abut);
		const double start = abut_thread_us();
		abut_step(world->model, world->state, world->workspace, &info);
		add_time(course, (double)k * trial->timestep, abut_thread_us() - start, out);
		observe_step(&info, course, out);
		add_speed(course, largest_rate(joints, world->state, qdot));
		if (trial->height) {
			trial->height(trial->context, (double)(k + 1) * trial->timestep, torso_height(trial, world));
		}
	}
	out->height = torso_height(trial, world);
}

AbutStatus abut_robot_try(const AbutRobotTrial *trial, AbutRobotMeasure *out, AbutError *error)
{
	AbutSceneDef def = trial->robot->imported.def;
	AbutRobot *joints = NULL;
	double *qdot = NULL;
	Course course;
	begin(trial, &course);
	def.timestep = trial->timestep;
	AbutStatus status = abut_world_open(&course.world, &def, error);
	ABUT_THEN(status, abut_robot_create(course.world.model, &joints, error));
	if (status == ABUT_OK) {
		qdot = calloc((size_t)abut_robot_velocity_count(joints) + 1, sizeof *qdot);
		status = qdot ? ABUT_OK : abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "no memory for a robot");
	}
	if (status == ABUT_OK) {
		go(&course, joints, qdot, out);
		end(&course, out);
	}
	free(qdot);
	abut_robot_destroy(joints);
	abut_world_close(&course.world);
	return status;
}

/* --- MuJoCo --- */

static void go_mujoco(Course *course, AbutRobotMeasure *out)
{
	const AbutRobotTrial *trial = course->trial;
	const AbutPeerEngine *engine = abut_peer_mujoco.engines;
	const long steps = lround(trial->duration / trial->timestep);
	AbutPeerRobotState now = {.height = NAN};
	hold_start(course, set_mujoco);
	for (long k = 0; k < steps && !course->lost; k++) {
		AbutPeerStep step;
		control(course, (double)k * trial->timestep, set_mujoco);
		const double start = abut_thread_us();
		engine->step(course->peer);
		add_time(course, (double)k * trial->timestep, abut_thread_us() - start, out);
		out->steps++;
		engine->report(course->peer, &step);
		abut_peer_robots.observe(course->peer, trial->robot->source->torso, &now);
		course->lost = step.failed;
		if (step.failed) { /* the state was reset */
			break;
		}
		add_speed(course, now.speed);
		out->penetration = fmax(out->penetration, step.penetration);
		out->limit = fmax(out->limit, now.limit_violation);
		if (trial->height) {
			trial->height(trial->context, (double)(k + 1) * trial->timestep, now.height);
		}
	}
	out->height = course->lost ? (double)NAN : now.height;
}

AbutStatus abut_robot_try_mujoco(const AbutRobotTrial *trial, AbutRobotMeasure *out, AbutError *error)
{
	Course course;
	begin(trial, &course);
	const int keyframe = trial->robot->source->keyframe ? 0 : -1;
	ABUT_TRY(abut_peer_robots.load(trial->robot->path, keyframe, trial->timestep, trial->impedance, &course.peer,
	                               error));
	go_mujoco(&course, out);
	out->joint_m = out->joint_rad = NAN; /* its joints are coordinates */
	end(&course, out);
	abut_peer_mujoco.engines->destroy(course.peer);
	return ABUT_OK;
}

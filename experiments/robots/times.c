/* Times of steps. A robot at rest has fallen, or has been held by its servos, for some seconds. In motion, all its
 * motors get random targets, the same in both engines, whose runs alternate. */
#include "experiments/robots/times.h"

#include <math.h>

#include "base/error.h"

static const double timestep = 0.005;                   /* s */
static const double settled = 10.0, rest = 2.0;         /* s: before and after times count */
static const double moved = 5.0;                        /* s */
static const double most_rest = 1.0, most_moving = 2.0; /* aims for the ratios */

enum { ABUT, MUJOCO, ENGINES };

/* Runs the trial in both engines. */
static AbutStatus try_both(const AbutRobotTrial *trial, AbutRobotMeasure m[ENGINES], AbutError *error)
{
	ABUT_TRY(abut_robot_try(trial, &m[ABUT], error));
	return abut_robot_try_mujoco(trial, &m[MUJOCO], error);
}

static double us_of(const AbutRobotMeasure *m)
{
	return m->us / (double)m->timed;
}

static double ratio_of(const AbutRobotMeasure m[ENGINES])
{
	return us_of(&m[ABUT]) / us_of(&m[MUJOCO]);
}

AbutTable *abut_robot_times_table(AbutReport *report)
{
	static const AbutColumn columns[] = {
	    {"robot", "robot", 0},       {"rest_us", "at rest, us", 3},     {"rest_mujoco_us", "MuJoCo, us", 3},
	    {"rest_ratio", "ratio", 3},  {"moving_us", "in motion, us", 3}, {"moving_mujoco_us", "MuJoCo, us", 3},
	    {"moving_ratio", "ratio", 3}};
	AbutTable *table = ABUT_TABLE(report, "times", "Time of a step of 5 ms", columns);
	abut_table_note(table, "At rest: after 10 s in which the robot fell, or was held by its servos.");
	return table;
}

AbutStatus abut_robot_times(const AbutRobotModel *robot, int seeds, unsigned long long first_seed, bool judged,
                            AbutTable *table, AbutReport *report, AbutError *error)
{
	AbutRobotMeasure still[ENGINES] = {{.runs = 0}}, moving[ENGINES] = {{.runs = 0}};
	const AbutRobotTrial stand = {
	    .robot = robot, .timestep = timestep, .duration = settled + rest, .settle = settled};
	ABUT_TRY(try_both(&stand, still, error));
	for (int i = 0; i < seeds; i++) {
		const AbutRobotTrial move = {.robot = robot,
		                             .timestep = timestep,
		                             .duration = moved,
		                             .driven = true,
		                             .seed = first_seed + (unsigned)i};
		ABUT_TRY(try_both(&move, moving, error));
	}
	const char *name = robot->source->name;
	const double of_rest = ratio_of(still), of_moving = ratio_of(moving);
	abut_table_text(table, name);
	ABUT_NUMBERS(table, us_of(&still[ABUT]), us_of(&still[MUJOCO]), of_rest, us_of(&moving[ABUT]),
	             us_of(&moving[MUJOCO]), of_moving);
	if (judged) {
		abut_report_target(report, of_rest <= most_rest, "%s at rest takes at most MuJoCo's time: %.3g times",
		                   name, of_rest);
		abut_report_target(report, of_moving <= most_moving,
		                   "%s in motion takes at most twice MuJoCo's time: %.3g times", name, of_moving);
	}
	return ABUT_OK;
}

/* What accurate robots cost: settings are tried from the cheapest on, in both engines. Contacts may sink by 1 mm, and
 * limits may give way by 0.1 degrees (or 1 mm). MuJoCo's contacts and limits become harder with their impedance, and
 * with a time constant that is as short as its timestep allows, twice the timestep. */
#include "experiments/robots/accurate.h"

#include <math.h>

#include "base/error.h"

static const double deepest = 1e-3;                                  /* m */
static const double farthest = 0.1 * 3.14159265358979323846 / 180.0; /* rad or m */
static const double aim = 0.1;                                       /* of MuJoCo's time */

/* s; from the longest on, and so from the cheapest */
static const double abut_timesteps[] = {0.05, 0.02, 0.01, 0.005, 0.002, 0.001};
static const double mujoco_timesteps[] = {0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005};
static const double impedances[] = {0.0, 0.9, 0.99, 0.999, 0.9999, 0.99999};
#define COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))

typedef AbutStatus Try(const AbutRobotTrial *trial, AbutRobotMeasure *out, AbutError *error);

/* Settings, and what they give. */
typedef struct Accurate {
	double timestep, impedance; /* s; NaN: no setting is accurate enough */
	double us;                  /* of CPU time per simulated second */
	AbutRobotMeasure measure;
} Accurate;

static bool is_accurate(const AbutRobotMeasure *m)
{
	return m->lost == 0 && m->penetration <= deepest && m->limit <= farthest;
}

/* Runs all seeds, up to the first that is not accurate, and keeps the settings if they are the cheapest. */
static AbutStatus try_settings(const AbutAccurateRuns *runs, Try *try, double timestep, double impedance,
                               Accurate *best, AbutError *error)
{
	AbutRobotMeasure m = {.runs = 0};
	for (int i = 0; i < runs->seeds && is_accurate(&m); i++) {
		const AbutRobotTrial trial = {.robot = runs->robot,
		                              .timestep = timestep,
		                              .duration = runs->duration,
		                              .driven = true,
		                              .seed = runs->first_seed + (unsigned)i,
		                              .impedance = impedance};
		ABUT_TRY(try(&trial, &m, error));
	}
	const double us = m.us / ((double)m.runs * runs->duration);
	if (is_accurate(&m) && !(us >= best->us)) {
		*best = (Accurate){timestep, impedance, us, m};
	}
	return ABUT_OK;
}

static void add_row(const AbutAccurateRuns *runs, const char *engine, const Accurate *best, AbutTable *table)
{
	const bool found = isfinite(best->us);
	abut_table_text(table, runs->robot->source->name);
	abut_table_text(table, engine);
	ABUT_NUMBERS(table, best->timestep, best->impedance > 0.0 ? best->impedance : (double)NAN,
	             found ? best->measure.penetration : (double)NAN, found ? best->measure.limit : (double)NAN,
	             best->us);
}

static void judge(const AbutAccurateRuns *runs, const Accurate *abut, const Accurate *mujoco, AbutReport *report)
{
	const char *name = runs->robot->source->name;
	if (isfinite(mujoco->us)) {
		abut_report_target(report, abut->us <= aim * mujoco->us,
		                   "%s within 1 mm and 0.1 degrees takes at most a tenth of MuJoCo's time: %.2g", name,
		                   abut->us / mujoco->us);
	} else {
		abut_report_target(report, isfinite(abut->us),
		                   "%s stays within 1 mm and 0.1 degrees; in MuJoCo no setting that was tried does",
		                   name);
	}
}

AbutTable *abut_robot_accurate_table(AbutReport *report)
{
	static const AbutColumn columns[] = {{"robot", "robot", 0},
	                                     {"engine", "engine", 0},
	                                     {"timestep_s", "timestep, s", 3},
	                                     {"impedance", "impedance", 6},
	                                     {"penetration_m", "penetration, m", 2},
	                                     {"limit", "limits, rad", 2},
	                                     {"us_per_s", "CPU us per simulated s", 3}};
	AbutTable *table = ABUT_TABLE(report, "accurate",
	                              "Cheapest settings with 1 mm of penetration and 0.1 degrees at limits", columns);
	abut_table_note(table,
	                "Random targets of motors. Without an impedance, contacts and limits are those of the file; "
	                "otherwise they have this impedance and a time constant of two timesteps.");
	return table;
}

/* A step of MuJoCo takes about as long at any timestep, so shorter ones than the first that is accurate cost more. */
static AbutStatus search_mujoco(const AbutAccurateRuns *runs, Accurate *best, AbutError *error)
{
	for (int i = 0; i < COUNT(mujoco_timesteps) && !isfinite(best->us); i++) {
		for (int k = 0; k < COUNT(impedances); k++) {
			ABUT_TRY(
			    try_settings(runs, abut_robot_try_mujoco, mujoco_timesteps[i], impedances[k], best, error));
		}
	}
	return ABUT_OK;
}

AbutStatus abut_robot_accurate(const AbutAccurateRuns *runs, AbutTable *table, AbutReport *report, AbutError *error)
{
	Accurate abut = {NAN, NAN, NAN, {.runs = 0}}, mujoco = abut;
	for (int i = 0; i < COUNT(abut_timesteps); i++) {
		ABUT_TRY(try_settings(runs, abut_robot_try, abut_timesteps[i], 0.0, &abut, error));
	}
	add_row(runs, "Abut", &abut, table);
	if (runs->mujoco) {
		ABUT_TRY(search_mujoco(runs, &mujoco, error));
		add_row(runs, "MuJoCo", &mujoco, table);
		judge(runs, &abut, &mujoco, report);
	}
	return ABUT_OK;
}

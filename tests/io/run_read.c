/* Tests reading the folder of a run: every number equals that of the run, bit for bit. Files that are not of one run
 * are refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abut/abut.h"
#include "io/run/output.h"
#include "io/run/read.h"

enum { MOST_FRAMES = 32, MOST_CONTACTS = 8 };

/* The states as an observer saw them. */
typedef struct Seen {
	long frames;
	double times[MOST_FRAMES], energy[MOST_FRAMES];
	AbutBodyState bodies[MOST_FRAMES][3];
	int n_contacts[MOST_FRAMES];
	AbutContact contacts[MOST_FRAMES][MOST_CONTACTS];
	AbutStepInfo infos[MOST_FRAMES];
} Seen;

static AbutStatus see(void *context, const AbutRunView *view, AbutError *error)
{
	(void)error;
	Seen *seen = context;
	const long k = seen->frames++;
	cr_assert_lt(k, MOST_FRAMES);
	seen->times[k] = abut_state_time(view->state);
	seen->energy[k] = abut_state_energy(view->model, view->state);
	for (int i = 0; i < 3; i++) {
		cr_assert_eq(abut_state_get_body(view->model, view->state, i, &seen->bodies[k][i]), ABUT_OK);
	}
	seen->n_contacts[k] = view->info ? abut_contact_count(view->workspace) : 0;
	cr_assert_leq(seen->n_contacts[k], MOST_CONTACTS);
	for (int i = 0; i < seen->n_contacts[k]; i++) {
		cr_assert_eq(abut_contact_get(view->model, view->workspace, i, &seen->contacts[k][i]), ABUT_OK);
	}
	if (view->info) {
		seen->infos[k] = *view->info;
	}
	return ABUT_OK;
}

/* A box and a dumbbell (a union) fall on a floor within 20 steps. */
static const char text[] =
    "{\"abut\": 1, \"name\": \"two\", \"duration\": 0.2, \"bodies\": ["
    "{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", \"normal\": [0, 0, 1], "
    "\"offset\": 0}}, "
    "{\"name\": \"a, \\\"b\\\"\", \"mass\": 2, \"position\": [0, 0, 0.55], \"linear_velocity\": [1, 0, 0], "
    "\"shape\": {\"type\": \"box\", \"half_extents\": [0.5, 0.4, 0.5]}}, "
    "{\"name\": \"dumbbell\", \"density\": 3, \"position\": [3, 0, 0.4], \"angular_velocity\": [0, 1, 2], "
    "\"shape\": {\"type\": \"union\", \"parts\": [{\"type\": \"sphere\", \"radius\": 0.3, \"position\": [0.5, 0, "
    "0]}, {\"type\": \"sphere\", \"radius\": 0.3, \"position\": [-0.5, 0, 0]}]}}]}";

/* Runs a scene of `length` bytes into `folder`, a new one. */
static void run_scene(char *folder, const char *scene_text, size_t length, AbutRunObserver observer)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	AbutState *state = NULL;
	AbutWorkspace *workspace = NULL;
	AbutOutput *output = NULL;
	AbutRunSummary summary;
	AbutError error = {0};
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(abut_scene_parse(scene_text, length, "test.json", 0, NULL, &scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s", error.message);
	cr_assert_eq(abut_state_create(model, &state, &error), ABUT_OK);
	cr_assert_eq(abut_workspace_create(model, &workspace, &error), ABUT_OK);
	cr_assert_eq(abut_output_open(folder, NULL, &output, &error), ABUT_OK);
	const AbutRunObserver observers[] = {{abut_output_observe, output, false}, observer};
	cr_assert_eq(abut_run(model, state, workspace, 20, observers, 2, &summary, &error), ABUT_OK);
	const AbutRunReport report = {abut_scene_def(scene), model, state, &summary, 7, 0, NULL};
	cr_assert_eq(abut_output_commit(output, &report, &error), ABUT_OK, "%s", error.message);
	abut_output_destroy(output);
	abut_workspace_destroy(workspace);
	abut_state_destroy(state);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

/* Runs the scene `text` into `folder`, a new one. */
static void run(char *folder, Seen *seen)
{
	memset(seen, 0, sizeof *seen);
	run_scene(folder, text, sizeof text - 1, (AbutRunObserver){see, seen, false});
}

static void call_in(const char *folder, const char *format, const char *argument)
{
	char command[512], shell[640];
	snprintf(command, sizeof command, format, argument);
	snprintf(shell, sizeof shell, "cd '%s' && %s", folder, command);
	cr_assert_eq(system(shell), 0, "%s", shell);
}

static void expect_contact(const AbutContact *read, const AbutContact *seen)
{
	cr_expect(read->body_a == seen->body_a && read->body_b == seen->body_b && read->part_a == seen->part_a &&
	          read->part_b == seen->part_b);
	cr_expect(read->scaling == seen->scaling && read->gap == seen->gap &&
	          read->normal_impulse == seen->normal_impulse);
	cr_expect_arr_eq(read->point, seen->point, sizeof read->point);
	cr_expect_arr_eq(read->normal, seen->normal, sizeof read->normal);
	cr_expect_arr_eq(read->friction_impulse, seen->friction_impulse, sizeof read->friction_impulse);
	cr_expect_eq(read->torsional_impulse, 0.0);
}

Test(run_read, what_a_run_wrote_reads_back_to_the_bit)
{
	static Seen seen;
	char folder[] = "/tmp/abut-test-XXXXXX";
	AbutRunRecord record;
	AbutError error = {0};
	run(folder, &seen);
	cr_assert_eq(abut_run_read(folder, &record, &error), ABUT_OK, "%s:%d: %s", error.file, error.line,
	             error.message);
	cr_expect(record.n_bodies == 3 && record.n_frames == 21 && record.n_steps == 20);
	cr_expect_eq(abut_json_number(abut_json_get(record.summary, "seed")), 7.0);
	cr_expect_str_eq(abut_scene_def(record.scene)->name, "two");
	cr_expect_eq(record.start.energy, seen.energy[0]);
	cr_expect_eq(record.start.momentum[0], 2.0);
	long touching = 0;
	for (long k = 0; k < 21; k++) {
		cr_expect_eq(record.times[k], seen.times[k]);
		for (int i = 0; i < 3; i++) {
			cr_expect_arr_eq(&record.bodies[3 * k + i], &seen.bodies[k][i], sizeof(AbutBodyState));
		}
		const long first = record.first_contact[k];
		cr_assert_eq(record.first_contact[k + 1] - first, seen.n_contacts[k], "frame %ld", k);
		for (int i = 0; i < seen.n_contacts[k]; i++) {
			expect_contact(&record.contacts[first + i], &seen.contacts[k][i]);
			touching += seen.contacts[k][i].part_b == 1;
		}
	}
	cr_expect_gt(touching, 0, "the dumbbell's second ball never came near the floor");
	for (long k = 0; k < 20; k++) {
		const AbutRunStep *step = &record.steps[k];
		const AbutStepInfo *info = &seen.infos[k + 1];
		double momentum = 0.0;
		cr_expect(step->time == seen.times[k + 1] && step->outcome == info->outcome &&
		          step->exact == info->exact && step->retried == info->retried &&
		          step->halvings == info->halvings && step->tries == info->tries &&
		          step->iterations == info->iterations && step->finish_iterations == info->finish_iterations &&
		          step->active_contacts == info->active_contacts && step->kappa == info->kappa &&
		          step->residual == info->residual && step->complementarity == info->complementarity &&
		          step->max_penetration == info->max_penetration);
		cr_expect_eq(step->totals.energy, seen.energy[k + 1]);
		for (int i = 1; i < 3; i++) {
			momentum += abut_model_body_mass(record.model, i) * seen.bodies[k + 1][i].linear_velocity[2];
		}
		cr_expect_float_eq(step->totals.momentum[2], momentum, 1e-12);
	}
	abut_run_record_free(&record);
	cr_expect_null(record.bodies);
	call_in("/tmp", "rm -r '%s'", folder);
}

/* Damages each file in turn by a command. The message names the file, its line and what is allowed. */
Test(run_read, files_that_are_not_of_one_run_are_refused)
{
	static const struct {
		const char *command, *file, *message;
		int line;
		AbutStatus status;
	} cases[] = {
	    {"rm scene.json", "scene.json", "cannot open the scene", 0, ABUT_ERROR_IO},
	    {"rm summary.json", "summary.json", "cannot open the summary", 0, ABUT_ERROR_IO},
	    {"echo '{' > summary.json", "summary.json", "", 2, ABUT_ERROR_PARSE},
	    {"sed -i 's/\"density\": 3/\"density\": -3/' scene.json", "scene.json", "must be a positive, finite number",
	     -1, ABUT_ERROR_PARSE},
	    {"rm trajectory.csv", "trajectory.csv", "cannot open the table", 0, ABUT_ERROR_IO},
	    {"sed -i '1s/,vx,/,ux,/' trajectory.csv", "trajectory.csv", "has no column 'vx'", 1, ABUT_ERROR_PARSE},
	    {"sed -i '4s/,[^,]*$//' trajectory.csv", "trajectory.csv",
	     "a row must have 15 fields, as the first line, has 14", 4, ABUT_ERROR_PARSE},
	    {"sed -i '4s/$/,1/' trajectory.csv", "trajectory.csv",
	     "a row must have 15 fields, as the first line, has 16", 4, ABUT_ERROR_PARSE},
	    {"sed -i '4s/,/,\"/' trajectory.csv", "trajectory.csv", "field 2 has a quote out of place", 4,
	     ABUT_ERROR_PARSE},
	    {"sed -i '1s/$/'$(printf ',x%.0s' $(seq 60))'/' trajectory.csv", "trajectory.csv",
	     "the table has more than 64 columns", 1, ABUT_ERROR_PARSE},
	    {"sed -i '5s/floor/wall/' trajectory.csv", "trajectory.csv",
	     "must be the next body of scene.json, is \"wall\"", 5, ABUT_ERROR_PARSE},
	    {"sed -i '3s/^0,/1,/' trajectory.csv", "trajectory.csv", "must be the time of the row before it", 3,
	     ABUT_ERROR_PARSE},
	    {"sed -i '$d' trajectory.csv", "trajectory.csv", "a row for each of the 3 bodies", 0, ABUT_ERROR_PARSE},
	    {"sed -i '3s/,1$/,1x/' steps.csv; sed -i '3s/,exact,1,/,exact,yes,/' steps.csv", "steps.csv",
	     "must be a whole number from 0 to 2147483647, is \"yes\"", 3, ABUT_ERROR_PARSE},
	    {"sed -i '3s/,exact,/,fine,/' steps.csv", "steps.csv", "must be exact, relaxed, raised-kappa or failed", 3,
	     ABUT_ERROR_PARSE},
	    {"sed -i '$d' steps.csv; sed -i '$d' steps.csv", "steps.csv", "the table has 18 steps, and", 0,
	     ABUT_ERROR_PARSE},
	    {"sed -i '2s/floor/wall/' contacts.csv", "contacts.csv", "must be a body of scene.json, is \"wall\"", 2,
	     ABUT_ERROR_PARSE},
	    {"sed -i '2s/^[^,]*,/9,/' contacts.csv", "contacts.csv", "must be a time of trajectory.csv", 2,
	     ABUT_ERROR_PARSE},
	    {"sed -i 's/,0,1,/,0,2,/' contacts.csv", "contacts.csv", "must be a part of that body, is \"2\"", -1,
	     ABUT_ERROR_PARSE},
	    {"sed -i '3s/,[^,]*$/,one/' contacts.csv", "contacts.csv", "must be a number, is \"one\"", 3,
	     ABUT_ERROR_PARSE},
	};
	static Seen seen;
	char folder[] = "/tmp/abut-test-XXXXXX";
	run(folder, &seen);
	call_in(folder, "mkdir good bad && cp *.* %s", "good");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutRunRecord record;
		AbutError error = {0};
		char bad[64], path[96];
		snprintf(bad, sizeof bad, "%s/bad", folder);
		snprintf(path, sizeof path, "%s/%s", bad, cases[i].file);
		call_in(folder, "cp good/* %s", "bad");
		call_in(bad, "{ %s; }", cases[i].command);
		cr_expect_eq(abut_run_read(bad, &record, &error), cases[i].status, "%s: %s", cases[i].command,
		             error.message);
		cr_expect_str_eq(error.file, path);
		cr_expect(strstr(error.message, cases[i].message), "%s: %s", cases[i].command, error.message);
		cr_expect(cases[i].line < 0 ? error.line > 0 : error.line == cases[i].line, "%s: line %d",
		          cases[i].command, error.line);
		cr_expect_null(record.scene);
		cr_expect_eq(record.n_frames, 0);
	}
	call_in("/tmp", "rm -r '%s'", folder);
}

/* Additional columns, another order and Windows line endings change nothing. */
Test(run_read, columns_are_found_by_their_names)
{
	static Seen seen;
	char folder[] = "/tmp/abut-test-XXXXXX";
	AbutRunRecord record;
	AbutError error = {0};
	run(folder, &seen);
	call_in(folder,
	        "awk -F, -v OFS=, 'NR == 1 { print \"%s\", $0; next } { print \"?\", $0 }' steps.csv > x && "
	        "sed 's/$/\\r/' x > steps.csv",
	        "new");
	cr_assert_eq(abut_run_read(folder, &record, &error), ABUT_OK, "%s: %s", error.file, error.message);
	cr_expect_eq(record.steps[19].totals.energy, seen.energy[20]);
	cr_expect_eq(record.steps[19].active_contacts, seen.infos[20].active_contacts);
	abut_run_record_free(&record);
	call_in("/tmp", "rm -r '%s'", folder);
}

/* A pendulum with a servo, and a weld: the table of joints equals the states, and it may be missing. */
static const char jointed[] =
    "{\"abut\": 1, \"name\": \"arm\", \"duration\": 0.1, \"contacts\": [], \"bodies\": ["
    "{\"name\": \"a\", \"mass\": 1, \"position\": [0.5, 0, 0], \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}, "
    "{\"name\": \"b\", \"mass\": 1, \"position\": [1, 0, 0], \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}, "
    "{\"name\": \"c\", \"mass\": 1, \"position\": [3, 0, 0], \"shape\": {\"type\": \"sphere\", \"radius\": 0.1}}], "
    "\"joints\": [{\"name\": \"weld\", \"type\": \"fixed\", \"parent\": \"a\", \"child\": \"b\", \"anchor\": [1, 0, "
    "0]}, "
    "{\"name\": \"p, q\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"a\", \"anchor\": [0, 0, 0], "
    "\"axis\": [0, 1, 0], \"motor\": {\"type\": \"position\", \"stiffness\": 5, \"target\": 1}}]}";

typedef struct SeenJoints {
	long frames;
	AbutJointState joints[MOST_FRAMES][2];
} SeenJoints;

static AbutStatus see_joints(void *context, const AbutRunView *view, AbutError *error)
{
	(void)error;
	SeenJoints *seen = context;
	cr_assert_lt(seen->frames, MOST_FRAMES);
	for (int i = 0; i < 2; i++) {
		abut_joint_get(view->model, view->state, i, &seen->joints[seen->frames][i]);
	}
	seen->frames++;
	return ABUT_OK;
}

static void expect_joint(const AbutJointState *read, const AbutJointState *state)
{
	cr_expect_eq(read->n_axes, state->n_axes);
	for (int i = 0; i < 3; i++) {
		cr_expect_eq(read->position[i], state->position[i]);
		cr_expect_eq(read->velocity[i], state->velocity[i]);
		cr_expect_eq(read->force[i], state->force[i]);
		cr_expect_eq(read->torque[i], state->torque[i]);
		cr_expect_eq(read->limit_effort[i], state->limit_effort[i]);
		cr_expect_eq(read->friction_effort[i], state->friction_effort[i]);
		cr_expect_eq(read->motor_effort[i], state->motor_effort[i]);
	}
}

Test(run_read, joints_equal_those_of_the_run)
{
	static SeenJoints seen;
	char folder[] = "/tmp/abut_joints_XXXXXX";
	AbutRunRecord record;
	AbutError error;
	run_scene(folder, jointed, sizeof jointed - 1, (AbutRunObserver){see_joints, &seen, false});
	cr_assert_eq(abut_run_read(folder, &record, &error), ABUT_OK, "%s: %s", error.file, error.message);
	cr_assert(record.n_joints == 2 && record.n_frames == seen.frames);
	for (long k = 0; k < record.n_frames; k++) {
		expect_joint(&record.joints[2 * k], &seen.joints[k][0]);
		expect_joint(&record.joints[2 * k + 1], &seen.joints[k][1]);
	}
	cr_expect_neq(record.joints[3].motor_effort[0], 0.0F);
	cr_expect_neq(record.joints[2].force[2], 0.0F);
	abut_run_record_free(&record);

	call_in(folder, "sed -i 's/,weld,/,wold,/' joints.csv", "");
	cr_expect_eq(abut_run_read(folder, &record, &error), ABUT_ERROR_PARSE);
	cr_expect(strstr(error.message, "a joint of scene.json"), "%s", error.message);
	call_in(folder, "rm joints.csv", "");
	cr_assert_eq(abut_run_read(folder, &record, &error), ABUT_OK);
	cr_expect(record.n_joints == 2 && !record.joints);
	abut_run_record_free(&record);
	call_in("/tmp", "rm -r %s", folder);
}

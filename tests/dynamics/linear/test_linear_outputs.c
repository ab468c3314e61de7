/* Compares the derivatives of sensors in joint coordinates with differences: a pose that follows from the state before
 * the step, and means over the step. */
#include <stdio.h>

#include "dynamics/linear/linear_differences.h"

/* Sensors of the state before the step are read there; the others after it. So are rates, which sensors have only after
 * a step. */
static bool is_of_step(AbutSensorType type)
{
	return type == ABUT_SENSOR_IMU || type == ABUT_SENSOR_JOINT_EFFORT || type == ABUT_SENSOR_FORCE_TORQUE ||
	       type == ABUT_SENSOR_CONTACT_FORCE || type == ABUT_SENSOR_JOINT_VELOCITY;
}

/* Reads all sensors of the step from x and u, with entry `column` changed. */
static void read_sensors(LinearCase *c, int column, double by, double *out)
{
	double after[1024], change[512] = {0.0};
	linear_probe(c, column, by, 0);
	abut_sensor_get_all(c->model, c->probe, after);
	if (column < c->n_v) {
		change[column] = by;
	}
	abut_robot_integrate(c->robot, c->q, change, 1.0, c->at);
	memcpy(c->rates, c->qdot, (size_t)c->n_v * sizeof *c->rates);
	if (column >= c->n_v && column < c->n_x) {
		c->rates[column - c->n_v] += by;
	}
	abut_robot_set_state(c->robot, c->at, c->rates, c->probe);
	abut_sensor_get_all(c->model, c->probe, out);
	for (int i = 0; i < abut_model_sensor_count(c->model); i++) {
		if (is_of_step(abut_model_sensor_type(c->model, i))) {
			const int first = abut_model_sensor_first(c->model, i);
			memcpy(&out[first], &after[first],
			       (size_t)abut_model_sensor_channels(c->model, i) * sizeof *out);
		}
	}
}

/* Returns the type of the sensor of a row. */
static AbutSensorType type_of(const AbutModel *model, int row)
{
	int i = abut_model_sensor_count(model) - 1;
	while (abut_model_sensor_first(model, i) > row) {
		i--;
	}
	return abut_model_sensor_type(model, i);
}

/* Returns an entry of (C, D); of a rate after the step, that of C (A, B). */
static double own_entry(const LinearCase *c, const double *C, const double *D, int row, int column)
{
	double sum = 0.0;
	if (type_of(c->model, row) != ABUT_SENSOR_JOINT_VELOCITY) {
		return column < c->n_x ? C[row * c->n_x + column] : D[row * c->n_u + column - c->n_x];
	}
	for (int k = 0; k < c->n_x; k++) {
		sum += C[row * c->n_x + k] *
		       (column < c->n_x ? c->A[k * c->n_x + column] : c->B[k * c->n_u + column - c->n_x]);
	}
	return sum;
}

/* `steps` are taken first. `unknown` is the first sensor without a derivative, of which `n_unknown` values have none;
 * NULL: all have one. */
static void compare_scene(const char *text, int steps, const char *unknown, int n_unknown)
{
	AbutStepInfo info = {.row = 0};
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	LinearCase c;
	AbutError error = {.message = ""};
	int finite = 0, left_out = 0;
	cr_assert_eq(abut_scene_parse(text, strlen(text), "scene", 0, NULL, &scene, &error), ABUT_OK, "%s",
	             error.message);
	cr_assert_eq(abut_model_create(abut_scene_def(scene), &model, &error), ABUT_OK, "%s", error.message);
	linear_begin(&c, model, 0.0);
	for (int i = 0; i < steps; i++) {
		cr_assert_eq(abut_step(model, c.state, c.workspace, &info), ABUT_OK);
	}
	const int n_y = abut_linear_output_count(c.linear), n = c.n_x + c.n_u;
	double *C = linear_array(n_y * c.n_x), *D = linear_array(n_y * c.n_u), low[1024], high[1024];
	cr_assert_eq(abut_robot_get_state(c.robot, c.state, c.q, c.qdot), ABUT_OK);
	cr_assert_eq(linear_take(&c, &error), ABUT_OK, "%s", error.message);
	const AbutStatus status = abut_linear_outputs(c.linear, C, D, &error);
	cr_expect_eq(status, unknown ? ABUT_ERROR_UNSUPPORTED : ABUT_OK, "%s", error.message);
	cr_expect(!unknown || (strstr(error.message, unknown) && strncmp(error.where, "sensors[", 8) == 0), "%s",
	          error.message);
	for (int column = 0; column < n; column++) {
		read_sensors(&c, column, 1e-5, high);
		read_sensors(&c, column, -1e-5, low);
		for (int row = 0; row < n_y; row++) {
			const double own = own_entry(&c, C, D, row, column);
			const double expected = (high[row] - low[row]) / 2e-5;
			if (isnan(own)) {
				left_out++;
				continue;
			}
			finite++;
			cr_expect_leq(fabs(own - expected), 1e-5 * fmax(1.0, fabs(expected)),
			              "row %d, column %d: %.10g, not %.10g", row, column, own, expected);
		}
	}
	cr_expect_eq(left_out, n_unknown * n, "%d", left_out);
	cr_expect_eq(finite, (n_y - n_unknown) * n);
	free(C);
	free(D);
	linear_end(&c);
	abut_model_destroy(model);
	abut_scene_destroy(scene);
}

/* A floating base with a ball and a universal joint, whose motors are `first` and `second`; `rate` is that of its
 * second freedom. */
static void compare_arm(double timestep, int steps, double rate, const char *first, const char *second,
                        const char *unknown, int n_unknown)
{
	static char text[4096];
	snprintf(
	    text, sizeof text,
	    "{ \"abut\": 1, \"name\": \"arm\", \"timestep\": %g, \"duration\": 1, \"bodies\": ["
	    "{ \"name\": \"base\", \"mass\": 2, \"shape\": { \"type\": \"box\", \"half_extents\": [0.3, 0.2, 0.1] },"
	    "  \"position\": [0.1, 0.2, 1], \"linear_velocity\": [0.3, -0.2, 0.5], \"angular_velocity\": [1, 0.5, -2] "
	    "},"
	    "{ \"name\": \"upper\", \"mass\": 1, \"shape\": { \"type\": \"box\", \"half_extents\": [0.05, 0.05, 0.3] },"
	    "  \"position\": [0.1, 0.2, 1.4] },"
	    "{ \"name\": \"lower\", \"mass\": 1, \"shape\": { \"type\": \"box\", \"half_extents\": [0.05, 0.05, 0.3] },"
	    "  \"position\": [0.1, 0.2, 2] }],"
	    "\"contacts\": [],"
	    "\"joints\": ["
	    "{ \"name\": \"shoulder\", \"type\": \"ball\", \"parent\": \"base\", \"child\": \"upper\","
	    "  \"parent_frame\": { \"position\": [0, 0, 0.1] }, \"child_frame\": { \"position\": [0, 0, -0.3] } },"
	    "{ \"name\": \"elbow\", \"type\": \"universal\", \"parent\": \"upper\", \"child\": \"lower\","
	    "  \"parent_frame\": { \"position\": [0, 0, 0.3] }, \"child_frame\": { \"position\": [0, 0, -0.3] },"
	    "  \"motor\": [{ %s }, { %s }] }],"
	    "\"initial\": { \"joints\": { \"shoulder\": [0.3, 0.5, -0.4], \"elbow\": [0.3, -0.2] },"
	    "  \"joint_velocities\": { \"shoulder\": [0.3, -1, 2], \"elbow\": [-0.6, %g] } },"
	    "\"sites\": [{ \"name\": \"tip\", \"body\": \"lower\", \"position\": [0.1, 0.05, 0.3],"
	    "  \"orientation\": [0.8, 0.6, 0, 0] }],"
	    "\"sensors\": ["
	    "{ \"name\": \"tip pose\", \"type\": \"pose\", \"site\": \"tip\" },"
	    "{ \"name\": \"base pose\", \"type\": \"pose\", \"body\": \"base\" },"
	    "{ \"name\": \"tip velocity\", \"type\": \"velocity\", \"site\": \"tip\" },"
	    "{ \"name\": \"imu\", \"type\": \"imu\", \"site\": \"tip\" },"
	    "{ \"name\": \"turn\", \"type\": \"joint_position\", \"joint\": \"shoulder\" },"
	    "{ \"name\": \"bend\", \"type\": \"joint_position\", \"joint\": \"elbow\" },"
	    "{ \"name\": \"rate\", \"type\": \"joint_velocity\", \"joint\": \"shoulder\" },"
	    "{ \"name\": \"effort\", \"type\": \"joint_effort\", \"joint\": \"elbow\" }%s] }",
	    timestep, first, second, rate,
	    n_unknown >= 6 ? ", { \"name\": \"load\", \"type\": \"force_torque\", \"joint\": \"elbow\" }" : "");
	compare_scene(text, steps, unknown, n_unknown);
}

#define SERVO "\"type\": \"position\", \"stiffness\": 5, \"damping\": 0.2, \"target\": 0.4"

Test(linear_outputs, equal_differences)
{
	compare_arm(0.01, 0, 0.8, SERVO, "\"type\": \"force\", \"target\": 1, \"limit\": 3", "'load'", 6);
	compare_arm(0.01, 3, 0.8, SERVO, "\"type\": \"velocity\", \"damping\": 0.3, \"target\": 2", NULL, 0);
}

/* The effort of a motor at its limit is constant. */
Test(linear_outputs, equal_differences_of_saturated_motors)
{
	compare_arm(0.01, 0, 0.8, SERVO ", \"limit\": 0.1", "\"type\": \"force\", \"target\": 4, \"limit\": 3", NULL,
	            0);
	compare_arm(0.01, 0, 0.8, SERVO ", \"limit\": 9",
	            "\"type\": \"velocity\", \"damping\": 30, \"target\": 9, \"limit\": 2", NULL, 0);
}

/* Tests abut linearise: its formats, the system of a pendulum, and what it refuses. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/call.h"

TestSuite(linearise, .init = set_up, .fini = tear_down);

static const char pendulum[] =
    "{ \"abut\": 1, \"name\": \"rod\", \"timestep\": 0.01, \"duration\": 1, \"contacts\": [],"
    "  \"bodies\": [{ \"name\": \"rod\", \"mass\": 2, \"shape\": { \"type\": \"box\", \"half_extents\": [0.05, 0.05, "
    "0.5] },"
    "    \"position\": [0, 0, -0.5] }],"
    "  \"joints\": [{ \"name\": \"pivot\", \"type\": \"hinge\", \"parent\": \"world\", \"child\": \"rod\","
    "    \"anchor\": [0, 0, 0], \"axis\": [0, 1, 0], \"damping\": 0.3, \"motor\": { \"type\": \"force\", \"target\": 0 "
    "} }],"
    "  \"sensors\": [{ \"name\": \"angle\", \"type\": \"joint_position\", \"joint\": \"pivot\" },"
    "    { \"name\": \"load\", \"type\": \"force_torque\", \"joint\": \"pivot\" }] }";

/* Returns entry (row, column) of a matrix of the object. */
static double entry(const cJSON *object, const char *matrix, int row, int column)
{
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(object, matrix);
	return cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetArrayItem(rows, row), column));
}

/* J (w+ - w) = dt (-m g l q - d w+ + u), q+ = q + dt w+ at the pose hanging down. */
Test(linearise, writes_the_system_of_a_pendulum)
{
	static Call result;
	const double J = 2.0 / 3.0 * (0.05 * 0.05 + 0.25) + 2.0 * 0.25, I = J + 0.01 * 0.3;
	write_file("rod.json", pendulum);
	call(&result, "linearise rod.json --json --seed 3");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.err, "the derivative of sensor 'load' is not known"), "%s", result.err);
	cJSON *object = parse_json(result.out);
	cr_expect_float_eq(entry(object, "A", 1, 0), -0.01 * 2.0 * 9.81 * 0.5 / I, 1e-9);
	cr_expect_float_eq(entry(object, "A", 1, 1), J / I, 1e-9);
	cr_expect_float_eq(entry(object, "A", 0, 1), 0.01 * J / I, 1e-9);
	cr_expect_float_eq(entry(object, "B", 1, 0), 0.01 / I, 1e-9);
	cr_expect_float_eq(entry(object, "C", 0, 0), 1.0, 1e-12);
	cr_expect(isnan(entry(object, "C", 1, 0)));
	cr_expect_eq(number(object, "timestep"), 0.01);
	cr_expect_eq(number(object, "seed"), 3.0);
	cr_expect_str_eq(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "state_names"), 1)->valuestring,
	                 "pivot.rate");
	cJSON_Delete(object);
}

/* The printed table is the file, and --at takes a later step. */
Test(linearise, writes_tables_and_archives)
{
	static Call result;
	static char file[1 << 16];
	char path[96];
	write_file("rod.json", pendulum);
	call(&result, "linearise rod.json --out rod.csv");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, "rod: step at 0 s: 2 states, 1 inputs, 7 outputs, timestep 0.01 s\nrod.csv\n");
	snprintf(path, sizeof path, "%s/rod.csv", folder);
	read_file(path, file, sizeof file);
	cr_expect_eq(count_lines(file), 1 + 3 + 4 + 2 + 14 + 7 + 5);
	call(&result, "linearise rod.json");
	cr_expect_str_eq(result.out, file);
	call(&result, "linearise rod.json --at 0.57"); /* not a multiple of 0.01 in binary */
	cr_expect_eq(result.status, 0, "%s", result.err);
	call(&result, "linearise " SCENES "double_pendulum.json --at 0.5 --out later.npz");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "step at 0.5 s"), "%s", result.out);
	cr_expect(exists("later.npz"));
}

Test(linearise, wrong_calls_are_refused)
{
	static Call result;
	static const struct {
		const char *arguments, *message;
		int status;
	} cases[] = {
	    {"linearise rod.json --out rod.txt", "--out is 'rod.txt'; its name must end with .npz or .csv", 2},
	    {"linearise rod.json --at -1", "--at is -1 s; it must be 0 or later", 2},
	    {"linearise rod.json --kappa-gradient 2", "--kappa-gradient is 2; it must be 0", 2},
	    {"linearise rod.json --casadi 1.c", "--casadi is '1.c'; it must be the name of a function in C", 2},
	    {"linearise rod.json --at 1e300", "--at is 1e+300 s, which is 1e+302 steps of 0.01 s; it must be at most",
	     2},
	    {"linearise rod.json --at 1e18", "it must be at most 1000000000 steps, 1e+07 s", 2},
	    {"linearise rod.json --at 0.014",
	     "--at is 0.014 s; no step of 0.01 s begins there, the nearest one begins at 0.01 s", 2},
	    {"linearise rod.json --at 0.0100001", "--at is 0.0100001 s; no step of 0.01 s begins there", 2},
	    {"linearise rod.json --casadi int.c", "--casadi is 'int.c'; 'int' is a word of C compilers", 2},
	    {"linearise rod.json --casadi a/nullptr.c", "'nullptr' is a word of C compilers", 2},
	    {"linearise rod.json --casadi own_load.c", "must not begin with _, abut, casadi_ or own_", 2},
	    {"linearise rod.json --casadi Abut_step.c", "must not begin with _, abut, casadi_ or own_", 2},
	    {"linearise rod.json --casadi __step.c", "must not begin with _, abut, casadi_ or own_", 2},
	    {"linearise rod.json --casadi rod.c --json", "it goes without --out, --json and --at", 2},
	    {"linearise missing.json", "missing.json", 2},
	    {"linearise " SCENES "hopper.json --at 1 --kappa-gradient 0",
	     "the step that begins at 1 s has no derivative", 1},
	};
	write_file("rod.json", pendulum);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		call(&result, cases[i].arguments);
		cr_expect_eq(result.status, cases[i].status, "%s: %d", cases[i].arguments, result.status);
		cr_expect(strstr(result.err, cases[i].message), "%s: %s", cases[i].arguments, result.err);
	}
}

Test(linearise, writes_a_function_for_casadi)
{
	static Call result;
	static char file[1 << 16];
	char path[96];
	write_file("rod.json", pendulum);
	call(&result, "linearise rod.json --set gravity=[0,0,-1] --casadi rod_step.c");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, "rod: function rod_step of x (2) and u (1)\nrod_step.c\n");
	snprintf(path, sizeof path, "%s/rod_step.c", folder);
	read_file(path, file, sizeof file);
	cr_expect(
	    strstr(file, "#define OWN_FUNCTION rod_step\n#define OWN_N_Q 1\n#define OWN_N_V 1\n#define OWN_N_U 1\n"));
	cr_expect(strstr(file, "{\"gravity=[0,0,-1]\", NULL};"));
}

/* abut grad --coordinates joint prints the same matrices, and columns of parameters. */
Test(linearise, grad_has_the_same_blocks_in_joint_coordinates)
{
	static Call result;
	write_file("rod.json", pendulum);
	call(&result, "linearise rod.json --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *system = parse_json(result.out);
	call(&result, "grad rod.json --coordinates joint --wrt joint_state,motor,joint_damping --json");
	cr_assert_eq(result.status, 0, "%s", result.err);
	cJSON *object = parse_json(result.out);
	const cJSON *blocks = cJSON_GetObjectItemCaseSensitive(object, "blocks");
	const cJSON *state = cJSON_GetObjectItemCaseSensitive(blocks, "joint_state");
	const cJSON *motor = cJSON_GetObjectItemCaseSensitive(blocks, "motor");
	cr_expect_eq(number(state, "cols"), 2.0);
	cr_expect_eq(number(cJSON_GetObjectItemCaseSensitive(blocks, "joint_damping"), "rows"), 2.0);
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 2; k++) {
			cr_expect_float_eq(entry(state, "data", i, k), entry(system, "A", i, k), 1e-15);
		}
		cr_expect_float_eq(entry(motor, "data", i, 0), entry(system, "B", i, 0), 1e-15);
	}
	cr_expect_str_eq(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(state, "columns"), 1)->valuestring,
	                 "pivot.rate");
	cJSON_Delete(object);
	cJSON_Delete(system);
	call(&result, "grad rod.json --coordinates joint");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "  pivot by pivot\n"), "%s", result.out);
	call(&result, "grad rod.json --coordinates joint --wrt input");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "--wrt names 'input'"), "%s", result.err);
	call(&result, "grad rod.json --coordinates joint --check");
	cr_expect(strstr(result.err, "--check compares derivatives in maximal coordinates"), "%s", result.err);
	call(&result, "grad rod.json --coordinates polar");
	cr_expect(strstr(result.err, "--coordinates is 'polar'; it must be maximal (of the bodies) or joint"), "%s",
	          result.err);
	call(&result,
	     "grad " SCENES "hopper.json --coordinates joint --kappa-gradient 1e-4 --step 20 --wrt joint_state");
	cr_expect_eq(result.status, 0, "%s", result.err);
}

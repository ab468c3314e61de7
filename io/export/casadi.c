/* Writes a step of a scene as C source with the symbols that CasADi's function external() looks up in a shared object
 * (https://web.casadi.org/docs, "Using external functions"). The source is complete but for the library: it loads the
 * scene, and takes steps and their derivatives by functions of abut/abut.h. Called as CasADi does in
 * tests/python/test_casadi.py. */
#include "io/export/casadi.h"

#include "abut/version.h"
#include "io/text/number.h"

/* What does not depend on the scene. FUNCTION, N_Q, N_V, N_U, KAPPA, SCENE and OVERRIDES are defined above it. */
static const char body[] =
    "enum { N = N_Q + N_V, MEMORIES = 64 };\n"
    "\n"
    "/* What a step needs. Each caller checks one out. */\n"
    "typedef struct Memory {\n"
    "\tAbutScene *scene;\n"
    "\tAbutModel *model;\n"
    "\tAbutState *state;\n"
    "\tAbutWorkspace *workspace;\n"
    "\tAbutRobot *robot;\n"
    "\tAbutLinear *linear;\n"
    "\tint used;\n"
    "} Memory;\n"
    "\n"
    "static Memory own_memories[MEMORIES];\n"
    "static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "\n"
    "static void own_forget(Memory *memory)\n"
    "{\n"
    "\tabut_linear_destroy(memory->linear);\n"
    "\tabut_robot_destroy(memory->robot);\n"
    "\tabut_workspace_destroy(memory->workspace);\n"
    "\tabut_state_destroy(memory->state);\n"
    "\tabut_model_destroy(memory->model);\n"
    "\tabut_scene_destroy(memory->scene);\n"
    "\t*memory = (Memory){0};\n"
    "}\n"
    "\n"
    "/* Loads the scene; fails if its robot has another size than when this file was written. */\n"
    "static int own_load(Memory *memory)\n"
    "{\n"
    "\tAbutError error = {0};\n"
    "\tint failed = abut_scene_load(SCENE, N_OVERRIDES, overrides, &memory->scene, &error) != ABUT_OK ||\n"
    "\t             abut_model_create(abut_scene_def(memory->scene), &memory->model, &error) != ABUT_OK ||\n"
    "\t             abut_state_create(memory->model, &memory->state, &error) != ABUT_OK ||\n"
    "\t             abut_workspace_create(memory->model, &memory->workspace, &error) != ABUT_OK ||\n"
    "\t             abut_robot_create(memory->model, &memory->robot, &error) != ABUT_OK ||\n"
    "\t             abut_linear_create(memory->model, KAPPA, &memory->linear, &error) != ABUT_OK;\n"
    "\tif (failed) {\n"
    "\t\tfprintf(stderr, \"%s: %s\\n\", SCENE, error.message);\n"
    "\t} else if (abut_robot_coordinate_count(memory->robot) != N_Q ||\n"
    "\t           abut_robot_velocity_count(memory->robot) != N_V ||\n"
    "\t           abut_linear_input_count(memory->linear) != N_U) {\n"
    "\t\tfprintf(stderr, \"%s: the scene has changed; write this file again with abut linearise\\n\", SCENE);\n"
    "\t\tfailed = 1;\n"
    "\t}\n"
    "\treturn failed;\n"
    "}\n"
    "\n"
    "static int own_checkout(void)\n"
    "{\n"
    "\tint found = -1;\n"
    "\tpthread_mutex_lock(&own_lock);\n"
    "\tfor (int i = 0; found < 0 && i < MEMORIES; i++) {\n"
    "\t\tfound = own_memories[i].used ? -1 : i;\n"
    "\t}\n"
    "\tif (found >= 0 && !own_memories[found].linear && own_load(&own_memories[found])) {\n"
    "\t\town_forget(&own_memories[found]);\n"
    "\t\tfound = -1;\n"
    "\t}\n"
    "\tif (found >= 0) {\n"
    "\t\town_memories[found].used = 1;\n"
    "\t}\n"
    "\tpthread_mutex_unlock(&own_lock);\n"
    "\treturn found;\n"
    "}\n"
    "\n"
    "static void own_release(int mem)\n"
    "{\n"
    "\tpthread_mutex_lock(&own_lock);\n"
    "\town_memories[mem].used = 0; /* kept for the next caller */\n"
    "\tpthread_mutex_unlock(&own_lock);\n"
    "}\n"
    "\n"
    "/* Sets the state and the targets of the motors; NULL is zero. Quaternions become normal; norms receives their\n"
    " * lengths, and 1 elsewhere. */\n"
    "static int own_place(Memory *memory, const casadi_real *x, const casadi_real *u, double norms[N_Q + 1])\n"
    "{\n"
    "\tdouble q[N_Q + 1] = {0}, qdot[N_V + 1] = {0};\n"
    "\tfor (int i = 0; i < N_Q; i++) {\n"
    "\t\tq[i] = x ? x[i] : 0;\n"
    "\t\tnorms[i] = 1;\n"
    "\t}\n"
    "\tfor (int i = 0; x && i < N_V; i++) {\n"
    "\t\tqdot[i] = x[N_Q + i];\n"
    "\t}\n"
    "\tfor (int i = 0; i < abut_model_body_count(memory->model); i++) {\n"
    "\t\tconst int base = abut_robot_base_coordinate(memory->robot, i);\n"
    "\t\tconst char *end = base < 0 ? NULL : strrchr(abut_robot_coordinate_name(memory->robot, base + 3), '.');\n"
    "\t\tif (end && strcmp(end, \".qw\") == 0) {\n"
    "\t\t\tdouble *o = &q[base + 3], norm = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2] + o[3] * o[3]);\n"
    "\t\t\tfor (int k = 0; k < 4; k++) {\n"
    "\t\t\t\to[k] /= norm;\n"
    "\t\t\t\tnorms[base + 3 + k] = norm;\n"
    "\t\t\t}\n"
    "\t\t}\n"
    "\t}\n"
    "\tif (abut_robot_set_state(memory->robot, q, qdot, memory->state) != ABUT_OK) {\n"
    "\t\tfprintf(stderr, \"%s\\n\", abut_robot_error(memory->robot)->message);\n"
    "\t\treturn 1;\n"
    "\t}\n"
    "\tint failed = 0;\n"
    "\tfor (int i = 0; i < N_U; i++) {\n"
    "\t\tconst AbutParameter motor = abut_linear_input(memory->linear, i);\n"
    "\t\tfailed |= abut_state_set_motor(memory->model, memory->state, motor.part, motor.index, u ? u[i] : 0) !=\n"
    "\t\t          ABUT_OK;\n"
    "\t}\n"
    "\treturn failed;\n"
    "}\n"
    "\n"
    "static int own_step(Memory *memory, casadi_real *next)\n"
    "{\n"
    "\tAbutStepInfo info = {0};\n"
    "\tif (abut_step(memory->model, memory->state, memory->workspace, &info) != ABUT_OK ||\n"
    "\t    info.outcome == ABUT_OUTCOME_FAILED) {\n"
    "\t\treturn 1;\n"
    "\t}\n"
    "\treturn next && abut_robot_get_state(memory->robot, memory->state, next, next + N_Q) != ABUT_OK;\n"
    "}\n"
    "\n"
    "/* Copies a row-major matrix to the columns of CasADi, and divides column c by norms[c] (NULL: by 1). */\n"
    "static void own_transpose(int columns, const double *from, const double *norms, casadi_real *to)\n"
    "{\n"
    "\tfor (int c = 0; c < columns; c++) {\n"
    "\t\tfor (int r = 0; r < N; r++) {\n"
    "\t\t\tto[c * N + r] = from[r * columns + c] / (norms && c < N_Q ? norms[c] : 1);\n"
    "\t\t}\n"
    "\t}\n"
    "}\n"
    "\n"
    "static int own_differentiate(Memory *memory, const double *norms, casadi_real *by_x, casadi_real *by_u)\n"
    "{\n"
    "\tAbutStepInfo info = {0};\n"
    "\tAbutError error = {0};\n"
    "\tdouble *A = malloc(sizeof(double) * N * (N + N_U) + 1), *B = A + N * N;\n"
    "\tint failed = !A || abut_linear_step(memory->linear, memory->state, memory->workspace, &info) != ABUT_OK ||\n"
    "\t             abut_linear_numbers(memory->linear, A, B, &error) != ABUT_OK;\n"
    "\tif (!failed && by_x) {\n"
    "\t\town_transpose(N, A, norms, by_x);\n"
    "\t}\n"
    "\tif (!failed && by_u) {\n"
    "\t\town_transpose(N_U, B, NULL, by_u);\n"
    "\t}\n"
    "\tif (failed) {\n"
    "\t\tfprintf(stderr, \"no derivative: %s\\n\", error.message);\n"
    "\t}\n"
    "\tfree(A);\n"
    "\treturn failed;\n"
    "}\n"
    "\n"
    "/* --- the symbols --- */\n"
    "\n"
    "#define JOIN_(a, b) a##b\n"
    "#define JOIN(a, b) JOIN_(a, b)\n"
    "#define OF(suffix) JOIN(FUNCTION, suffix)\n"
    "#define OF_JAC(suffix) JOIN(JOIN(jac_, FUNCTION), suffix)\n"
    "#if defined(__GNUC__)\n"
    "#define SYMBOL __attribute__((visibility(\"default\")))\n"
    "#else\n"
    "#define SYMBOL\n"
    "#endif\n"
    "\n"
    "SYMBOL void OF(_incref)(void) {}\n"
    "SYMBOL void OF(_decref)(void) {}\n"
    "SYMBOL int OF(_checkout)(void) { return own_checkout(); }\n"
    "SYMBOL void OF(_release)(int mem) { own_release(mem); }\n"
    "SYMBOL casadi_int OF(_n_in)(void) { return 2; }\n"
    "SYMBOL casadi_int OF(_n_out)(void) { return 1; }\n"
    "SYMBOL const char *OF(_name_in)(casadi_int i) { return i == 0 ? \"x\" : i == 1 ? \"u\" : NULL; }\n"
    "SYMBOL const char *OF(_name_out)(casadi_int i) { return i == 0 ? \"x_next\" : NULL; }\n"
    "SYMBOL const casadi_int *OF(_sparsity_in)(casadi_int i) { return i == 0 ? of_x : i == 1 ? of_u : NULL; }\n"
    "SYMBOL const casadi_int *OF(_sparsity_out)(casadi_int i) { return i == 0 ? of_x : NULL; }\n"
    "SYMBOL int OF(_work)(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)\n"
    "{\n"
    "\tif (sz_arg) *sz_arg = 2;\n"
    "\tif (sz_res) *sz_res = 1;\n"
    "\tif (sz_iw) *sz_iw = 0;\n"
    "\tif (sz_w) *sz_w = 0;\n"
    "\treturn 0;\n"
    "}\n"
    "SYMBOL int FUNCTION(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)\n"
    "{\n"
    "\tdouble norms[N_Q + 1];\n"
    "\t(void)iw;\n"
    "\t(void)w;\n"
    "\treturn mem < 0 || own_place(&own_memories[mem], arg[0], arg[1], norms) || own_step(&own_memories[mem], "
    "res[0]);\n"
    "}\n"
    "\n"
    "SYMBOL void OF_JAC(_incref)(void) {}\n"
    "SYMBOL void OF_JAC(_decref)(void) {}\n"
    "SYMBOL int OF_JAC(_checkout)(void) { return own_checkout(); }\n"
    "SYMBOL void OF_JAC(_release)(int mem) { own_release(mem); }\n"
    "SYMBOL casadi_int OF_JAC(_n_in)(void) { return 3; }\n"
    "SYMBOL casadi_int OF_JAC(_n_out)(void) { return 2; }\n"
    "SYMBOL const char *OF_JAC(_name_in)(casadi_int i)\n"
    "{\n"
    "\treturn i == 2 ? \"out_x_next\" : OF(_name_in)(i);\n"
    "}\n"
    "SYMBOL const char *OF_JAC(_name_out)(casadi_int i)\n"
    "{\n"
    "\treturn i == 0 ? \"jac_x_next_x\" : i == 1 ? \"jac_x_next_u\" : NULL;\n"
    "}\n"
    "SYMBOL const casadi_int *OF_JAC(_sparsity_in)(casadi_int i) { return i == 2 ? empty : OF(_sparsity_in)(i); }\n"
    "SYMBOL const casadi_int *OF_JAC(_sparsity_out)(casadi_int i) { return i == 0 ? by_x : i == 1 ? by_u : NULL; }\n"
    "SYMBOL int OF_JAC(_work)(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)\n"
    "{\n"
    "\tOF(_work)(sz_arg, sz_res, sz_iw, sz_w);\n"
    "\tif (sz_arg) *sz_arg = 3;\n"
    "\tif (sz_res) *sz_res = 2;\n"
    "\treturn 0;\n"
    "}\n"
    "SYMBOL int JOIN(jac_, FUNCTION)(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int "
    "mem)\n"
    "{\n"
    "\tdouble norms[N_Q + 1];\n"
    "\t(void)iw;\n"
    "\t(void)w;\n"
    "\treturn mem < 0 || own_place(&own_memories[mem], arg[0], arg[1], norms) ||\n"
    "\t       own_differentiate(&own_memories[mem], norms, res[0], res[1]);\n"
    "}\n";

/* Writes a string literal. */
static void write_literal(const char *text, FILE *file)
{
	fputc('"', file);
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '?') {
			fprintf(file, "\\%03o", c);
		} else {
			fputc(c, file);
		}
	}
	fputc('"', file);
}

/* Writes a dense pattern in compressed columns: sizes, first entry of each column, and row of each entry. */
static void write_dense(const char *name, int rows, int columns, FILE *file)
{
	fprintf(file, "static const casadi_int %s[] = {%d, %d", name, rows, columns);
	for (int c = 0; c <= columns; c++) {
		fprintf(file, ", %d", c * rows);
	}
	for (int i = 0; i < rows * columns; i++) {
		fprintf(file, "%s%d", i % 32 == 0 ? ",\n\t" : ", ", i % rows);
	}
	fputs("};\n", file);
}

void abut_casadi_write(const AbutCasadi *of, FILE *file)
{
	const int n = of->n_q + of->n_v;
	char kappa[ABUT_NUMBER_SIZE];
	fprintf(file,
	        "/* A step of a scene for CasADi's external(), written by abut %s. Compile it to a shared object:\n"
	        " *\n"
	        " *     cc -O2 -shared -fPIC %s.c $(pkg-config --cflags --libs abut) -o %s.so\n"
	        " */\n"
	        "#include <abut/abut.h>\n#include <math.h>\n#include <pthread.h>\n#include <stdio.h>\n#include "
	        "<stdlib.h>\n#include <string.h>\n\n"
	        "#ifndef casadi_real\n#define casadi_real double\n#endif\n"
	        "#ifndef casadi_int\n#define casadi_int long long int\n#endif\n\n"
	        "#define FUNCTION %s\n#define N_Q %d\n#define N_V %d\n#define N_U %d\n#define KAPPA %s\n"
	        "#define N_OVERRIDES %d\n#define SCENE ",
	        abut_version(), of->function, of->function, of->function, of->n_q, of->n_v, of->n_u,
	        abut_number_text(of->kappa, kappa), of->n_overrides);
	write_literal(of->scene, file);
	fputs("\nstatic const char *const overrides[N_OVERRIDES + 1] = {", file);
	for (int i = 0; i < of->n_overrides; i++) {
		write_literal(of->overrides[i], file);
		fputs(", ", file);
	}
	fputs("NULL};\n\n", file);
	write_dense("of_x", n, 1, file);
	write_dense("of_u", of->n_u, 1, file);
	write_dense("by_x", n, n, file);
	write_dense("by_u", n, of->n_u, file);
	fprintf(file, "static const casadi_int empty[] = {%d, 1, 0, 0};\n\n", n);
	fputs(body, file);
}

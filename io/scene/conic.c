/* Reads a conic shape: the points p for which some eps puts the rows h + d - A p - B eps into the given cones. */
#include "io/scene/conic.h"

#include <stdlib.h>

#include "io/json/read.h"
#include "io/scene/values.h"

typedef struct Lists {
	double *A, *B, *d, *h;
	int *soc;
} Lists;

static void release(Lists *lists)
{
	free(lists->A);
	free(lists->B);
	free(lists->d);
	free(lists->h);
	free(lists->soc);
}

static void check_count(const AbutNode *node, const char *key, int n, int n_rows)
{
	AbutNode member;
	if (abut_node_ok(node) && n != n_rows && abut_node_get(node, key, &member)) {
		abut_node_fail(&member, ABUT_ERROR_PARSE, "must have an entry for each of the %d rows of A, has %d",
		               n_rows, n);
	}
}

/* Reads B, which is optional. Its first row determines the number of columns. */
static void read_B(const AbutNode *node, AbutConicData *data, Lists *lists)
{
	AbutNode member, row;
	if (!abut_node_get(node, "B", &member) || !abut_node_check_array(&member, "an array of rows") ||
	    !abut_node_first(&member, &row) || !abut_node_check_array(&row, "an array of numbers")) {
		return;
	}
	int n = 0;
	data->n_eps = abut_json_count(row.value);
	if (data->n_eps == 0) {
		abut_node_fail_expected(&row, "an array that is not empty; leave B out where there is no eps");
		return;
	}
	if (data->n_eps == 1) { /* even rows with one number must be arrays */
		n = abut_json_count(member.value);
		lists->B = malloc((size_t)n * sizeof *lists->B);
		if (!lists->B) {
			abut_node_fail_memory(node);
			return;
		}
		for (bool more = true; more; more = abut_node_next(&row)) {
			abut_node_vector(&row, 1, ABUT_ANY, &lists->B[row.index]);
		}
	} else {
		lists->B = abut_scene_read_rows(node, "B", data->n_eps, &n);
	}
	check_count(node, "B", n, data->n_rows);
}

static void read_cones(const AbutNode *node, AbutConicData *data, Lists *lists)
{
	AbutNode cones, soc, entry;
	if (!abut_node_require(node, "cones", &cones) || !abut_node_check_keys(&cones, &abut_keys_cones)) {
		return;
	}
	abut_read_integer(&cones, "orthant", 0, data->n_rows, &data->n_orthant);
	if (!abut_node_get(&cones, "soc", &soc) || !abut_node_check_array(&soc, "an array of numbers of rows")) {
		return;
	}
	data->n_soc = abut_json_count(soc.value);
	lists->soc = calloc((size_t)data->n_soc + 1, sizeof *lists->soc);
	if (!lists->soc) {
		abut_node_fail_memory(node);
		return;
	}
	for (bool more = abut_node_first(&soc, &entry); more; more = abut_node_next(&entry)) {
		abut_node_integer(&entry, 2, data->n_rows > 2 ? data->n_rows : 2, &lists->soc[entry.index]);
	}
}

AbutStatus abut_scene_read_conic(const AbutNode *node, AbutShape **out, AbutError *error)
{
	Lists lists = {NULL};
	AbutConicData data = {.n_rows = 0};
	int n_d = 0, n_h = 0;
	lists.A = abut_scene_read_rows(node, "A", 3, &data.n_rows);
	lists.d = abut_scene_read_rows(node, "d", 1, &n_d);
	lists.h = abut_scene_read_rows(node, "h", 1, &n_h);
	check_count(node, "d", n_d, data.n_rows);
	check_count(node, "h", n_h, data.n_rows);
	read_B(node, &data, &lists);
	read_cones(node, &data, &lists);
	data.A = lists.A;
	data.B = lists.B;
	data.d = lists.d;
	data.h = lists.h;
	data.soc_dim = lists.soc;
	const AbutStatus status = abut_node_ok(node) ? abut_shape_create_conic(&data, out, error) : ABUT_OK;
	release(&lists);
	return status;
}

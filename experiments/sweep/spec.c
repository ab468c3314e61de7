/* From the tree of a spec to a sweep. */
#include "experiments/sweep/spec.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiments/sweep/spec_axes.h"
#include "experiments/sweep/spec_overrides.h"
#include "io/text/words.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

const AbutKeySet abut_sweep_keys = {
    "a sweep",
    KEYS("$schema", "abut_sweep", "name", "scenes", "methods", "set", "settings", "parameters", "joined", "random",
         "seeds", "stands_within"),
    KEYS(NULL),
};
const AbutKeySet abut_sweep_keys_scene = {"a scene of a sweep", KEYS("file", "name", "set", "random"), KEYS(NULL)};
const AbutKeySet abut_sweep_keys_seeds = {"seeds", KEYS("first", "count"), KEYS(NULL)};

static void read_version(const AbutNode *root)
{
	AbutNode version;
	double value = 0.0;
	if (abut_node_require(root, "abut_sweep", &version)) {
		abut_node_number(&version, ABUT_ANY, &value);
	}
	if (abut_node_ok(root) && value != 1.0) {
		abut_node_fail(&version, ABUT_ERROR_UNSUPPORTED, "must be 1, the version of the sweep format, is %.9g",
		               value);
	}
}

static void read_name(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode node;
	const char *name = NULL;
	char *stem = NULL;
	if (abut_node_get(root, "name", &node)) {
		abut_node_name(&node, &name);
	} else {
		name = stem = abut_text_stem(sweep->source.name);
	}
	if (name) {
		snprintf(sweep->name, sizeof sweep->name, "%s", name);
	} else {
		abut_node_fail_memory(root);
	}
	free(stem);
}

static void read_seeds(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode seeds, first;
	int count = 1;
	double start = 0.0;
	if (abut_node_get(root, "seeds", &seeds) && abut_node_check_keys(&seeds, &abut_sweep_keys_seeds)) {
		abut_read_integer(&seeds, "count", 1, ABUT_SWEEP_MAX_RUNS, &count);
		if (abut_node_get(&seeds, "first", &first)) {
			abut_node_number(&first, ABUT_ANY, &start);
			if (abut_node_ok(&first) &&
			    !(start >= 0.0 && start <= 0x1p53 - 1.0 && start == (double)(unsigned long long)start)) {
				abut_node_fail_expected(&first, "an integer from 0 to 2^53 - 1");
			}
		}
	}
	sweep->seed_count = count;
	sweep->first_seed = (unsigned long long)start;
}

static void count_runs(AbutSweep *sweep, const AbutNode *root)
{
	double runs = (double)sweep->seed_count;
	for (int i = 0; i < sweep->n_axes; i++) {
		runs *= sweep->axes[i].count;
	}
	if (abut_node_ok(root) && runs > ABUT_SWEEP_MAX_RUNS) {
		abut_node_fail(root, ABUT_ERROR_PARSE, "this is a grid of %.6g runs, more than %d, the most allowed",
		               runs, (int)ABUT_SWEEP_MAX_RUNS);
	}
	sweep->run_count = abut_node_ok(root) ? (long)runs : 0;
}

void abut_sweep_read(AbutSweep *sweep, const AbutNode *root)
{
	AbutNode node;
	if (!abut_node_check_keys(root, &abut_sweep_keys)) {
		return;
	}
	read_version(root);
	read_name(sweep, root);
	abut_sweep_read_axes(sweep, root);
	if (abut_node_get(root, "set", &node)) {
		abut_sweep_read_overrides(&node, &sweep->overrides);
	}
	if (abut_node_get(root, "random", &node)) {
		abut_sweep_read_random(&node, &sweep->random);
	}
	read_seeds(sweep, root);
	abut_read_number(root, "stands_within", ABUT_POSITIVE, &sweep->stands_within);
	count_runs(sweep, root);
}

/* The comparison as one JSON object (docs/interface.md). */
#include "cli/bench_peers_json.h"

#include <stdio.h>

#include "cli/cli.h"
#include "cli/json_print.h"
#include "experiments/peers/comparison.h"
#include "experiments/peers/measure.h"
#include "experiments/peers/scenes.h"
#include "io/text/number.h"

static void print_row(int which, int engine, const AbutPeerResult *results)
{
	const AbutPeerResult *row = &results[engine];
	const int reference = abut_peer_reference();
	printf("\n  {\"name\": \"%s\", \"engine\": \"%s\", \"bodies\": %d, \"steps\": %ld", abut_peer_case(which)->name,
	       abut_peer_engine(engine)->name, abut_peer_case(which)->count, row->steps);
	abut_print_number("timestep", abut_peer_case(which)->timestep);
	abut_print_number("step_time_us_median", row->us_median);
	abut_print_number("step_time_us_mean", row->us_mean);
	abut_print_number("step_time_us_p99", row->us_p99);
	if (reference >= 0) {
		abut_print_number("ratio_median", row->us_median / results[reference].us_median);
		abut_print_number("ratio_mean", row->us_mean / results[reference].us_mean);
	} else {
		printf(", \"ratio_median\": null, \"ratio_mean\": null");
	}
	abut_print_number("exact_share", row->exact_share);
	abut_print_number("max_penetration", row->penetration);
	abut_print_number("momentum_mean", row->momentum);
	printf(", \"failed_steps\": %ld}", row->failed_steps);
}

static void print_trial(const AbutPeerTrial *trial)
{
	printf("{\"frequency\": ");
	abut_json_write_number(stdout, trial->frequency);
	abut_print_number("max_penetration", trial->penetration);
	abut_print_number("cpu_ms_per_second", trial->cpu_ms);
	printf("}");
}

static void print_search(int engine, const AbutPeerSearch *search)
{
	printf("\n  {\"engine\": \"%s\", \"found\": %s", abut_peer_engine(engine)->name,
	       search->found.below ? "true" : "false");
	abut_print_number("frequency", search->found.frequency);
	abut_print_number("max_penetration", search->found.penetration);
	abut_print_number("cpu_ms_per_second", search->found.cpu_ms);
	printf(", \"trials\": [");
	for (int i = 0; i < search->count; i++) {
		printf("%s", i > 0 ? ", " : "");
		print_trial(&search->trials[i]);
	}
	printf("]}");
}

/* true, false, or null where nothing can be said. */
static const char *verdict_word(AbutPeerVerdict verdict)
{
	static const char *const words[] = {
	    [ABUT_PEER_NO_VERDICT] = "null", [ABUT_PEER_MET] = "true", [ABUT_PEER_NOT_MET] = "false"};
	return words[verdict];
}

static void print_target(const AbutPeerTarget *target, const AbutPeerComparison *comparison)
{
	printf("\n  {\"name\": \"%s\", \"met\": %s", target->case_name,
	       verdict_word(abut_peer_target_verdict(target, comparison)));
	abut_print_number("ratio", abut_peer_target_ratio(target, comparison));
	abut_print_number("bound", target->bound);
	printf("}");
}

void abut_print_peers_json(const AbutPeerComparison *comparison, const char *machine, unsigned long long seed)
{
	const char *separator = "";
	printf("{\"machine\": ");
	abut_json_write_string(stdout, machine);
	printf(", \"version\": \"%s\", \"seed\": %llu, \"cases\": [", abut_version(), seed);
	for (int i = 0; i < abut_peer_case_count(); i++) {
		for (int j = 0; comparison->measured[i] && j < abut_peer_engine_count(); j++) {
			if (comparison->rows[i][j].steps > 0) {
				printf("%s", separator);
				print_row(i, j, comparison->rows[i]);
				separator = ",";
			}
		}
	}
	printf("\n], \"below_1_mm\": [");
	for (int i = 0; comparison->searched && i < abut_peer_engine_count(); i++) {
		printf("%s", i > 0 ? "," : "");
		print_search(i, &comparison->searches[i]);
	}
	printf("\n], \"targets\": [");
	for (int i = 0; i < abut_peer_target_count(); i++) {
		printf("%s", i > 0 ? "," : "");
		print_target(abut_peer_target(i), comparison);
	}
	printf("\n], \"below_1_mm_cpu\": {\"met\": %s", verdict_word(abut_peer_cpu_verdict(comparison)));
	abut_print_number("factor", abut_peer_cpu_factor(comparison));
	abut_print_number("bound", ABUT_PEER_CPU_FACTOR);
	printf("}}\n");
}

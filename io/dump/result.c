/* How the step of a dump ended. */
#include "io/dump/result.h"

#include <math.h>

#include "io/text/number.h"

AbutDumpResult abut_dump_result_make(const AbutModel *model, const AbutState *before, const AbutStepInfo *info)
{
	AbutDumpResult out = {.info = *info};
	out.info.log = (AbutIterationLog){NULL, 0, 0};
	abut_step_explain(model, before, info, out.explanation, sizeof out.explanation);
	return out;
}

static void write_count(FILE *file, const char *key, int value)
{
	fprintf(file, ", \"%s\": %d", key, value);
}

static void write_number(FILE *file, const char *key, double value)
{
	fprintf(file, ", \"%s\": ", key);
	abut_json_write_number(file, value);
}

void abut_dump_result_write(FILE *file, const AbutDumpResult *result)
{
	const AbutStepInfo *info = &result->info;
	fprintf(file, "{\"outcome\": \"%s\", \"explanation\": ", abut_outcome_name(info->outcome));
	abut_json_write_string(file, result->explanation);
	fprintf(file, ", \"exact\": %s, \"retried\": %s", info->exact ? "true" : "false",
	        info->retried ? "true" : "false");
	write_count(file, "halvings", info->halvings);
	write_count(file, "tries", info->tries);
	write_count(file, "iterations", info->iterations);
	write_count(file, "finish_iterations", info->finish_iterations);
	write_count(file, "active_contacts", info->active_contacts);
	write_number(file, "kappa", info->kappa);
	write_number(file, "residual", info->residual);
	write_number(file, "complementarity", info->complementarity);
	write_number(file, "max_penetration", info->max_penetration);
	fputc('}', file);
}

static bool same_number(double a, double b)
{
	return a == b || (!isfinite(a) && !isfinite(b));
}

bool abut_dump_result_same(const AbutDumpResult *a, const AbutDumpResult *b)
{
	const AbutStepInfo *x = &a->info, *y = &b->info;
	return x->outcome == y->outcome && x->exact == y->exact && x->retried == y->retried &&
	       x->halvings == y->halvings && x->tries == y->tries && x->iterations == y->iterations &&
	       x->finish_iterations == y->finish_iterations && x->active_contacts == y->active_contacts &&
	       same_number(x->kappa, y->kappa) && same_number(x->residual, y->residual) &&
	       same_number(x->complementarity, y->complementarity) &&
	       same_number(x->max_penetration, y->max_penetration);
}

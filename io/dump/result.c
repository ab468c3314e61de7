/* Makes, writes and compares the result of a dumped step. */
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

void abut_dump_result_write(FILE *file, const AbutDumpResult *result)
{
	const AbutStepInfo *info = &result->info;
	fprintf(file, "{\"outcome\": \"%s\", \"explanation\": ", abut_outcome_name(info->outcome));
	abut_json_write_string(file, result->explanation);
	fprintf(file, ", \"exact\": %s, \"retried\": %s", info->exact ? "true" : "false",
	        info->retried ? "true" : "false");
#define ABUT_X(member) fprintf(file, ", \"" #member "\": %d", info->member);
	ABUT_DUMP_COUNTS(ABUT_X)
#undef ABUT_X
#define ABUT_X(member)                                                                                                 \
	fputs(", \"" #member "\": ", file);                                                                            \
	abut_json_write_number(file, info->member);
	ABUT_DUMP_NUMBERS(ABUT_X)
#undef ABUT_X
	fputc('}', file);
}

static bool same_number(double a, double b)
{
	return a == b || (!isfinite(a) && !isfinite(b));
}

bool abut_dump_result_same(const AbutDumpResult *a, const AbutDumpResult *b)
{
	const AbutStepInfo *x = &a->info, *y = &b->info;
	bool same = x->outcome == y->outcome && x->exact == y->exact && x->retried == y->retried;
#define ABUT_X(member) same = same && x->member == y->member;
	ABUT_DUMP_COUNTS(ABUT_X)
#undef ABUT_X
#define ABUT_X(member) same = same && same_number(x->member, y->member);
	ABUT_DUMP_NUMBERS(ABUT_X)
#undef ABUT_X
	return same;
}

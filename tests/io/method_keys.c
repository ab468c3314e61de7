/* Tests keys of the solver by method: the warnings of method point-ncp, and where its path ends by default. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "abut/io.h"

static AbutScene *parse(const char *solver)
{
	char text[512];
	AbutScene *scene = NULL;
	AbutError error = {0};
	const int n = snprintf(text, sizeof text,
	                       "{\"abut\": 1, \"timestep\": 0.01, \"duration\": 1, \"bodies\": [{\"name\": \"ball\", "
	                       "\"mass\": 1, \"shape\": {\"type\": \"sphere\", \"radius\": 1}}], \"solver\": {%s}}",
	                       solver);
	cr_assert_eq(abut_scene_parse(text, (size_t)n, "test.json", 0, NULL, &scene, &error), ABUT_OK, "%s",
	             error.message);
	return scene;
}

Test(method_keys, point_ncp_warns_of_keys_that_it_does_not_use)
{
	AbutScene *scene = parse("\"method\": \"point-ncp\", \"retry\": true, \"finish\": \"exact\"");
	const AbutError *warning = abut_scene_warning(scene, 0);
	cr_assert_not_null(warning);
	cr_expect_str_eq(warning->where, "solver.finish");
	cr_expect(strstr(warning->message, "point-ncp does not use this key"), "%s", warning->message);
	cr_expect_null(abut_scene_warning(scene, 1));
	abut_scene_destroy(scene);
}

Test(method_keys, kappa_left_out_is_that_of_the_method)
{
	static const struct {
		const char *solver;
		double kappa;
	} cases[] = {{"\"method\": \"point-ncp\"", 1e-12},
	             {"\"method\": \"point-ncp\", \"kappa\": 1e-5", 1e-5},
	             {"\"method\": \"lcp\"", 1e-6}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AbutScene *scene = parse(cases[i].solver);
		cr_expect_eq(abut_scene_def(scene)->solver.kappa, cases[i].kappa, "%s", cases[i].solver);
		abut_scene_destroy(scene);
	}
}

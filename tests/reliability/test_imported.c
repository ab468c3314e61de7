/* Tests the study of imported robots on a folder with one of them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/reliability/trees.h"

Test(imported, every_model_of_a_folder_runs)
{
	static const char model[] =
	    "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/><body pos=\"0 0 0.5\"><joint name=\"j\" axis=\"0 "
	    "1 "
	    "0\" range=\"-90 90\"/><geom type=\"capsule\" fromto=\"0 0 0 0.3 0 0\" size=\"0.05\"/></body></worldbody>"
	    "<actuator><motor joint=\"j\" ctrlrange=\"-5 5\"/></actuator></mujoco>";
	char root[] = "/tmp/abut-test-XXXXXX", path[4][64];
	const AbutSolverOptions solver = abut_scene_def_default().solver;
	Keep keep = {.folder = NULL};
	Tally total = {.runs = 0};
	cr_assert_not_null(mkdtemp(root));
	snprintf(path[0], sizeof path[0], "%s/models", root);
	snprintf(path[1], sizeof path[1], "%s/models/robot", root);
	snprintf(path[2], sizeof path[2], "%s/models/robot/m.xml", root);
	snprintf(path[3], sizeof path[3], "%s/models/robot/n.urdf", root);
	mkdir(path[0], 0700);
	mkdir(path[1], 0700);
	for (int i = 2; i < 4; i++) { /* the second file is refused */
		FILE *file = fopen(path[i], "w");
		fputs(i == 2 ? model : "<robot/>", file);
		fclose(file);
	}
	int missed = -1;
	TreesOptions options = {
	    .first = 1, .count = 2, .solver = &solver, .keep = &keep, .data = root, .missed = &missed};
	cr_expect(imported_run(&options, &total));
	cr_expect_eq(total.runs, 2);
	cr_expect_eq(total.steps, 1000);
	cr_expect_eq(total.failed, 0);
	cr_expect(total.touching == 0 && total.exact >= 990, "%ld exact", total.exact);
	cr_expect_eq(missed, 0);
	/* without the exact finish, steps end on the path: too few are exact */
	AbutSolverOptions smooth = solver;
	smooth.finish = ABUT_FINISH_NONE;
	options.solver = &smooth;
	cr_expect(imported_run(&options, &(Tally){.runs = 0}));
	cr_expect_gt(missed, 0);
	options.cells = "no such model";
	cr_expect(imported_run(&options, &(Tally){.runs = 0}));
	cr_expect_eq(missed, 1, "no model is run");
	for (int i = 3; i >= 0; i--) {
		remove(path[i]);
	}
	rmdir(root);
	cr_expect_not(imported_run(&options, &total), "the folder is missing");
}

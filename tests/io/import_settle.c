/* Tests how an import mends a start at which bodies overlap. */
#include <criterion/criterion.h>

#include "abut/abut.h"
#include "io/import/settle.h"
#include "io/imported.h"
#include "io/robot/model_parts.h"

/* Makes scene and model again of the import. */
static void make_again(Imported *imported)
{
	AbutError error = {0};
	size_t length = 0;
	abut_model_destroy(imported->model);
	abut_scene_destroy(imported->scene);
	free(imported->text);
	FILE *stream = open_memstream(&imported->text, &length);
	cr_assert_eq(abut_import_write(imported->import, NULL, stream, &error), ABUT_OK);
	fclose(stream);
	cr_assert_eq(abut_scene_parse(imported->text, length, "s", 0, NULL, &imported->scene, &error), ABUT_OK);
	cr_assert_eq(abut_model_create(abut_scene_def(imported->scene), &imported->model, &error), ABUT_OK);
}

/* Settles the import until nothing changes, and makes scene and model again. */
static void settle(Imported *imported, bool lifts)
{
	bool changed = true;
	for (int i = 0; changed && i < 10; i++) {
		AbutError error = {0};
		cr_assert_eq(abut_import_settle(imported->import, imported->model, lifts, &changed, &error), ABUT_OK,
		             "%s", error.message);
		make_again(imported);
	}
	cr_expect_not(changed);
}

#define LEG(NAME)                                                                                                      \
	"<link name=\"" NAME "\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" "        \
	"ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial><collision><geometry><sphere "                                      \
	"radius=\"0.1\"/></geometry></collision>"                                                                      \
	"</link><joint name=\"j" NAME "\" type=\"continuous\"><parent link=\"hip\"/><child link=\"" NAME               \
	"\"/><origin xyz=\"0 0 -1\"/></joint>"

/* Both legs of a planar walker are at the same place. */
Test(import_settle, links_of_urdf_that_overlap_never_touch)
{
	Imported imported;
	open_text(&imported, "<robot name=\"r\">\n<link name=\"hip\"/>\n" LEG("left") "\n" LEG("right") "</robot>");
	cr_expect_eq(abut_scene_def(imported.scene)->n_exclude, 0);
	settle(&imported, false);
	cr_assert_eq(abut_scene_def(imported.scene)->n_exclude, 1);
	cr_expect(has_note(&imported, "\"left\" and \"right\" overlap by 0.2 m in the model; they never touch", 4));
	close_import(&imported);
}

#define HUMAN                                                                                                          \
	"<mujoco><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>"                                      \
	"<body name=\"a\" pos=\"0 0 0.25\"><freejoint/><geom size=\"0.3\"/><body name=\"b\" pos=\"1 0 0\"><joint "     \
	"name=\"j\"/><geom size=\"0.4\"/><body name=\"c\" pos=\"0 1 0\"><joint name=\"k\"/><geom size=\"0.1\" "        \
	"pos=\"-1 -1 0\"/></body></body></body></worldbody></mujoco>"

/* The deepest part is 0.15 m below the floor: the whole robot rises by this. Its parts c and a overlap. */
Test(import_settle, robots_rise_out_of_the_floor)
{
	Imported imported;
	open_text(&imported, HUMAN);
	settle(&imported, false);
	cr_expect_float_eq(find(&imported, "a")->position[2], 0.25, 1e-15, "nothing changes unless it is asked for");
	cr_expect_eq(abut_scene_def(imported.scene)->n_pairs, 4);
	settle(&imported, true);
	cr_expect_float_eq(find(&imported, "a")->position[2], 0.4, 1e-8);
	cr_expect_float_eq(find(&imported, "c")->position[2], 0.4, 1e-8);
	cr_expect_eq(abut_scene_def(imported.scene)->n_pairs, 3);
	close_import(&imported);
}

/* A robot that takes several rounds to rise is noted once, with the whole height: 0.15 m, then 0.05 m more. */
Test(import_settle, a_robot_that_rises_is_noted_once)
{
	Imported imported;
	AbutError error = {0};
	int notes = 0;
	open_text(&imported, HUMAN);
	settle(&imported, true);
	for (int i = 1; i < 4; i++) {
		imported.import->bodies[i].pose.position[2] -= 0.05;
	}
	make_again(&imported);
	settle(&imported, true);
	cr_assert_eq(abut_import_note_raised(imported.import, &error), ABUT_OK);
	for (int i = 0; abut_import_note(imported.import, i); i++) {
		const char *raised = strstr(abut_import_note(imported.import, i)->text, "is raised by ");
		if (raised) {
			notes++;
			cr_expect_float_eq(strtod(raised + strlen("is raised by "), NULL), 0.2, 1e-6, "%s", raised);
		}
	}
	cr_expect_eq(notes, 1);
	close_import(&imported);
}

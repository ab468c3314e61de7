/* Tests the notes about elements and attributes that MJCF and URDF do not have: misspelt ones get the nearest name. */
#include <criterion/criterion.h>

#include "io/imported.h"

static int count_unknown(const Imported *imported)
{
	int n = 0;
	for (int i = 0; abut_import_note(imported->import, i); i++) {
		n += strstr(abut_import_note(imported->import, i)->text, "does not have it") ? 1 : 0;
	}
	return n;
}

Test(import_unknown, misspelt_names_of_mjcf)
{
	Imported imported;
	open_text(&imported, "<mujoco>\n"
	                     "<compiler angel=\"radian\"/><option gravty=\"0 0 0\"><flags/></option>\n"
	                     "<worldboddy/>\n"
	                     "<default><geom frictoin=\"1\"/></default>\n"
	                     "<worldbody><body><freejoint/><geom size=\"1\"/>\n"
	                     "<geom size=\"1\" mas=\"2\" pos=\"0 0 2\"/>\n"
	                     "<geom size=\"1\" mas=\"2\" pos=\"0 0 4\"/>\n"
	                     "<gom size=\"1\"/>\n"
	                     "<site foo:bar=\"1\" xyz123=\"1\"/></body></worldbody>\n"
	                     "<actuator><moter joint=\"j\"/></actuator></mujoco>");
	static const struct {
		const char *text;
		int line;
	} notes[] = {
	    {"approximated: attribute \"angel\" of <compiler> is ignored: MJCF does not have it; did you mean "
	     "\"angle\"?",
	     2},
	    {"attribute \"gravty\" of <option> is ignored: MJCF does not have it; did you mean \"gravity\"?", 2},
	    {"left out: <flags> in <option>: MJCF does not have it; did you mean <flag>?", 2},
	    {"left out: <worldboddy> in <mujoco>: MJCF does not have it; did you mean <worldbody>?", 3},
	    {"attribute \"frictoin\" of <geom> is ignored: MJCF does not have it; did you mean \"friction\"?", 4},
	    {"attribute \"mas\" of <geom> is ignored (2 times, the first here): MJCF does not have it; did you mean "
	     "\"mass\"?",
	     6},
	    {"left out: <gom> in <body>: MJCF does not have it; did you mean <geom>?", 8},
	    {"attribute \"xyz123\" of <site> is ignored: MJCF does not have it", 9},
	};
	const int n = (int)(sizeof notes / sizeof *notes);
	for (int i = 0; i < n; i++) {
		cr_expect(has_note(&imported, notes[i].text, notes[i].line), "%s", notes[i].text);
	}
	cr_expect_eq(count_unknown(&imported), n);
	cr_expect(has_note(&imported, "left out: <moter>", 10)); /* as every actuator that is left out */
	close_import(&imported);
}

/* What names something that does not exist is left out for this reason, with the nearest name. */
Test(import_unknown, names_of_nothing_in_mjcf)
{
	Imported imported;
	open_text(
	    &imported,
	    "<mujoco>\n<worldbody><body name=\"leg\"><joint name=\"knee\"/><geom size=\"1\"/><site name=\"foot\"/>"
	    "</body></worldbody>\n"
	    "<tendon><fixed name=\"cable\"><joint joint=\"kneee\" coef=\"1\"/></fixed></tendon>\n"
	    "<actuator><motor name=\"m\" joint=\"kne\"/><motor name=\"n\" tendon=\"cable\"/>"
	    "<motor name=\"o\" site=\"foot\"/></actuator>\n"
	    "<sensor><accelerometer site=\"fot\"/><jointpos joint=\"knie\"/><actuatorpos actuator=\"o9\"/>"
	    "<framepos objtype=\"xbody\" objname=\"lgg\"/><torque site=\"xyzzy\"/></sensor>\n"
	    "<equality><joint joint1=\"knee\" joint2=\"hnee\"/><tendon tendon1=\"cabel\"/></equality></mujoco>");
	static const struct {
		const char *text;
		int line;
	} notes[] = {
	    {"left out: <motor> \"m\": joint \"kne\" does not exist; did you mean \"knee\"?", 4},
	    {"left out: <motor> \"n\": joint \"kneee\" does not exist; did you mean \"knee\"?", 4},
	    {"left out: <motor> \"o\": it acts on a site; motors act on joints", 4},
	    {"left out: <accelerometer> \"\" of <sensor>: site \"fot\" does not exist; did you mean \"foot\"?", 5},
	    {"left out: <jointpos> \"\" of <sensor>: joint \"knie\" does not exist; did you mean \"knee\"?", 5},
	    {"left out: <actuatorpos> \"\" of <sensor>: actuator \"o9\" does not exist", 5},
	    {"left out: <framepos> \"\" of <sensor>: body \"lgg\" does not exist; did you mean \"leg\"?", 5},
	    {"left out: <torque> \"\" of <sensor>: site \"xyzzy\" does not exist", 5},
	    {"left out: <joint> \"\" of <equality>: joint \"hnee\" does not exist; did you mean \"knee\"?", 6},
	    {"left out: <tendon> \"\" of <equality>: tendon \"cabel\" does not exist; did you mean \"cable\"?", 6},
	};
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		cr_expect(has_note(&imported, notes[i].text, notes[i].line), "%s", notes[i].text);
	}
	close_import(&imported);
}

/* Files that are not XML are named as what they are. */
Test(import_unknown, files_of_other_formats)
{
	static const char *const rows[][2] = {
	    {"  {\"abut\": 1}", "the file is JSON; a scene needs no import: `abut run` reads it"},
	    {"#usda 1.0\n", "the file is USD, which is not supported; export the robot as URDF or MJCF"},
	    {"PXR-USDC1", "the file is USD"},
	    {"PK\x03\x04zip", "the file is an archive"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[64];
		AbutImport *import = NULL;
		AbutError error = {0};
		write_model(rows[i][0], path);
		cr_expect_eq(abut_import_read(path, NULL, &import, &error), ABUT_ERROR_PARSE);
		cr_expect(strstr(error.message, rows[i][1]), "%s", error.message);
		remove_model(path);
	}
}

/* Geometries of the world are static bodies, named by what there is: their own names, meshes, bodies or types. */
Test(import_unknown, static_bodies_have_names)
{
	Imported imported;
	open_text(&imported, "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/><geom name=\"ramp\" size=\"1\" "
	                     "pos=\"0 0 -3\"/><geom type=\"box\" size=\"1 1 1\" pos=\"0 0 -9\"/><geom size=\"1\" "
	                     "pos=\"0 0 -6\"/><body name=\"world\"><geom type=\"box\" size=\"1 1 1\" pos=\"9 0 -3\"/>"
	                     "</body><body name=\"post\"><geom type=\"box\" size=\"1 1 1\" pos=\"9 9 -3\"/></body>"
	                     "</worldbody></mujoco>");
	static const char *const names[] = {"plane", "ramp", "box", "sphere", "box_2", "post"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		cr_expect(find(&imported, names[i])->is_static, "%s", names[i]);
	}
	close_import(&imported);
}

Test(import_unknown, misspelt_names_of_urdf)
{
	Imported imported;
	open_text(&imported,
	          "<robot name=\"r\">\n"
	          "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>\n"
	          "<collision><origin xzy=\"0 0 1\"/><geometry><sphere radius=\"1\"/></geometry></collision>\n"
	          "<colision/></link>\n"
	          "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>\n"
	          "</link><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\n"
	          "<dynamics dampin=\"1\"/></joint><gazebo/></robot>");
	cr_expect(has_note(&imported,
	                   "attribute \"xzy\" of <origin> is ignored: URDF does not have it; did you mean "
	                   "\"xyz\"?",
	                   3));
	cr_expect(
	    has_note(&imported, "left out: <colision> in <link>: URDF does not have it; did you mean <collision>?", 4));
	cr_expect(has_note(&imported,
	                   "attribute \"dampin\" of <dynamics> is ignored: URDF does not have it; did you mean "
	                   "\"damping\"?",
	                   7));
	cr_expect_eq(count_unknown(&imported), 3);
	close_import(&imported);
}

/* The models of these tests, and all that the importers read, have known names only. */
Test(import_unknown, known_names_are_not_noted)
{
	static const char *const models[] = {"robot.xml", "humanoid.xml", "crawler.xml",
	                                     "toys.xml",  "walker.xml",   "cube.urdf"};
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		char path[200];
		AbutImport *import = NULL;
		AbutError error = {0};
		snprintf(path, sizeof path, ABUT_SOURCE_DIR "/tests/io/models/%s", models[i]);
		cr_assert_eq(abut_import_read(path, NULL, &import, &error), ABUT_OK, "%s: %s", path, error.message);
		for (int k = 0; abut_import_note(import, k); k++) {
			const char *text = abut_import_note(import, k)->text;
			cr_expect_not(strstr(text, "does not have it"), "%s: %s", models[i], text);
		}
		abut_import_free(import);
	}
}

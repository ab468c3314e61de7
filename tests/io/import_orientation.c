/* Tests orientations of MJCF: each notation, and which one of several counts. The expected values are those of MuJoCo
 * 2.2.2 for the same texts. */
#include <math.h>

#include "base/vec3.h"
#include "io/imported.h"

/* The five notations of a quarter turn about z, in degrees and radians, turn a body's x axis to y. */
Test(import_orientation, turns_are_the_same_in_every_way)
{
	static const char *const ways[] = {"quat=\"2 0 0 2\"", "axisangle=\"0 0 3 90\"", "euler=\"0 0 90\"",
	                                   "xyaxes=\"0 2 0 -1 5 0\"", "euler=\"90 90 -90\""};
	const double wanted[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char text[400];
		Imported imported;
		snprintf(
		    text, sizeof text,
		    "<mujoco><worldbody><body name=\"b\" %s><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>",
		    ways[i]);
		open_text(&imported, text);
		const double *q = find(&imported, "b")->orientation;
		if (i < 4) {
			expect_vector(q, wanted, 4, 1e-15);
		} else { /* x by 90, then the new y by 90, then the new z by -90: in all a quarter turn about y */
			const double about_y[4] = {sqrt(0.5), 0.0, sqrt(0.5), 0.0};
			expect_vector(q, about_y, 4, 1e-15);
		}
		close_import(&imported);
	}
}

/* Fixed axes in capitals (the same angles in reverse order), radians, and zaxis. */
Test(import_orientation, compiler_says_how_angles_are_meant)
{
	Imported imported;
	open_text(&imported, "<mujoco><compiler angle=\"radian\" eulerseq=\"XYZ\"/><worldbody>"
	                     "<body name=\"a\" euler=\"0.3 0.4 0.5\"><freejoint/><geom size=\"1\"/></body>"
	                     "<body name=\"b\" pos=\"9 0 0\" zaxis=\"1 0 0\"><freejoint/><geom size=\"1\"/></body>"
	                     "</worldbody></mujoco>");
	double R[9];
	abut_quat_to_mat3(find(&imported, "a")->orientation, R);
	/* Rz(0.5) Ry(0.4) Rx(0.3) */
	cr_expect_float_eq(R[0], cos(0.5) * cos(0.4), 1e-15);
	cr_expect_float_eq(R[6], -sin(0.4), 1e-15);
	cr_expect_float_eq(R[7], cos(0.4) * sin(0.3), 1e-15);
	abut_quat_to_mat3(find(&imported, "b")->orientation, R);
	const double z[3] = {R[2], R[5], R[8]}, x[3] = {1.0, 0.0, 0.0};
	expect_vector(z, x, 3, 1e-15);
	close_import(&imported);
}

/* Notations, weakest first, with the extents along x, y and z that a box of half extents 1, 2, 3 then has. */
static const struct {
	const char *text;
	double reach[3];
} ways[] = {{"quat=\"1 0 0 0\"", {1, 2, 3}},
            {"axisangle=\"0 0 1 90\"", {2, 1, 3}},
            {"xyaxes=\"0 1 0 0 0 1\"", {3, 1, 2}},
            {"zaxis=\"1 0 0\"", {3, 2, 1}},
            {"euler=\"90 0 0\"", {1, 3, 2}}};

/* Of the notation in a default and that of the element, the stronger one counts, wherever it is. */
Test(import_orientation, stronger_ways_count)
{
	for (int of_default = 0; of_default < 5; of_default++) {
		for (int own = 0; own < 5; own++) {
			char text[400];
			Imported imported;
			snprintf(text, sizeof text,
			         "<mujoco><default><geom %s/></default><worldbody><body name=\"b\"><freejoint/><geom "
			         "type=\"box\" size=\"1 2 3\" %s/></body></worldbody></mujoco>",
			         ways[of_default].text, ways[own].text);
			open_text(&imported, text);
			const AbutShape *box = find(&imported, "b")->parts[0];
			const double *wanted = ways[own > of_default ? own : of_default].reach;
			for (int axis = 0; axis < 3; axis++) {
				double direction[3] = {0.0, 0.0, 0.0}, point[3];
				direction[axis] = 1.0;
				cr_expect_float_eq(abut_shape_support(box, direction, point), wanted[axis], 1e-12,
				                   "default %s, own %s, axis %d", ways[of_default].text, ways[own].text,
				                   axis);
			}
			close_import(&imported);
		}
	}
}

/* A full inertia overrides a diagonal one, and its axes are those of the body. */
Test(import_orientation, full_inertia_counts)
{
	Imported imported;
	open_text(&imported, "<mujoco><worldbody><body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" "
	                     "diaginertia=\"1 1 1\" fullinertia=\"2 3 4 0.1 0.2 0.3\"/><geom size=\"1\"/></body>"
	                     "</worldbody></mujoco>");
	const double wanted[9] = {2, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 4};
	expect_vector(find(&imported, "b")->inertia, wanted, 9, 1e-15);
	close_import(&imported);
}

Test(import_orientation, two_at_once_are_refused)
{
	static const char *const refused[][2] = {
	    {"<geom size=\"1\" quat=\"1 0 0 1\" euler=\"90 0 0\"/>", "euler: the orientation is already given by quat"},
	    {"<geom size=\"1\" zaxis=\"1 0 0\" axisangle=\"0 0 1 9\"/>", "already given by axisangle"},
	    {"<inertial pos=\"0 0 0\" mass=\"1\" quat=\"1 0 0 1\" fullinertia=\"2 3 4 0 0 0\"/><geom size=\"1\"/>",
	     "quat: not allowed with fullinertia"}};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		char text[400], path[64];
		AbutImport *import = NULL;
		AbutError error = {0};
		snprintf(text, sizeof text, "<mujoco><worldbody><body><freejoint/>%s</body></worldbody></mujoco>",
		         refused[i][0]);
		write_model(text, path);
		cr_expect_eq(abut_import_read(path, NULL, &import, &error), ABUT_ERROR_PARSE, "%s", refused[i][0]);
		cr_expect(strstr(error.message, refused[i][1]), "%s", error.message);
		abut_import_free(import);
		remove_model(path);
	}
}

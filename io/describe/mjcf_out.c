/* Writes a scene as a robot model in MJCF: its bodies as a tree at their initial poses, with loops as equalities.
 * Tested in tests/io/describe.c, and against MuJoCo in tests/peers/test_import.c. */
#include "io/describe/mjcf_out.h"

#include "base/error.h"
#include "io/describe/contacts_out.h"
#include "io/describe/joints_out.h"
#include "io/describe/mjcf_losses.h"
#include "io/describe/solids.h"
#include "io/robot/pose.h"

static void write_sites(const AbutDescribing *d, int body)
{
	for (int i = 0; i < d->def->n_sites; i++) {
		const AbutSiteDef *site = &d->def->sites[i];
		if (site->body == body) {
			fputs("<site", d->file);
			abut_describe_text(d->file, "name", site->name);
			abut_describe_numbers(d->file, "pos", site->frame.position, 3);
			abut_describe_numbers(d->file, "quat", site->frame.orientation, 4);
			fputs("/>\n", d->file);
		}
	}
}

/* Writes a body and those that it carries. */
static void write_body(const AbutDescribing *d, int body)
{
	const int joint = d->tree.joint[body], parent = joint >= 0 ? d->def->joints[joint].parent : ABUT_JOINT_WORLD;
	const AbutPose own = abut_describe_pose(d, body);
	AbutPose outer = abut_pose_identity();
	if (parent >= 0) {
		outer = abut_describe_pose(d, parent);
	}
	outer = abut_pose_inverse(&outer);
	const AbutPose placed = abut_pose_compose(&outer, &own);
	fputs("<body", d->file);
	abut_describe_text(d->file, "name", abut_naming_body(d->names, body));
	abut_describe_numbers(d->file, "pos", placed.position, 3);
	abut_describe_numbers(d->file, "quat", placed.orientation, 4);
	fputs(">\n", d->file);
	if (!d->def->bodies[body].is_static) {
		abut_describe_joint(d, body);
	}
	abut_describe_solids(d, body);
	write_sites(d, body);
	for (int i = 0; i < d->def->n_bodies; i++) {
		if (d->tree.joint[i] >= 0 && d->def->joints[d->tree.joint[i]].parent == body) {
			write_body(d, i);
		}
	}
	fputs("</body>\n", d->file);
}

static void write_all(const AbutDescribing *d)
{
	fputs("<mujoco", d->file);
	abut_describe_text(d->file, "model", d->def->name ? d->def->name : "scene");
	fputs(">\n<compiler angle=\"radian\"/>\n<option", d->file);
	abut_describe_numbers(d->file, "timestep", &d->def->timestep, 1);
	abut_describe_numbers(d->file, "gravity", d->def->gravity, 3);
	fputs("/>\n<asset>\n", d->file);
	abut_describe_meshes(d);
	fputs("</asset>\n<worldbody>\n", d->file);
	write_sites(d, ABUT_JOINT_WORLD);
	for (int i = 0; i < d->def->n_bodies; i++) {
		const int joint = d->tree.joint[i];
		if (joint < 0 || d->def->joints[joint].parent < 0) {
			write_body(d, i);
		}
	}
	fputs("</worldbody>\n", d->file);
	abut_describe_laws(d);
	abut_describe_contacts(d);
	if (abut_describe_key(d->file, d->key)) {
		abut_describe_note(
		    d, ABUT_APPROXIMATED, "scene", "",
		    "the model itself starts at rest; initial velocities and targets of motors are those of "
		    "keyframe \"start\"");
	}
	fputs("</mujoco>\n", d->file);
	abut_describe_mjcf_losses(d);
}

AbutStatus abut_describe_mjcf(FILE *file, const AbutModel *model, const AbutSceneDef *def,
                              const AbutDescribeNotes *notes, AbutError *error)
{
	AbutDescribedKey key = {.full = false};
	AbutNaming names = {.n = 0};
	AbutDescribing d = {.file = file, .model = model, .def = def, .names = &names, .notes = notes, .key = &key};
	AbutStatus status = abut_describe_open(&d, error);
	if (status == ABUT_OK) {
		write_all(&d);
		names.full = names.full || key.full;
		status = abut_describe_end(&d, ABUT_OK, error);
	}
	abut_describe_free_key(&key);
	abut_describe_close(&d);
	return status;
}

/* Writes a scene as a robot model in URDF: moving bodies as a tree of links, and loops as Dojo's <loop_joint>. Bodies
 * that no joint carries are tied to a link "world" by a floating, planar or fixed joint, which gives their poses.
 * Tested in tests/io/describe_urdf.c. */
#include "io/describe/urdf_out.h"

#include "base/error.h"
#include "base/vec3.h"
#include "io/describe/urdf_joints.h"
#include "io/describe/urdf_losses.h"
#include "io/describe/urdf_plan.h"
#include "io/describe/urdf_shapes.h"
#include "io/robot/pose.h"

/* Ties a body that no joint carries to the world. */
static void tie_root(const AbutUrdfOut *u, int body)
{
	const AbutBodyDef *def = &u->d.def->bodies[body];
	const AbutPose pose = abut_describe_pose(&u->d, body);
	const bool is_planar = !def->is_static && def->planar_xz;
	double R[9], normal[3];
	abut_quat_to_mat3(pose.orientation, R);
	abut_mat3_tvec(R, (const double[3]){0.0, 1.0, 0.0}, normal);
	const char *name =
	    abut_naming_get(u->d.names, &(AbutNamedPart){ABUT_NAMED_TIE, body, 0, NULL}, def->name, "_to_world");
	abut_urdf_write_tie(u, name,
	                    def->is_static ? "fixed"
	                    : is_planar    ? "planar"
	                                   : "floating",
	                    "world", abut_urdf_link_name(u, body), &pose, is_planar ? normal : NULL);
	if (is_planar) {
		abut_describe_note(&u->d, ABUT_APPROXIMATED, "body", def->name,
		                   "planar body \"%.60s\" moves on a planar joint", def->name);
	}
}

static void write_links(AbutUrdfOut *u)
{
	for (int i = 0; i < u->d.def->n_bodies; i++) {
		if (!u->kept[i]) {
			abut_urdf_write_shapes(u, i); /* only notes */
			continue;
		}
		fputs("<link", u->d.file);
		abut_describe_text(u->d.file, "name", abut_urdf_link_name(u, i));
		fputs(">\n", u->d.file);
		if (!u->d.def->bodies[i].is_static) {
			abut_urdf_write_inertial(u, i, 1.0);
		}
		abut_urdf_write_shapes(u, i);
		fputs("</link>\n", u->d.file);
	}
}

static void write_joints(const AbutUrdfOut *u)
{
	for (int i = 0; i < u->d.def->n_bodies; i++) {
		if (u->d.tree.joint[i] >= 0) {
			abut_urdf_write_joint(u, i);
		} else if (u->kept[i] && u->has_world) {
			tie_root(u, i);
		}
	}
}

/* Writes sites as links without mass that are fixed to those of their bodies. */
static void write_sites(const AbutUrdfOut *u)
{
	for (int i = 0; i < u->d.def->n_sites; i++) {
		const AbutSiteDef *site = &u->d.def->sites[i];
		const AbutPose at = abut_urdf_in_link(u, site->body, site->frame.position, site->frame.orientation);
		const char *link = abut_urdf_site_name(u, i);
		const char *joint = abut_naming_get(u->d.names, &(AbutNamedPart){ABUT_NAMED_SITE_TIE, i, 0, NULL},
		                                    site->name, "_fixed");
		abut_describe_renamed(&u->d, "site", site->name, link);
		fputs("<link", u->d.file);
		abut_describe_text(u->d.file, "name", link);
		fputs("/>\n", u->d.file);
		abut_urdf_write_tie(u, joint, "fixed", abut_urdf_link_name(u, site->body), link, &at, NULL);
	}
}

static void write_all(AbutUrdfOut *u)
{
	FILE *file = u->d.file;
	fputs("<?xml version=\"1.0\"?>\n<robot", file);
	abut_describe_text(file, "name", u->d.def->name ? u->d.def->name : "scene");
	fputs(">\n", file);
	if (u->has_world) {
		fputs("<link name=\"world\"/>\n", file);
	}
	write_links(u);
	write_joints(u);
	abut_urdf_write_loops(u);
	write_sites(u);
	fputs("</robot>\n", file);
	abut_urdf_losses(u);
}

AbutStatus abut_describe_urdf(FILE *file, const AbutModel *model, const AbutSceneDef *def, const char *meshes,
                              const AbutDescribeNotes *notes, AbutError *error)
{
	AbutNaming names = {.n = 0};
	AbutUrdfOut u = {.d = {.file = file, .model = model, .def = def, .names = &names, .notes = notes},
	                 .meshes = meshes,
	                 .error = error};
	AbutStatus status = abut_describe_open(&u.d, error);
	if (status == ABUT_OK && abut_urdf_plan(&u) != ABUT_OK) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status == ABUT_OK) {
		write_all(&u);
		status = abut_describe_end(&u.d, u.status, error);
	}
	abut_urdf_free(&u);
	abut_describe_close(&u.d);
	return status;
}

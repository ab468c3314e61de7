/* Reads <geom> and <inertial> of MJCF. */
#include "io/mjcf/mjcf_geom.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "io/robot/importer.h"
#include "io/robot/pose.h"
#include "io/robot/values.h"
#include "io/text/words.h"

/* A geometry while it is being read. */
typedef struct Reading {
	const AbutMjcf *mjcf;
	AbutImporter *importer;
	const AbutXml *element;
	const char *childclass;
	AbutGeom *geom;
} Reading;

static int numbers(const Reading *reading, const char *name, int least, int most, double *out)
{
	return abut_mjcf_numbers(reading->mjcf, reading->element, reading->childclass, name, least, most, out);
}

static const char *get(const Reading *reading, const char *name)
{
	return abut_mjcf_get(reading->mjcf, reading->element, reading->childclass, name, NULL);
}

/* Reads an attribute as an integer; `otherwise` is the default. */
static int integer(const Reading *reading, const char *name, int otherwise)
{
	double value = otherwise;
	numbers(reading, name, 1, 1, &value);
	return (int)value;
}

/* --- meshes --- */

static const AbutXml *find_mesh(const Reading *reading, const char *name)
{
	for (const AbutXml *asset = abut_xml_child(reading->mjcf->root, "asset"); asset; asset = abut_xml_next(asset)) {
		for (const AbutXml *mesh = abut_xml_child(asset, "mesh"); mesh; mesh = abut_xml_next(mesh)) {
			const char *own = abut_xml_get(mesh, "name"), *file = abut_xml_get(mesh, "file");
			const char *slash = file ? strrchr(file, '/') : NULL, *stem = slash ? slash + 1 : file;
			const char *dot = stem ? strrchr(stem, '.') : NULL;
			const size_t length = dot ? (size_t)(dot - stem) : stem ? strlen(stem) : 0;
			if (own ? strcmp(own, name) == 0
			        : stem && strlen(name) == length && strncmp(stem, name, length) == 0) {
				return mesh;
			}
		}
	}
	return NULL;
}

/* Reads the vertices of a mesh, three numbers each; the caller frees them. */
static double *read_vertices(const Reading *reading, const AbutXml *mesh, int *n)
{
	const char *text = abut_xml_get(mesh, "vertex");
	const size_t most = strlen(text) / 2 + 1;
	double *const out = malloc(most * sizeof *out);
	if (!out) {
		abut_importer_no_memory(reading->importer);
		return NULL;
	}
	const int count = abut_importer_attribute(reading->importer, mesh, "vertex", 12, (int)most, out);
	if (count % 3 != 0) {
		abut_importer_fail(reading->importer, mesh,
		                   "vertex: must have three numbers for each vertex, has %d numbers", count);
	}
	*n = count / 3;
	return out;
}

static void read_mesh_file(const Reading *reading, const AbutXml *mesh, const char *file, AbutImportMesh *out)
{
	const AbutMjcfCompiler *compiler = &reading->mjcf->compiler;
	const char *folder = compiler->mesh_folder ? compiler->mesh_folder : compiler->asset_folder;
	const char *const slash = compiler->strips_path ? strrchr(file, '/') : NULL;
	const char *dot = strrchr(file, '.');
	if (dot && strcmp(dot, ".msh") == 0) {
		abut_importer_fail(reading->importer, mesh,
		                   "file: \"%.200s\" is MuJoCo's own format; convert it to .obj or .stl", file);
		return;
	}
	out->file = abut_importer_path(reading->importer, reading->importer->path, folder ? folder : "",
	                               slash ? slash + 1 : file);
}

static void read_mesh(const Reading *reading)
{
	AbutImportMesh *out = &reading->geom->mesh;
	const char *name = get(reading, "mesh");
	const AbutXml *mesh = name ? find_mesh(reading, name) : NULL;
	char quoted[ABUT_QUOTE_SIZE];
	double quat[4] = {1.0, 0.0, 0.0, 0.0};
	if (!mesh) {
		abut_importer_fail(reading->importer, reading->element, "mesh: must name a <mesh> of <asset>, is %s",
		                   abut_text_quote(name ? name : "", quoted));
		return;
	}
	const AbutXml *at = mesh;
	const char *scale = abut_mjcf_get(reading->mjcf, mesh, NULL, "scale", &at);
	abut_importer_scale(reading->importer, at, scale, out->scale);
	abut_importer_attribute(reading->importer, mesh, "refpos", 3, 3, out->origin.position);
	if (abut_importer_attribute(reading->importer, mesh, "refquat", 4, 4, quat) > 0) {
		if (!(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3] > 1e-20)) {
			abut_importer_fail(reading->importer, mesh, "refquat: must not be zero");
			return;
		}
		abut_quat_normalise(quat);
		memcpy(out->origin.orientation, quat, sizeof quat);
	}
	const char *file = abut_mjcf_get(reading->mjcf, mesh, NULL, "file", NULL);
	if (file) {
		read_mesh_file(reading, mesh, file, out);
	} else if (abut_xml_get(mesh, "vertex")) {
		out->vertices = read_vertices(reading, mesh, &out->n_vertices);
	} else {
		abut_importer_fail(reading->importer, mesh, "must have a file, or vertices");
	}
}

/* --- primitives --- */

/* Reads the size. MJCF gives half lengths of capsules and cylinders; our shapes have full lengths. */
static void read_size(const Reading *reading)
{
	static const int needed[ABUT_GEOM_COUNT] = {[ABUT_GEOM_SPHERE] = 1,
	                                            [ABUT_GEOM_CAPSULE] = 2,
	                                            [ABUT_GEOM_CYLINDER] = 2,
	                                            [ABUT_GEOM_ELLIPSOID] = 3,
	                                            [ABUT_GEOM_BOX] = 3};
	AbutGeom *geom = reading->geom;
	double ends[6], size[3] = {0.0, 0.0, 0.0};
	const int wanted = needed[geom->kind];
	int n = numbers(reading, "size", 1, 3, size);
	if (wanted > 1 && numbers(reading, "fromto", 6, 6, ends) > 0) {
		/* from the second end to the first, so that the rotation of the z axis equals MuJoCo's */
		const double along[3] = {ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]};
		const double half = 0.5 * abut_norm3(along);
		abut_importer_positive(reading->importer, reading->element, "length of fromto", &half, 1);
		size[wanted - 1] = half;
		size[1] = wanted == 3 ? size[0] : half;
		n = n > 0 ? 3 : 0;
		for (int i = 0; i < 3; i++) {
			geom->pose.position[i] = 0.5 * (ends[i] + ends[i + 3]);
		}
		abut_turn_z_onto(along, geom->pose.orientation);
	}
	if (n < wanted) {
		abut_importer_fail(reading->importer, reading->element, "size: must have %d number%s, has %d", wanted,
		                   wanted == 1 ? "" : "s", n);
	}
	abut_importer_positive(reading->importer, reading->element, "size", size, wanted);
	memcpy(geom->size, size, sizeof size);
	if (wanted == 2) {
		geom->size[1] *= 2.0;
	}
}

/* Returns the kind given by `type`, or ABUT_GEOM_COUNT for an unsupported kind. */
static AbutGeomKind read_kind(const Reading *reading)
{
	static const char *const names[ABUT_GEOM_COUNT] = {"plane",     "sphere", "capsule", "cylinder",
	                                                   "ellipsoid", "box",    "mesh"};
	const char *type = get(reading, "type");
	char quoted[ABUT_QUOTE_SIZE];
	if (!type) {
		return get(reading, "mesh") ? ABUT_GEOM_MESH : ABUT_GEOM_SPHERE;
	}
	const int kind = abut_text_index(type, names, ABUT_GEOM_COUNT);
	if (kind >= 0) {
		return (AbutGeomKind)kind;
	}
	if (strcmp(type, "hfield") != 0 && strcmp(type, "sdf") != 0) {
		abut_importer_fail(reading->importer, reading->element,
		                   "type: must be plane, sphere, capsule, ellipsoid, cylinder, box or mesh (hfield and "
		                   "sdf are left out), is %s",
		                   abut_text_quote(type, quoted));
	}
	return ABUT_GEOM_COUNT;
}

/* Reads friction: sliding, torsional (m) and rolling coefficient, which is ignored, and the spring. */
static void read_contact(const Reading *reading)
{
	double friction[3] = {1.0, 0.005, 0.0001};
	AbutGeom *geom = reading->geom;
	numbers(reading, "friction", 1, 3, friction);
	if (friction[0] < 0.0 || friction[1] < 0.0) {
		abut_importer_fail(reading->importer, reading->element, "friction: must be at least 0, is %g",
		                   friction[0] < 0.0 ? friction[0] : friction[1]);
	}
	geom->friction = friction[0];
	geom->torsion = friction[1];
	geom->dimensions = integer(reading, "condim", 3);
	geom->priority = integer(reading, "priority", 0);
	geom->mix = 1.0;
	numbers(reading, "solmix", 1, 1, &geom->mix);
	numbers(reading, "gap", 1, 1, &geom->gap);
	geom->spring = abut_mjcf_spring(reading->mjcf, reading->element, reading->childclass, "solref", "solimp");
	numbers(reading, "margin", 1, 1, &geom->spring.margin);
	geom->type = (unsigned)integer(reading, "contype", 1);
	geom->affinity = (unsigned)integer(reading, "conaffinity", 1);
	geom->collides = geom->type != 0 || geom->affinity != 0;
}

static void read_mass(const Reading *reading)
{
	AbutGeom *geom = reading->geom;
	const AbutMjcfCompiler *compiler = &reading->mjcf->compiler;
	const int group = integer(reading, "group", 0);
	geom->density = 1000.0;
	numbers(reading, "density", 1, 1, &geom->density);
	const bool has_mass = numbers(reading, "mass", 1, 1, &geom->mass) > 0;
	if (geom->density < 0.0 || geom->mass < 0.0) {
		abut_importer_fail(reading->importer, reading->element, "%s: must be at least 0, is %g",
		                   geom->mass < 0.0 ? "mass" : "density",
		                   geom->mass < 0.0 ? geom->mass : geom->density);
	}
	geom->density = has_mass ? 0.0 : geom->density;
	geom->weighs = group >= compiler->first_group && group <= compiler->last_group;
}

void abut_mjcf_geom(const AbutMjcf *mjcf, const AbutXml *element, const char *childclass, const AbutPose *pose,
                    int body)
{
	AbutImporter *importer = mjcf->importer;
	AbutImportBody *owner = &importer->import->bodies[body];
	Reading reading = {mjcf, importer, element, childclass, NULL};
	const AbutGeomKind kind = read_kind(&reading);
	if (kind == ABUT_GEOM_COUNT) {
		abut_importer_note(importer, element, "left out: <geom> of type %s", get(&reading, "type"));
		return;
	}
	if (kind != ABUT_GEOM_MESH && get(&reading, "mesh")) {
		abut_importer_note(importer, element, "left out: <geom> of type %s fitted to a mesh",
		                   get(&reading, "type"));
		return;
	}
	reading.geom = abut_importer_geom(importer, owner, element);
	if (!reading.geom) {
		return;
	}
	reading.geom->kind = kind;
	reading.geom->pose = abut_mjcf_pose(mjcf, element, childclass);
	if (kind == ABUT_GEOM_MESH) {
		read_mesh(&reading);
	} else if (kind != ABUT_GEOM_PLANE) {
		read_size(&reading);
	}
	reading.geom->pose = abut_pose_compose(pose, &reading.geom->pose);
	read_contact(&reading);
	read_mass(&reading);
}

void abut_mjcf_inertial(const AbutMjcf *mjcf, const AbutXml *element, const AbutPose *pose, int body)
{
	AbutImporter *importer = mjcf->importer;
	double mass = 0.0, six[6] = {0.0};
	const AbutPose own = abut_mjcf_pose(mjcf, element, NULL), placed = abut_pose_compose(pose, &own);
	if (abut_importer_attribute(importer, element, "mass", 1, 1, &mass) == 0 || !(mass >= 0.0)) {
		abut_importer_fail(importer, element, "mass: must be a number of at least 0, is %g", mass);
	}
	const bool full = abut_importer_attribute(importer, element, "fullinertia", 6, 6, six) != 0;
	const char *turned_by = abut_mjcf_turned_by(mjcf, element);
	if (full && turned_by) {
		abut_importer_fail(importer, element,
		                   "%s: not allowed with fullinertia, which uses the axes of the body", turned_by);
	} else if (!full && abut_importer_attribute(importer, element, "diaginertia", 3, 3, six) == 0) {
		abut_importer_fail(importer, element, "attribute diaginertia or fullinertia is missing");
	}
	AbutImportMass *out = mass > 0.0 ? abut_importer_mass(importer, &importer->import->bodies[body]) : NULL;
	if (out) {
		out->mass = mass;
		abut_copy3(placed.position, out->centre);
		abut_importer_inertia(importer, element, six, placed.orientation, out->inertia);
	}
}

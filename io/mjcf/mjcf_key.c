/* Reads keyframes of MJCF. The numbers of `qpos` are, in the order of bodies and joints: position and quaternion of a
 * free joint, quaternion of a ball, coordinate of a hinge or slide. Those of `qvel` are the velocity of a free body's
 * origin in the world and its angular velocity in its own axes, the angular velocity of a ball in the axes of its
 * child, and the rate of a hinge or slide. Tested in tests/io/import_key.c. */
#include "io/mjcf/mjcf_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "io/mjcf/mjcf_joint.h"
#include "io/robot/importer.h"
#include "io/robot/joints.h"
#include "io/robot/pose.h"
#include "io/robot/values.h"
#include "io/text/words.h"

enum { MOST = 20000 }; /* numbers */

/* Returns whether the model's own pose cannot be the start: joints outside of their limits cannot start at the nearer
 * one if loops hold them. */
static bool must_move(const AbutMjcf *mjcf)
{
	const AbutImport *import = mjcf->importer->import;
	bool loops = false, outside = false;
	for (const AbutXml *all = abut_xml_child(mjcf->root, "equality"); all; all = abut_xml_next(all)) {
		loops = loops || abut_xml_child(all, "connect") || abut_xml_child(all, "weld");
	}
	for (int i = 0; i < import->n_joints; i++) {
		const AbutImportJoint *joint = &import->joints[i];
		for (int k = 0; k < joint->n_laws && joint->type != ABUT_JOINT_BALL; k++) {
			const AbutImportLaw *law = &joint->law[k];
			outside = outside ||
			          (law->axis.has_limits && !(law->at >= law->axis.lower && law->at <= law->axis.upper));
		}
	}
	return loops && outside;
}

/* Fails, with the names of the keyframes that there are. */
static void fail_wanted(const AbutMjcf *mjcf, const char *wanted)
{
	char names[200] = "", quoted[ABUT_QUOTE_SIZE];
	int n = 0;
	for (const AbutXml *all = abut_xml_child(mjcf->root, "keyframe"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = abut_xml_child(all, "key"); at; at = abut_xml_next(at), n++) {
			const size_t length = strlen(names);
			const bool fits = length + strlen(abut_importer_name(at)) + 20 < sizeof names;
			snprintf(names + length, sizeof names - length, fits ? "%s%d \"%s\"" : "", n > 0 ? ", " : "", n,
			         abut_importer_name(at));
		}
	}
	abut_importer_fail(mjcf->importer, mjcf->root, "the model has no keyframe %s; %s%s",
	                   abut_text_quote(wanted, quoted), n > 0 ? "it has, by number and name: " : "it has none",
	                   names);
}

void abut_mjcf_key(AbutMjcf *mjcf)
{
	const char *wanted = mjcf->importer->options->keyframe;
	char *end = NULL;
	const long number = wanted ? strtol(wanted, &end, 10) : -1;
	const bool by_number = wanted && wanted[0] && *end == '\0';
	long n = 0;
	for (const AbutXml *all = abut_xml_child(mjcf->root, "keyframe"); all; all = abut_xml_next(all)) {
		for (const AbutXml *at = abut_xml_child(all, "key"); at && wanted; at = abut_xml_next(at), n++) {
			if (strcmp(abut_importer_name(at), wanted) == 0 || (by_number && n == number && !mjcf->key)) {
				mjcf->key = at;
			}
		}
	}
	if (!wanted && must_move(mjcf)) {
		mjcf->key = abut_xml_child(abut_xml_child(mjcf->root, "keyframe"), "key");
	}
	if (!wanted && mjcf->key) {
		abut_importer_note(mjcf->importer, mjcf->key,
		                   "approximated: the scene starts at keyframe \"%.60s\": in the model's own pose, "
		                   "joints of closed loops are outside of their limits",
		                   abut_importer_name(mjcf->key));
	}
	if (wanted && !mjcf->key) {
		fail_wanted(mjcf, wanted);
	}
}

/* Reads the numbers of an attribute of the keyframe; the caller frees them. NULL: none, or an error. */
static double *read(const AbutMjcf *mjcf, const char *name, int *n)
{
	double *const values = mjcf->key ? malloc(MOST * sizeof *values) : NULL;
	*n = values ? abut_importer_attribute(mjcf->importer, mjcf->key, name, 0, MOST, values) : 0;
	if (mjcf->key && !values) {
		abut_importer_no_memory(mjcf->importer);
	}
	return values;
}

double abut_mjcf_key_control(const AbutMjcf *mjcf, int i)
{
	int n = 0;
	double *const values = read(mjcf, "ctrl", &n);
	const double value = i < n ? values[i] : 0.0;
	free(values);
	return value;
}

/* The motion of a joint at the keyframe. */
typedef struct Motion {
	bool given[ABUT_JOINT_FREEDOMS];
	double q[ABUT_JOINT_FREEDOMS]; /* coordinates or rates */
	AbutPose turn;                 /* of a ball */
} Motion;

/* The numbers while they are given to the joints. */
typedef struct Reading {
	AbutImport *import;
	bool rates; /* those of qvel, not qpos */
	int n, at;  /* numbers, and the next one */
	double *values;
	Motion *motion; /* of each joint */
} Reading;

/* Takes the next numbers; missing ones are counted, too. NULL: there are not so many. */
static const double *take(Reading *reading, int n)
{
	reading->at += n;
	return reading->at <= reading->n ? reading->values + reading->at - n : NULL;
}

/* Gives the next numbers to the freedom of an element. Copies of an element come one after the other. */
static void give(Reading *reading, const AbutXml *element, bool is_ball)
{
	const double *values = take(reading, !is_ball ? 1 : reading->rates ? 3 : 4);
	for (int i = 0; values && i < reading->import->n_joints; i++) {
		const AbutImportJoint *joint = &reading->import->joints[i];
		Motion *motion = &reading->motion[i];
		for (int k = 0; k < joint->n_laws; k++) {
			if (joint->law[k].element != element || motion->given[k]) {
				continue;
			}
			motion->given[k] = true;
			if (is_ball && reading->rates) {
				abut_copy3(values, motion->q);
			} else if (is_ball) {
				memcpy(motion->turn.orientation, values, sizeof motion->turn.orientation);
				abut_quat_normalise(motion->turn.orientation);
			} else {
				motion->q[k] = values[0];
			}
			return;
		}
	}
}

static void give_free(Reading *reading, int body)
{
	const double *values = take(reading, reading->rates ? 6 : 7);
	if (!values || body < 0) {
		return;
	}
	AbutImportBody *own = &reading->import->bodies[body];
	if (reading->rates) {
		abut_copy3(values, own->velocity);
		abut_copy3(values + 3, own->spin);
	} else {
		memcpy(own->pose.position, values, sizeof own->pose.position);
		memcpy(own->pose.orientation, values + 3, sizeof own->pose.orientation);
		abut_quat_normalise(own->pose.orientation);
	}
}

/* Gives the numbers to the joints of all bodies, in the order of the model. */
static void give_all(const AbutMjcf *mjcf, Reading *reading)
{
	const AbutImport *import = reading->import;
	for (int i = 0; i < import->n_places; i++) {
		const AbutImportPlace *place = &import->places[i];
		for (const AbutXml *at = place->element->child; at; at = at->next) {
			const bool is_joint = strcmp(at->name, "joint") == 0 || strcmp(at->name, "freejoint") == 0;
			if (strcmp(place->element->name, "body") != 0 || !is_joint) {
				continue;
			}
			const char *type = abut_mjcf_joint_type(mjcf, at, place->childclass);
			if (strcmp(type, "free") == 0) {
				give_free(reading, place->body);
			} else {
				give(reading, at, strcmp(type, "ball") == 0);
			}
		}
	}
}

/* Moves the child of each joint, after its parent. */
static void move_all(const Reading *reading)
{
	AbutImport *import = reading->import;
	for (int i = 0; i < import->n_joints; i++) {
		AbutImportJoint *joint = &import->joints[i];
		const Motion *motion = &reading->motion[i];
		if (joint->closes) {
			continue;
		}
		const bool is_ball = joint->type == ABUT_JOINT_BALL;
		const AbutPose moved = is_ball ? motion->turn : abut_import_motion(joint->type, motion->q);
		const AbutPose back = abut_pose_inverse(&joint->frame[1]);
		AbutPose pose = abut_pose_compose(&joint->frame[0], &moved);
		pose = abut_pose_compose(&pose, &back);
		if (joint->body[0] >= 0) {
			pose = abut_pose_compose(&import->bodies[joint->body[0]].pose, &pose);
		}
		import->bodies[joint->body[1]].pose = pose;
		joint->moved = !is_ball;
		memcpy(joint->start, motion->q, sizeof joint->start);
	}
}

/* Lets all joints start with their rates, unless all are 0. */
static void turn_all(const Reading *reading)
{
	bool moves = false;
	for (int i = 0; i < reading->n; i++) {
		moves = moves || reading->values[i] != 0.0;
	}
	for (int i = 0; moves && i < reading->import->n_joints; i++) {
		AbutImportJoint *joint = &reading->import->joints[i];
		joint->turning = !joint->closes;
		memcpy(joint->rate, reading->motion[i].q, sizeof joint->rate);
	}
}

/* Reads qpos or qvel, and gives it to the bodies and joints. */
static void read_motion(const AbutMjcf *mjcf, const char *name, bool rates)
{
	AbutImporter *importer = mjcf->importer;
	AbutImport *import = importer->import;
	Reading reading = {.import = import, .rates = rates};
	reading.values = read(mjcf, name, &reading.n);
	reading.motion = calloc((size_t)import->n_joints + 1, sizeof *reading.motion);
	if (mjcf->key && !reading.motion) {
		abut_importer_no_memory(importer);
	}
	if (reading.n > 0 && reading.motion && importer->status == ABUT_OK) {
		for (int i = 0; i < import->n_joints; i++) {
			reading.motion[i].turn = abut_pose_identity();
		}
		give_all(mjcf, &reading);
		if (reading.at != reading.n) {
			abut_importer_fail(importer, mjcf->key, "%s: must be %d numbers, is %d", name, reading.at,
			                   reading.n);
		} else if (rates) {
			turn_all(&reading);
		} else {
			move_all(&reading);
		}
	}
	free(reading.values);
	free(reading.motion);
}

void abut_mjcf_place_key(AbutMjcf *mjcf)
{
	read_motion(mjcf, "qpos", false);
	read_motion(mjcf, "qvel", true);
}

/* Writes a robot as a model of MuJoCo. As in Gymnasium's ant, geoms have a margin of 1 cm and touch only the floor. */
#include "experiments/robots/robot_mujoco.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/text/memory_stream.h"

enum { DEEPEST = 50 }; /* most links of a file */

static void write_geom(FILE *file, const AbutRobotGeom *geom)
{
	const double *a = geom->from, *b = geom->to;
	if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) {
		fprintf(file, "<geom type='sphere' pos='%.17g %.17g %.17g' size='%.17g'/>", a[0], a[1], a[2],
		        geom->radius);
	} else {
		fprintf(file, "<geom type='capsule' fromto='%.17g %.17g %.17g %.17g %.17g %.17g' size='%.17g'/>", a[0],
		        a[1], a[2], b[0], b[1], b[2], geom->radius);
	}
}

/* Writes the begin of a link's element. */
static void open_link(FILE *file, const AbutBenchRobot *robot, int i)
{
	const AbutRobotLink *link = &robot->links[i];
	const double *at = link->anchor, *axis = link->axis;
	fprintf(file, "<body name='%d' pos='%.17g %.17g %.17g'>", i, at[0], at[1], at[2]);
	if (i < abut_robot_first_hinge(robot)) {
		fprintf(file, "<freejoint/>");
	} else {
		const bool limited = link->range[0] < link->range[1];
		fprintf(file,
		        "<joint name='%d' axis='%.17g %.17g %.17g' limited='%s' range='%.17g %.17g' armature='%.17g' "
		        "damping='%.17g'/>",
		        i, axis[0], axis[1], axis[2], limited ? "true" : "false", link->range[0], link->range[1],
		        robot->armature, robot->damping);
	}
	for (int k = 0; k < link->n_geoms; k++) {
		write_geom(file, &link->geoms[k]);
	}
}

/* Closes the elements of link `i` and its ancestors after `from` that do not carry link `next`. */
static void close_links(FILE *file, const AbutBenchRobot *robot, int i, int from, int next)
{
	const int parent = next < robot->n_links ? robot->links[next].parent : -1;
	for (; i >= from && i != parent; i = robot->links[i].parent) {
		fprintf(file, "</body>");
	}
}

/* Writes links `from` to `end` - 1. The rest, if any, is included in the last of them. */
static void write_links(FILE *file, const AbutBenchRobot *robot, int from, int end)
{
	for (int i = from; i < end; i++) {
		open_link(file, robot, i);
		if (i + 1 == end && end < robot->n_links) {
			fprintf(file, "<include file='rest.xml'/>");
		}
		close_links(file, robot, i, from, i + 1 < end ? i + 1 : robot->n_links);
	}
}

static void write_model(FILE *file, const AbutBenchRobot *robot, double timestep, int end)
{
	fprintf(file, "<mujoco><compiler angle='radian'/><option timestep='%.17g'/>", timestep);
	fprintf(file, "<default><geom conaffinity='0' contype='%d' density='%.17g' friction='%.17g' margin='0.01'/>",
	        robot->floor ? 1 : 0, robot->density, robot->friction);
	fprintf(file, "</default><worldbody>");
	if (robot->floor) {
		fprintf(file, "<geom type='plane' size='40 40 40' conaffinity='1'/>");
	}
	write_links(file, robot, 0, end);
	fprintf(file, "</worldbody><actuator>");
	for (int i = abut_robot_first_hinge(robot); robot->effort > 0.0 && i < robot->n_links; i++) {
		fprintf(file, "<motor joint='%d' ctrllimited='true' ctrlrange='-1 1' gear='%.17g'/>", i, robot->effort);
	}
	fprintf(file, "</actuator></mujoco>");
}

bool abut_robot_xml(const AbutBenchRobot *robot, double timestep, AbutRobotXml *out)
{
	const int n = robot->n_links, end = n > DEEPEST ? DEEPEST : n; /* a longer robot is a chain */
	AbutBytes model = {0}, rest = {0};
	FILE *file = abut_memory_stream(&model);
	*out = (AbutRobotXml){NULL, NULL};
	if (file) {
		write_model(file, robot, timestep, end);
		out->model = abut_memory_stream_text(file, &model);
	}
	file = end < n ? abut_memory_stream(&rest) : NULL;
	if (file) {
		fprintf(file, "<mujoco>");
		write_links(file, robot, end, n);
		fprintf(file, "</mujoco>");
		out->rest = abut_memory_stream_text(file, &rest);
	}
	return out->model && (end == n || out->rest);
}

void abut_robot_xml_free(AbutRobotXml *xml)
{
	free(xml->model);
	free(xml->rest);
	*xml = (AbutRobotXml){NULL, NULL};
}

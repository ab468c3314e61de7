/* A robot as a model of MuJoCo, in its XML format. */
#pragma once

#include <stdbool.h>

#include "experiments/robots/robots.h"

/* The text of a model, and of the file rest.xml that it may include. MuJoCo refuses more than 100 nested elements. */
typedef struct AbutRobotXml {
	char *model, *rest;
} AbutRobotXml;

/* Writes the robot, whose links are in depth-first order. Returns false when out of memory; free the texts in any case.
 */
bool abut_robot_xml(const AbutBenchRobot *robot, double timestep, AbutRobotXml *out);
void abut_robot_xml_free(AbutRobotXml *xml);

/* Opens the robots of the experiment. */
#include "experiments/robots/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "experiments/robots/atlas.h"
#include "experiments/robots/robot_mujoco.h"
#include "io/describe/mjcf_out.h"
#include "io/text/file_text.h"
#include "io/text/output_target.h"

#define GYMNASIUM "Gymnasium, gymnasium/envs/mujoco/assets"

const AbutRobotSource abut_robot_sources[] = {
    {.name = "own-ant", .torso = "0", .is_driven = true},
    {.name = "quadruped", .scene = "quadruped.json", .torso = "trunk", .is_driven = true},
    {.name = "biped", .scene = "biped.json", .torso = "torso", .is_driven = true},
    {.name = "ant",
     .file = "gym_ant/ant.xml",
     .origin = GYMNASIUM,
     .torso = "torso",
     .is_driven = true,
     .target = 0.05},
    {.name = "half-cheetah",
     .file = "gym_half_cheetah/half_cheetah.xml",
     .origin = GYMNASIUM,
     .torso = "torso",
     .is_driven = true,
     .target = 0.05},
    {.name = "hopper",
     .file = "gym_hopper/hopper.xml",
     .origin = GYMNASIUM,
     .torso = "torso",
     .is_driven = true,
     .target = 0.05},
    {.name = "walker2d",
     .file = "gym_walker2d_v5/walker2d_v5.xml",
     .origin = GYMNASIUM,
     .torso = "torso",
     .is_driven = true,
     .target = 0.05},
    {.name = "humanoid",
     .file = "gym_humanoid/humanoid.xml",
     .origin = GYMNASIUM,
     .torso = "torso",
     .is_driven = true,
     .target = 0.05},
    {.name = "A1",
     .file = "menagerie_unitree_a1/a1_nomesh.xml",
     .origin = "MuJoCo Menagerie, unitree_a1/a1.xml, without its meshes",
     .keyframe = "home",
     .torso = "trunk",
     .lacks_floor = true,
     .is_driven = true},
    {.name = "ur5e",
     .file = "menagerie_universal_robots_ur5e/ur5e_nomesh.xml",
     .origin = "MuJoCo Menagerie, universal_robots_ur5e/ur5e.xml, without its meshes",
     .keyframe = "home",
     .torso = "wrist_3_link",
     .is_driven = true},
    {.name = "Atlas",
     .file = "dojo_atlas/atlas_simple.urdf",
     .origin = "Dojo.jl, DojoEnvironments/src/mechanisms/atlas",
     .torso = "utorso",
     .is_atlas = true},
};
const int abut_robot_source_count = sizeof abut_robot_sources / sizeof *abut_robot_sources;

static bool path_of(const AbutRobotSource *source, const char *data, char out[ABUT_ROBOT_PATH])
{
	return snprintf(out, ABUT_ROBOT_PATH, "%s/models/%s", data, source->file) < ABUT_ROBOT_PATH;
}

bool abut_robot_source_exists(const AbutRobotSource *source, const char *data)
{
	char path[ABUT_ROBOT_PATH];
	return !source->file || (data && path_of(source, data, path) && access(path, R_OK) == 0);
}

/* Opens the file NAME.xml in the folder `out`, and sets the robot's path to it. */
static AbutStatus begin_file(const char *out, AbutRobotModel *robot, AbutTarget *target, AbutError *error)
{
	char name[64];
	snprintf(name, sizeof name, "%s.xml", robot->source->name);
	if (snprintf(robot->path, sizeof robot->path, "%s/%s", out, name) >= ABUT_ROBOT_PATH) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the path of the output folder is too long");
	}
	return abut_target_open(target, out, name, error);
}

static AbutStatus write_ant(const char *out, AbutRobotModel *robot, AbutError *error)
{
	AbutTarget target = {0};
	AbutRobotXml xml = {NULL, NULL};
	AbutBenchRobot *ant = calloc(1, sizeof *ant);
	AbutStatus status = begin_file(out, robot, &target, error);
	if (ant) {
		abut_robot_ant(0.55, ant);
	}
	if (status == ABUT_OK && (!ant || !abut_robot_xml(ant, 0.01, &xml))) {
		status = abut_fail_memory(error, "the text of a robot");
	}
	if (status == ABUT_OK) {
		fputs(xml.model, target.file);
	}
	abut_robot_xml_free(&xml);
	free(ant);
	return abut_target_end(&target, status, error);
}

/* Copies the file with a floor in its world. */
static AbutStatus write_with_floor(const char *from, const char *out, AbutRobotModel *robot, AbutError *error)
{
	static const char world[] = "<worldbody>";
	enum { MOST = 1 << 24 };
	char *text = NULL;
	size_t length = 0;
	AbutTarget target = {0};
	ABUT_TRY(abut_file_read(from, "model", MOST, &text, &length, error));
	const char *place = strstr(text, world);
	AbutStatus status = place ? begin_file(out, robot, &target, error)
	                          : abut_error_set(error, ABUT_ERROR_PARSE, NULL, "%s has no <worldbody>", from);
	if (status == ABUT_OK) {
		place += sizeof world - 1;
		fprintf(target.file, "%.*s<geom name=\"floor\" type=\"plane\" size=\"0 0 1\"/>%s", (int)(place - text),
		        text, place);
	}
	free(text);
	return abut_target_end(&target, status, error);
}

static void ignore_note(void *context, const AbutDescribeNote *note)
{
	(void)context;
	(void)note;
}

/* Writes the scene as a model for MuJoCo. */
static AbutStatus write_scene(const char *out, AbutRobotModel *robot, AbutError *error)
{
	static const AbutDescribeNotes notes = {NULL, ignore_note};
	AbutTarget target = {0};
	AbutModel *model = NULL;
	ABUT_TRY(abut_model_create(&robot->imported.def, &model, error));
	AbutStatus status = begin_file(out, robot, &target, error);
	ABUT_THEN(status, abut_describe_mjcf(target.file, model, &robot->imported.def, &notes, error));
	abut_model_destroy(model);
	return abut_target_end(&target, status, error);
}

/* Loads a shipped scene. */
static AbutStatus load_scene(const AbutRobotFolders *folders, AbutRobotModel *robot, AbutError *error)
{
	char path[ABUT_ROBOT_PATH];
	if (snprintf(path, sizeof path, "%s/../scenes/%s", folders->source, robot->source->scene) >= ABUT_ROBOT_PATH) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the path of the experiment is too long");
	}
	ABUT_TRY(abut_scene_load(path, 0, NULL, &robot->imported.made.scene, error));
	robot->imported.def = *abut_scene_def(robot->imported.made.scene);
	return write_scene(folders->out, robot, error);
}

AbutStatus abut_robot_model_open(const AbutRobotSource *source, const AbutRobotFolders *folders, AbutRobotModel *robot,
                                 AbutError *error)
{
	const AbutImportOptions options = {.keyframe = source->keyframe};
	char path[ABUT_ROBOT_PATH] = "";
	*robot = (AbutRobotModel){.source = source};
	if (source->scene) {
		return load_scene(folders, robot, error);
	}
	if (source->file && !path_of(source, folders->data, path)) {
		return abut_error_set(error, ABUT_ERROR_ARGUMENT, NULL, "the path of --data is too long");
	}
	memcpy(robot->path, path, sizeof path);
	if (!source->file) {
		ABUT_TRY(write_ant(folders->out, robot, error));
	} else if (source->lacks_floor) {
		ABUT_TRY(write_with_floor(path, folders->out, robot, error));
	}
	ABUT_TRY(abut_imported_open(robot->path, &options, source->name, &robot->imported, error));
	if (source->is_atlas) {
		ABUT_TRY(abut_atlas_complete(robot, error));
		ABUT_TRY(write_scene(folders->out, robot, error));
	}
	return ABUT_OK;
}

void abut_robot_model_close(AbutRobotModel *robot)
{
	for (int i = 0; i < 4; i++) {
		abut_shape_destroy(robot->feet[i]);
		robot->feet[i] = NULL;
	}
	free(robot->joints);
	robot->joints = NULL;
	abut_imported_close(&robot->imported);
}

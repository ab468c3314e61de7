/* Tests abut export: its calls, what it refuses, and reads its glb by Assimp. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/call.h"
#include "io/run/read.h"

#ifdef ABUT_TEST_ASSIMP
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif

TestSuite(export_verb, .init = set_up, .fini = tear_down);

static void run_cube(Call *result)
{
	call(result, "run " SCENES "cube_drop.json --out out --quiet");
	cr_assert_eq(result->status, 0, "%s", result->err);
}

Test(export_verb, the_format_is_given_or_that_of_the_file)
{
	static Call result;
	static char named[1 << 20], other[1 << 20];
	char path[96];
	run_cube(&result);
	call(&result, "export out --format csv");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, "out/run.csv: 151 frames of 2 bodies, 111 contacts\n");
	snprintf(path, sizeof path, "%s/out/run.csv", folder);
	read_file(path, named, sizeof named);
	cr_expect_eq(count_lines(named), 1 + 2 * 151);
	call(&result, "export out -o other.csv --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, "");
	snprintf(path, sizeof path, "%s/other.csv", folder);
	read_file(path, other, sizeof other);
	cr_expect_str_eq(other, named);
	call(&result, "export out --format csv --out=/dev/stdout");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.out, named);
}

/* Each wrong call gives one line, and leaves no file. */
Test(export_verb, wrong_calls_are_refused)
{
	static Call result;
	static const struct {
		const char *arguments, *message;
		int status;
	} cases[] = {
	    {"export out",
	     "the format is missing; give --format, one of csv, npz, glb, mcap, or, of a scene file, mjcf or urdf, or "
	     "an --out that ends with it",
	     2},
	    {"export out -o run.usd", "the format is missing", 2},
	    {"export out --format usd", "--format is 'usd'; it must be one of csv, npz, glb, mcap", 2},
	    {"export out --format", "--format", 2},
	    {"export --format csv", "the run folder is missing", 2},
	    {"export out out --format csv", "", 2},
	    {"export nowhere --format csv", "nowhere/scene.json", 2},
	    {"export out --format npz --out nowhere/run.npz", "nowhere/run.npz", -1},
	    {"export out --format mcap --out /dev/full", "/dev/full", 3},
	    {"export out --format csv --table contacts", "--table is 'contacts'; it must be one of bodies, joints", 2},
	    {"export out --format npz --table joints",
	     "--table is 'joints'; only format csv has tables, and npz contains all", 2},
	    {"export out --format csv --table joints", "the run has no joints.csv", 2},
	    {"export out/scene.json --format glb",
	     "--format glb needs the folder of a run, and out/scene.json is a file; first `abut run out/scene.json "
	     "--out "
	     "run`",
	     2},
	};
	run_cube(&result);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		call(&result, cases[i].arguments);
		cr_expect(cases[i].status < 0 ? result.status >= 2 : result.status == cases[i].status, "%s: %d: %s",
		          cases[i].arguments, result.status, result.err);
		cr_expect_eq(count_lines(result.err), 1, "%s: %s", cases[i].arguments, result.err);
		cr_expect(strstr(result.err, cases[i].message), "%s: %s", cases[i].arguments, result.err);
		cr_expect_str_eq(result.out, "");
	}
	static const char *const formats[] = {"csv", "npz", "glb", "mcap"};
	for (int i = 0; i < 4; i++) {
		char name[32];
		snprintf(name, sizeof name, "out/run.%s", formats[i]);
		cr_expect_not(exists(name), "%s", name);
	}
}

/* The table of joints has its own file, with a row for each frame, joint and freedom. */
/* A scene is exported as a model, which is imported with as many bodies and joints. */
Test(export_verb, a_scene_is_a_model_for_mujoco)
{
	static Call result;
	call(&result, "export " SCENES "slider_crank.json --format mjcf -o crank.xml");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect(strstr(result.out, "crank.xml: "), "%s", result.out);
	call(&result, "import crank.xml -o crank.json --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	call(&result, "export " SCENES "slider_crank.json -o ended.xml");
	cr_expect_eq(result.status, 0, "%s", result.err);
	call(&result, "export " SCENES "slider_crank.json --format mjcf");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "--format mjcf needs --out FILE"), "%s", result.err);
	call(&result, "export none.json --format mjcf -o crank.xml");
	cr_expect_eq(result.status, 2);
}

/* A scene is exported as URDF, with what it loses as an object, and its wall of halfspaces is gone. */
Test(export_verb, a_scene_is_a_robot_of_urdf)
{
	static Call result;
	call(&result, "export " SCENES "quadruped.json -o q.urdf --json");
	cr_expect_eq(result.status, 0, "%s", result.err);
	cr_expect_str_eq(result.err, "");
	cJSON *object = cJSON_Parse(result.out);
	cr_assert_not_null(object, "%s", result.out);
	cr_expect_str_eq(cJSON_GetObjectItem(object, "file")->valuestring, "q.urdf");
	cr_expect_str_eq(cJSON_GetObjectItem(object, "format")->valuestring, "urdf");
	const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(object, "left_out"), 0);
	cr_expect_str_eq(cJSON_GetObjectItem(first, "element")->valuestring, "body");
	cr_expect(strstr(cJSON_GetObjectItem(first, "text")->valuestring, "URDF has no halfspaces"));
	cJSON_Delete(object);
	call(&result, "import q.urdf -o q.json --quiet");
	cr_expect_eq(result.status, 0, "%s", result.err);
	call(&result, "export " SCENES "quadruped.json --format urdf -o /dev/stdout --quiet");
	cr_expect(strstr(result.out, "<?xml version=\"1.0\"?>\n<robot name=") == result.out, "%.60s", result.out);
	call(&result, "export " SCENES "quadruped.json --format urdf -o nowhere/q.urdf");
	cr_expect_geq(result.status, 2);
	call(&result, "export out --format csv --json");
	cr_expect_eq(result.status, 2);
	cr_expect(strstr(result.err, "--json needs --format mjcf or urdf"), "%s", result.err);
}

Test(export_verb, joints_have_a_table)
{
	static Call result;
	static char text[1 << 20];
	char path[96];
	call(&result, "run " SCENES "double_pendulum.json --set duration=0.1 --out out --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "export out --format csv --table joints");
	cr_expect_eq(result.status, 0, "%s", result.err);
	const char *frames = strstr(result.out, "out/run_joints.csv: ");
	cr_assert(frames && strstr(result.out, ", 2 joints\n"), "%s", result.out);
	snprintf(path, sizeof path, "%s/out/run_joints.csv", folder);
	read_file(path, text, sizeof text);
	cr_expect_eq(count_lines(text), 1 + 2 * atoi(frames + strlen("out/run_joints.csv: ")));
	cr_expect_eq(strncmp(text, "frame,time,joint,axis,position,", 31), 0, "%s", text);
}

/* A run whose trajectory is cut off is not exported in part. */
Test(export_verb, half_a_run_is_refused)
{
	static Call result;
	run_cube(&result);
	call_after(&result, "sed -i '$d' out/trajectory.csv &&", "export out --format glb");
	cr_expect_eq(result.status, 2, "%s", result.err);
	cr_expect(strstr(result.err, "out/trajectory.csv"), "%s", result.err);
	cr_expect_not(exists("out/run.glb"));
}

#ifdef ABUT_TEST_ASSIMP
static const struct aiNodeAnim *channel_of(const struct aiAnimation *animation, const char *body)
{
	for (unsigned i = 0; i < animation->mNumChannels; i++) {
		if (strcmp(animation->mChannels[i]->mNodeName.data, body) == 0) {
			return animation->mChannels[i];
		}
	}
	return NULL;
}

/* Checks the keys of a body at the times of the run, to single precision. */
static void expect_motion(const struct aiNodeAnim *channel, double ticks, const AbutRunRecord *record, int body)
{
	cr_assert_not_null(channel);
	cr_assert_eq(channel->mNumPositionKeys, (unsigned)record->n_frames);
	cr_assert_eq(channel->mNumRotationKeys, (unsigned)record->n_frames);
	for (long k = 0; k < record->n_frames; k++) {
		const AbutBodyState *state = &record->bodies[k * record->n_bodies + body];
		const struct aiVectorKey *at = &channel->mPositionKeys[k];
		const struct aiQuaternion *q = &channel->mRotationKeys[k].mValue;
		const double *p = state->position, *o = state->orientation;
		cr_expect_float_eq(at->mTime / ticks, record->times[k], 1e-6 * (1.0 + record->times[k]));
		cr_expect_float_eq((double)at->mValue.x, p[0], 1e-7 * (1.0 + fabs(p[0])));
		cr_expect_float_eq((double)at->mValue.y, p[1], 1e-7 * (1.0 + fabs(p[1])));
		cr_expect_float_eq((double)at->mValue.z, p[2], 1e-7 * (1.0 + fabs(p[2])));
		const double product =
		    (double)q->w * o[0] + (double)q->x * o[1] + (double)q->y * o[2] + (double)q->z * o[3];
		cr_expect_float_eq(fabs(product), 1.0, 1e-6, "frame %ld", k);
	}
}

Test(export_verb, assimp_reads_the_glb)
{
	static Call result;
	AbutRunRecord record;
	AbutError error = {0};
	char path[96];
	call(&result, "run " SCENES "drop_union.json --out out --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "export out --format glb");
	cr_assert_eq(result.status, 0, "%s", result.err);
	snprintf(path, sizeof path, "%s/out", folder);
	cr_assert_eq(abut_run_read(path, &record, &error), ABUT_OK, "%s", error.message);
	snprintf(path, sizeof path, "%s/out/run.glb", folder);
	const struct aiScene *scene = aiImportFile(path, 0);
	cr_assert_not_null(scene, "%s", aiGetErrorString());
	cr_expect_eq(scene->mRootNode->mNumChildren, (unsigned)record.n_bodies);
	cr_assert_eq(scene->mNumAnimations, 1U);
	const struct aiAnimation *animation = scene->mAnimations[0];
	for (int i = 0; i < record.n_bodies; i++) {
		const struct aiNode *node = scene->mRootNode->mChildren[i];
		cr_expect_str_eq(node->mName.data, abut_model_body_name(record.model, i));
		cr_expect_eq(node->mNumMeshes, (unsigned)abut_scene_def(record.scene)->bodies[i].n_parts);
		cr_expect_float_eq((double)node->mTransformation.c4, record.bodies[i].position[2], 1e-6);
		if (!abut_model_body_is_static(record.model, i)) {
			expect_motion(channel_of(animation, node->mName.data), animation->mTicksPerSecond, &record, i);
		}
	}
	aiReleaseImport(scene);
	abut_run_record_free(&record);
}

static const struct aiNode *node_of(const struct aiNode *node, const char *name)
{
	const struct aiNode *found = strcmp(node->mName.data, name) == 0 ? node : NULL;
	for (unsigned i = 0; !found && i < node->mNumChildren; i++) {
		found = node_of(node->mChildren[i], name);
	}
	return found;
}

/* Joints are nodes in the nodes of their parents, at their frames: the sum of the offsets of a joint and its parent is
 * where the joint is in the world. */
Test(export_verb, assimp_reads_the_joints_of_a_glb)
{
	static Call result;
	char path[96];
	call(&result, "run " SCENES "slider_crank.json --set duration=0.05 --out out --quiet");
	cr_assert_eq(result.status, 0, "%s", result.err);
	call(&result, "export out --format glb");
	cr_assert_eq(result.status, 0, "%s", result.err);
	snprintf(path, sizeof path, "%s/out/run.glb", folder);
	const struct aiScene *scene = aiImportFile(path, 0);
	cr_assert_not_null(scene, "%s", aiGetErrorString());
	const struct aiNode *pivot = node_of(scene->mRootNode, "crank pivot"),
	                    *pin = node_of(scene->mRootNode, "slider pin");
	cr_assert(pivot && pin && pivot->mNumMeshes == 1 && pin->mNumMeshes == 1);
	cr_expect_eq(pivot->mParent, scene->mRootNode);
	cr_expect_str_eq(pin->mParent->mName.data, "rod");
	cr_expect_float_eq((double)pivot->mTransformation.c4, 1.0, 1e-6);
	/* the rod is turned about y by the angle whose sine and cosine are these */
	const double s = 2.0 * 0.9870874576374967 * 0.1601822430069672, c = sqrt(1.0 - s * s);
	const double x = (double)pin->mTransformation.a4, z = (double)pin->mTransformation.c4;
	cr_expect_float_eq(0.3 + c * x + s * z, 0.6, 1e-6);
	cr_expect_float_eq(1.1 - s * x + c * z, 1.0, 1e-6);
	aiReleaseImport(scene);
}
#endif

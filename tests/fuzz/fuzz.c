/* Checks results, writes temporary files and steps worlds, for the fuzz harnesses. */
#include "fuzz.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATHS = 8, PATH_SIZE = 512 };

bool fuzz_result(AbutStatus status, const AbutError *error)
{
	if (status != ABUT_OK) {
		FUZZ_CHECK(status > ABUT_OK && status < ABUT_STATUS_COUNT);
		FUZZ_CHECK(error->status == status);
		FUZZ_CHECK(error->message[0] != '\0');
		FUZZ_CHECK(!strchr(error->message, '\n') && !strchr(error->where, '\n'));
	}
	return status == ABUT_OK;
}

/* --- files --- */

static char folder[PATH_SIZE / 2];

/* Removes the folder with its files and one level of folders. */
static void remove_folder(void)
{
	static const char *const inner[] = {"", "/snapshots"};
	for (int i = 1; i >= 0; i--) {
		char path[PATH_SIZE], file[2 * PATH_SIZE];
		snprintf(path, sizeof path, "%s%s", folder, inner[i]);
		DIR *const list = opendir(path);
		for (struct dirent *entry; list && (entry = readdir(list));) {
			snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
			unlink(file);
		}
		if (list) {
			closedir(list);
		}
		rmdir(path);
	}
}

const char *fuzz_path(const char *name)
{
	static char paths[PATHS][PATH_SIZE];
	static unsigned next;
	if (!folder[0]) {
		const char *const named = getenv("TMPDIR");
		const char *const parent = named ? named : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
		snprintf(folder, sizeof folder, "%s/abut_fuzz_XXXXXX", parent);
		FUZZ_CHECK(mkdtemp(folder));
		atexit(remove_folder);
	}
	char *const path = paths[next++ % PATHS];
	snprintf(path, PATH_SIZE, "%s%s%s", folder, name[0] ? "/" : "", name);
	return path;
}

const char *fuzz_write(const char *name, const void *data, size_t size)
{
	const char *const path = fuzz_path(name);
	FILE *const file = fopen(path, "wb");
	FUZZ_CHECK(file);
	FUZZ_CHECK(fwrite(data, 1, size, file) == size);
	FUZZ_CHECK(fclose(file) == 0);
	return path;
}

/* Returns the start of the next line "=== NAME", or the end of the input. */
static const uint8_t *next_heading(const uint8_t *from, const uint8_t *end)
{
	for (const uint8_t *at = from; end - at >= 4; at++) {
		if ((at == from || at[-1] == '\n') && memcmp(at, "=== ", 4) == 0) {
			return at;
		}
	}
	return end;
}

void fuzz_write_several(const uint8_t *data, size_t size, int n, const char *const *names)
{
	const uint8_t *const end = data + size;
	for (int i = 0; i < n; i++) {
		unlink(fuzz_path(names[i]));
	}
	for (const uint8_t *at = next_heading(data, end); at < end;) {
		const uint8_t *const name = at + 4, *line = memchr(name, '\n', (size_t)(end - name));
		const uint8_t *const text = line ? line + 1 : end, *const next = next_heading(text, end);
		for (int i = 0; i < n && line; i++) {
			if (strlen(names[i]) == (size_t)(line - name) &&
			    memcmp(names[i], name, (size_t)(line - name)) == 0) {
				fuzz_write(names[i], text, (size_t)(next - text));
			}
		}
		at = next;
	}
}

/* --- worlds --- */

const char fuzz_scene_text[] =
    "{\"abut\": 1, \"bodies\": [{\"name\": \"floor\", \"static\": true, \"shape\": {\"type\": \"halfspace\", "
    "\"normal\": [0, 0, 1], \"offset\": 0}}, {\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", "
    "\"half_extents\": [0.5, 0.4, 0.3]}, \"position\": [0, 0, 0.31]}, {\"name\": \"ball\", \"mass\": 2, \"shape\": "
    "{\"type\": \"sphere\", \"radius\": 0.2}, \"position\": [0.1, 0, 0.85]}], \"contacts\": \"all\"}";

bool fuzz_world_make(FuzzWorld *world, const AbutSceneDef *def)
{
	AbutError error = {0};
	*world = (FuzzWorld){0};
	if (fuzz_result(abut_model_create(def, &world->model, &error), &error) &&
	    fuzz_result(abut_state_create(world->model, &world->state, &error), &error) &&
	    fuzz_result(abut_workspace_create(world->model, &world->workspace, &error), &error)) {
		return true;
	}
	fuzz_world_free(world);
	return false;
}

void fuzz_world_free(FuzzWorld *world)
{
	abut_workspace_destroy(world->workspace);
	abut_state_destroy(world->state);
	abut_model_destroy(world->model);
}

static void check_finite(const double *values, int n)
{
	for (int i = 0; i < n; i++) {
		FUZZ_CHECK(isfinite(values[i]));
	}
}

static void check_state(const FuzzWorld *world)
{
	for (int i = 0; i < abut_model_body_count(world->model); i++) {
		AbutBodyState body;
		FUZZ_CHECK(abut_state_get_body(world->model, world->state, i, &body) == ABUT_OK);
		check_finite(body.position, 3);
		check_finite(body.orientation, 4);
		check_finite(body.linear_velocity, 3);
		check_finite(body.angular_velocity, 3);
		double square = 0.0;
		for (int k = 0; k < 4; k++) {
			square += body.orientation[k] * body.orientation[k];
		}
		FUZZ_CHECK(fabs(square - 1.0) < 1e-8);
	}
}

static void check_contacts(const FuzzWorld *world)
{
	for (int i = 0; i < abut_contact_count(world->workspace); i++) {
		AbutContact contact;
		FUZZ_CHECK(abut_contact_get(world->model, world->workspace, i, &contact) == ABUT_OK);
		check_finite(&contact.scaling, 1);
		check_finite(&contact.gap, 1);
		check_finite(contact.point, 3);
		check_finite(contact.normal, 3);
		check_finite(&contact.normal_impulse, 1);
		check_finite(contact.friction_impulse, 3);
		check_finite(&contact.torsional_impulse, 1);
	}
}

static void check_joints(const FuzzWorld *world)
{
	AbutJointState joint;
	for (int i = 0; abut_joint_get(world->model, world->state, i, &joint) == ABUT_OK; i++) {
		check_finite(joint.position, ABUT_JOINT_FREEDOMS);
		check_finite(joint.velocity, ABUT_JOINT_FREEDOMS);
		check_finite(joint.force, 3);
		check_finite(joint.torque, 3);
		check_finite(joint.limit_effort, ABUT_JOINT_FREEDOMS);
		check_finite(joint.friction_effort, ABUT_JOINT_FREEDOMS);
		check_finite(joint.motor_effort, ABUT_JOINT_FREEDOMS);
		check_finite(&joint.violation_m, 1);
		check_finite(&joint.violation_rad, 1);
		check_finite(&joint.limit_violation, 1);
	}
}

void fuzz_world_check(const FuzzWorld *world, const AbutStepInfo *info)
{
	char text[512] = "";
	FUZZ_CHECK(info->outcome >= ABUT_OUTCOME_EXACT && info->outcome < ABUT_OUTCOME_COUNT);
	abut_step_explain(world->model, world->state, info, text, sizeof text);
	FUZZ_CHECK(!strchr(text, '\n'));
	check_state(world);
	if (info->outcome == ABUT_OUTCOME_FAILED) {
		FUZZ_CHECK(text[0] != '\0');
		return;
	}
	check_finite(&info->max_penetration, 1);
	check_finite(&info->residual, 1);
	check_finite(&info->complementarity, 1);
	check_finite(&info->kappa, 1);
	check_contacts(world);
	check_joints(world);
}

void fuzz_world_step(const FuzzWorld *world, int steps)
{
	AbutStepInfo info = {0};
	for (int i = 0; i < steps && info.outcome != ABUT_OUTCOME_FAILED; i++) {
		FUZZ_CHECK(abut_step(world->model, world->state, world->workspace, &info) == ABUT_OK);
		fuzz_world_check(world, &info);
	}
}

AbutModel *fuzz_model(const char *text)
{
	AbutScene *scene = NULL;
	AbutModel *model = NULL;
	FUZZ_CHECK(abut_scene_parse(text, strlen(text), "scene.json", 0, NULL, &scene, NULL) == ABUT_OK);
	FUZZ_CHECK(abut_model_create(abut_scene_def(scene), &model, NULL) == ABUT_OK);
	abut_scene_destroy(scene);
	return model;
}

/* Writes a run as binary glTF 2.0: a node for each body with its triangles, a node in it for each joint, and an
 * animation that moves the nodes of the bodies. */
#include "io/export/glb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abut/version.h"
#include "base/error.h"
#include "io/export/run_joints.h"
#include "io/export/run_meshes.h"
#include "io/text/bytes.h"
#include "io/text/memory_stream.h"
#include "io/text/number.h"

enum { FLOAT = 5126, UNSIGNED = 5125, VERTICES = 34962, INDICES = 34963 };

/* The two chunks of the file. Views and accessors are counted while their bytes are written. */
typedef struct Glb {
	const AbutRunRecord *record;
	const AbutBodyMesh *meshes;
	AbutShapeMesh marks[2]; /* of joints without and with an axis; owned */
	int n_joints;           /* joints with a node; 0 without joints.csv */
	AbutBytes binary;
	FILE *json, *views, *accessors; /* memory streams */
	int n_accessors;                /* number of accessors, each with its own view */
	int n_keys;                     /* number of animation frames */
	long *keys;                     /* (n_keys) indices of frames */
} Glb;

/* Begins an accessor and its view at the end of the bytes and returns its index. `type` is a glTF type such as "VEC3".
 */
static int add_accessor(Glb *glb, int component, const char *type, int components, long count, int target)
{
	const char *const comma = glb->n_accessors > 0 ? ",\n" : "";
	fprintf(glb->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", comma, glb->binary.size,
	        (size_t)count * (size_t)components * 4);
	if (target) {
		fprintf(glb->views, ",\"target\":%d", target);
	}
	fputc('}', glb->views);
	fprintf(glb->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%ld,\"type\":\"%s\"", comma,
	        glb->n_accessors, component, count, type);
	return glb->n_accessors++;
}

static void write_floats(FILE *file, const char *key, const float *values, int n)
{
	fprintf(file, ",\"%s\":[", key);
	for (int i = 0; i < n; i++) {
		fputs(i > 0 ? "," : "", file);
		abut_json_write_number(file, (double)values[i]);
	}
	fputc(']', file);
}

/* Adds `n` 3-vectors; if `bounded`, also their minimum and maximum, which glTF requires for positions. */
static int add_vectors(Glb *glb, const double *values, int n, bool bounded)
{
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	const int index = add_accessor(glb, FLOAT, "VEC3", 3, n, VERTICES);
	for (int i = 0; i < 3 * n; i++) {
		const float value = (float)values[i];
		low[i % 3] = fminf(low[i % 3], value);
		high[i % 3] = fmaxf(high[i % 3], value);
		abut_bytes_float(&glb->binary, value);
	}
	if (bounded) {
		write_floats(glb->accessors, "min", low, 3);
		write_floats(glb->accessors, "max", high, 3);
	}
	fputc('}', glb->accessors);
	return index;
}

static void add_part(Glb *glb, const AbutShapeMesh *mesh, int material)
{
	const int positions = add_vectors(glb, mesh->positions, mesh->n_vertices, true);
	const int normals = add_vectors(glb, mesh->normals, mesh->n_vertices, false);
	const int indices = add_accessor(glb, UNSIGNED, "SCALAR", 1, 3L * mesh->n_triangles, INDICES);
	fputc('}', glb->accessors);
	for (int i = 0; i < 3 * mesh->n_triangles; i++) {
		abut_bytes_integer(&glb->binary, (uint64_t)mesh->triangles[i], 4);
	}
	fprintf(glb->json, "{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,\"material\":%d}", positions,
	        normals, indices, material);
}

static void write_meshes(Glb *glb)
{
	fputs("\"meshes\":[", glb->json);
	for (int i = 0; i < glb->record->n_bodies; i++) {
		fprintf(glb->json, "%s{\"name\":", i > 0 ? ",\n" : "");
		abut_json_write_string(glb->json, abut_model_body_name(glb->record->model, i));
		fputs(",\"primitives\":[", glb->json);
		for (int k = 0; k < glb->meshes[i].n_parts; k++) {
			fputs(k > 0 ? "," : "", glb->json);
			add_part(glb, &glb->meshes[i].parts[k], i);
		}
		fputs("]}", glb->json);
	}
	for (int i = 0; glb->n_joints > 0 && i < 2; i++) {
		fprintf(glb->json, ",\n{\"name\":\"%s\",\"primitives\":[", i == 0 ? "joint" : "joint with axis");
		add_part(glb, &glb->marks[i], glb->record->n_bodies);
		fputs("]}", glb->json);
	}
	fputs("],\n\"materials\":[", glb->json);
	for (int i = 0; i < glb->record->n_bodies + (glb->n_joints > 0); i++) {
		static const float black[3] = {0.1F, 0.1F, 0.1F};
		const float *color = i < glb->record->n_bodies ? glb->meshes[i].color : black;
		fprintf(glb->json, "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[", i > 0 ? ",\n" : "");
		for (int k = 0; k < 3; k++) {
			abut_json_write_number(glb->json, (double)color[k]);
			fputc(',', glb->json);
		}
		fputs("1],\"metallicFactor\":0,\"roughnessFactor\":0.8}}", glb->json);
	}
	fputs("],\n", glb->json);
}

/* --- nodes --- */

/* Converts a quaternion to glTF: scalar last, in single precision, normalised. */
static void to_gltf(const double q[4], float out[4])
{
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++) {
		out[i] = (float)(q[(i + 1) % 4] / length);
	}
}

/* Begins a node with a mesh at a pose in its parent. */
static void begin_node(FILE *json, const char *name, const double position[3], const double orientation[4], int mesh)
{
	float rotation[4], translation[3];
	to_gltf(orientation, rotation);
	for (int i = 0; i < 3; i++) {
		translation[i] = (float)position[i];
	}
	fputs("{\"name\":", json);
	abut_json_write_string(json, name);
	fprintf(json, ",\"mesh\":%d", mesh);
	write_floats(json, "translation", translation, 3);
	write_floats(json, "rotation", rotation, 4);
}

/* Writes the indices of the joints whose parent is `body`, with `before` before the first of them; returns whether
 * there are any. */
static bool write_joints_of(const Glb *glb, int body, const char *before)
{
	bool any = false;
	for (int i = 0; i < glb->n_joints; i++) {
		if (abut_scene_def(glb->record->scene)->joints[i].parent == body) {
			fprintf(glb->json, "%s%d", any ? "," : before, glb->record->n_bodies + 1 + i);
			any = true;
		}
	}
	return any;
}

/* Writes the node of a joint, in the node of its parent, at its frame: its z axis is that of the joint. */
static void write_joint(const Glb *glb, int index)
{
	const AbutJointDef *joint = &abut_scene_def(glb->record->scene)->joints[index];
	const AbutJointMark mark = abut_run_joint_mark(glb->record, index);
	const float size[3] = {(float)mark.size, (float)mark.size, (float)mark.size};
	begin_node(glb->json, joint->name, joint->parent_frame.position, joint->parent_frame.orientation,
	           glb->record->n_bodies + mark.has_axis);
	write_floats(glb->json, "scale", size, 3);
	fprintf(glb->json, ",\"extras\":{\"joint\":\"%s\",\"child\":", abut_joint_type_name(joint->type));
	abut_json_write_string(glb->json, abut_model_body_name(glb->record->model, joint->child));
	fputs("}}", glb->json);
}

/* Writes the nodes. Node 0 rotates our z axis, which points up, onto the y axis of glTF; node i + 1 is body i, and the
 * nodes of joints follow. */
static void write_nodes(Glb *glb)
{
	const AbutRunRecord *record = glb->record;
	fputs("\"scene\":0,\n\"scenes\":[{\"nodes\":[0]}],\n\"nodes\":[{\"name\":\"z up\",\"rotation\":"
	      "[-0.70710677,0,0,0.70710677],\"children\":[",
	      glb->json);
	for (int i = 0; i < record->n_bodies; i++) {
		fprintf(glb->json, "%s%d", i > 0 ? "," : "", i + 1);
	}
	write_joints_of(glb, ABUT_JOINT_WORLD, ",");
	fputs("]}", glb->json);
	for (int i = 0; i < record->n_bodies; i++) {
		const AbutBodyState *state = &record->bodies[i];
		fputs(",\n", glb->json);
		begin_node(glb->json, abut_model_body_name(record->model, i), state->position, state->orientation, i);
		fputs(write_joints_of(glb, i, ",\"children\":[") ? "]}" : "}", glb->json);
	}
	for (int i = 0; i < glb->n_joints; i++) {
		fputs(",\n", glb->json);
		write_joint(glb, i);
	}
	fputs("],\n", glb->json);
}

/* --- animation --- */

/* Chooses the frames of the animation: times must increase even when rounded to single precision. */
static bool choose_keys(Glb *glb)
{
	const AbutRunRecord *record = glb->record;
	glb->keys = malloc((size_t)record->n_frames * sizeof *glb->keys);
	float last = -1.0F;
	for (long k = 0; glb->keys && k < record->n_frames; k++) {
		if ((float)record->times[k] > last) {
			last = (float)record->times[k];
			glb->keys[glb->n_keys++] = k;
		}
	}
	return glb->keys != NULL;
}

static void add_times(Glb *glb)
{
	const double *times = glb->record->times;
	const float first = (float)times[glb->keys[0]], last = (float)times[glb->keys[glb->n_keys - 1]];
	add_accessor(glb, FLOAT, "SCALAR", 1, glb->n_keys, 0);
	write_floats(glb->accessors, "min", &first, 1);
	write_floats(glb->accessors, "max", &last, 1);
	fputc('}', glb->accessors);
	for (int k = 0; k < glb->n_keys; k++) {
		abut_bytes_float(&glb->binary, (float)times[glb->keys[k]]);
	}
}

/* Adds positions and orientations of a body. The sign of each quaternion is chosen so that interpolation takes the
 * short way; q and -q are the same rotation. */
static void add_motion(Glb *glb, int body)
{
	const AbutRunRecord *record = glb->record;
	add_accessor(glb, FLOAT, "VEC3", 3, glb->n_keys, 0);
	fputc('}', glb->accessors);
	for (int k = 0; k < glb->n_keys; k++) {
		for (int i = 0; i < 3; i++) {
			abut_bytes_float(&glb->binary,
			                 (float)record->bodies[glb->keys[k] * record->n_bodies + body].position[i]);
		}
	}
	add_accessor(glb, FLOAT, "VEC4", 4, glb->n_keys, 0);
	fputc('}', glb->accessors);
	float last[4] = {0};
	for (int k = 0; k < glb->n_keys; k++) {
		float q[4];
		to_gltf(record->bodies[glb->keys[k] * record->n_bodies + body].orientation, q);
		const float side =
		    q[0] * last[0] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3] < 0.0F ? -1.0F : 1.0F;
		for (int i = 0; i < 4; i++) {
			last[i] = side * q[i];
			abut_bytes_float(&glb->binary, last[i]);
		}
	}
}

/* Writes the animation. Samplers 2 i and 2 i + 1 are translation and rotation of the i-th moving body. */
static void write_animation(Glb *glb)
{
	const AbutRunRecord *record = glb->record;
	const int times = glb->n_accessors;
	int moving = 0;
	if (glb->n_keys < 2) {
		return;
	}
	for (int i = 0; i < record->n_bodies; i++) {
		if (abut_model_body_is_static(record->model, i)) {
			continue;
		}
		if (moving == 0) {
			add_times(glb);
			fputs("\"animations\":[{\"name\":\"run\",\"channels\":[", glb->json);
		}
		for (int k = 0; k < 2; k++) {
			fprintf(glb->json, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
			        moving + k > 0 ? ",\n" : "", 2 * moving + k, i + 1,
			        k == 0 ? "translation" : "rotation");
		}
		add_motion(glb, i);
		moving++;
	}
	for (int i = 0; i < 2 * moving; i++) {
		fprintf(glb->json, "%s{\"input\":%d,\"output\":%d}", i == 0 ? "],\n\"samplers\":[" : ",", times,
		        times + 1 + i);
	}
	fputs(moving > 0 ? "]}],\n" : "", glb->json);
}

/* --- the file --- */

static void put_text(AbutBytes *out, const char *key, const AbutBytes *text)
{
	abut_bytes_put(out, key, strlen(key));
	abut_bytes_put(out, text->data, text->size);
	abut_bytes_put(out, "]", 1);
}

/* Writes the header and the chunks, each padded to a multiple of four bytes: JSON with spaces, binary data with zeros.
 */
static AbutStatus write_file(AbutBytes *json, AbutBytes *binary, FILE *file, AbutError *error)
{
	AbutBytes head = {0}, middle = {0};
	abut_bytes_pad(json, 4, ' ');
	abut_bytes_pad(binary, 4, 0);
	const size_t size = 12 + 8 + json->size + 8 + binary->size;
	abut_bytes_put(&head, "glTF", 4);
	abut_bytes_integer(&head, 2, 4);
	abut_bytes_integer(&head, size, 4);
	abut_bytes_integer(&head, json->size, 4);
	abut_bytes_put(&head, "JSON", 4);
	abut_bytes_integer(&middle, binary->size, 4);
	abut_bytes_put(&middle, "BIN", 4); /* including its NUL */
	const bool failed = head.failed || middle.failed || json->failed || binary->failed;
	if (!failed && size <= UINT32_MAX) {
		const AbutBytes *const pieces[] = {&head, json, &middle, binary};
		for (int i = 0; i < 4; i++) {
			fwrite(pieces[i]->data, 1, pieces[i]->size, file);
		}
	}
	abut_bytes_free(&head);
	abut_bytes_free(&middle);
	return failed ? abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory")
	       : size > UINT32_MAX
	           ? abut_error_set(
	                 error, ABUT_ERROR_UNSUPPORTED, NULL,
	                 "the file would have %zu bytes; glb holds at most 4 GiB: export fewer steps or bodies", size)
	           : ABUT_OK;
}

/* A memory stream and its text. */
typedef struct Text {
	AbutBytes text;
	FILE *stream;
} Text;

static void write_json(Glb *glb)
{
	fprintf(glb->json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"abut %s\"},\n", abut_version());
	write_nodes(glb);
	write_meshes(glb);
	write_animation(glb);
}

AbutStatus abut_export_glb(const AbutRunRecord *record, FILE *file, AbutError *error)
{
	Glb glb = {.record = record, .n_joints = record->joints ? record->n_joints : 0};
	AbutBodyMesh *meshes = NULL;
	Text texts[3] = {{.stream = NULL}, {.stream = NULL}, {.stream = NULL}};
	AbutBytes json = {0};
	AbutStatus status = abut_run_meshes_create(record, &meshes, error);
	ABUT_THEN(status, abut_run_joint_meshes(glb.marks, error));
	for (int i = 0; i < 3; i++) {
		texts[i].stream = abut_memory_stream(&texts[i].text);
	}
	bool whole = texts[0].stream && texts[1].stream && texts[2].stream;
	if (status == ABUT_OK && whole && choose_keys(&glb)) {
		glb.meshes = meshes;
		glb.json = texts[0].stream;
		glb.views = texts[1].stream;
		glb.accessors = texts[2].stream;
		write_json(&glb);
	}
	for (int i = 0; i < 3; i++) {
		whole = abut_memory_stream_close(texts[i].stream, &texts[i].text) && whole;
	}
	if (status == ABUT_OK && (!whole || !glb.keys)) {
		status = abut_error_set(error, ABUT_ERROR_MEMORY, NULL, "out of memory");
	}
	if (status == ABUT_OK) {
		char buffer[64];
		abut_bytes_put(&json, texts[0].text.data, texts[0].text.size);
		put_text(&json, "\"bufferViews\":[", &texts[1].text);
		put_text(&json, ",\n\"accessors\":[", &texts[2].text);
		abut_bytes_pad(&glb.binary, 4, 0);
		snprintf(buffer, sizeof buffer, ",\n\"buffers\":[{\"byteLength\":%zu}]}", glb.binary.size);
		abut_bytes_put(&json, buffer, strlen(buffer));
		status = write_file(&json, &glb.binary, file, error);
	}
	for (int i = 0; i < 3; i++) {
		abut_bytes_free(&texts[i].text);
	}
	abut_shape_mesh_free(&glb.marks[0]);
	abut_shape_mesh_free(&glb.marks[1]);
	abut_bytes_free(&json);
	abut_bytes_free(&glb.binary);
	free(glb.keys);
	abut_run_meshes_free(meshes, record->n_bodies);
	return status;
}

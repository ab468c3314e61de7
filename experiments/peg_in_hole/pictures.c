/* The pictures of a fall: the peg and three walls of its hole at several times, side by side. */
#include "experiments/peg_in_hole/pictures.h"

#include <stdio.h>

#include "experiments/setting/world.h"

/* The scene without the block's third part, in space the wall towards the eye (insertion.c), so that the hole is seen.
 */
static AbutStatus draw(const AbutInsertionScene *scene, const AbutWorld *world, int panel, const AbutView *view,
                       AbutTable *table, AbutError *error)
{
	enum { FRONT = 2 };
	AbutBodyDef bodies[ABUT_INSERTION_BODIES] = {scene->bodies[0], scene->bodies[1]};
	AbutBodyDef *block = &bodies[ABUT_INSERTION_BLOCK];
	const AbutShape *parts[ABUT_INSERTION_PARTS];
	AbutSceneDef def = scene->def;
	char label[32];
	if (block->n_parts == ABUT_INSERTION_PARTS) {
		block->n_parts = 0;
		for (int i = 0; i < ABUT_INSERTION_PARTS; i++) {
			if (i != FRONT) {
				parts[block->n_parts++] = scene->parts[i];
			}
		}
		block->parts = parts;
	}
	def.bodies = bodies;
	snprintf(label, sizeof label, "t = %.3g s", abut_state_time(world->state));
	const AbutFrame frame = {panel, label, &def, world->model, world->state, world->workspace};
	return abut_frames_add(&frame, view, table, error);
}

static AbutStatus draw_all(const AbutInsertionScene *scene, const double times[ABUT_PEG_PICTURES], const AbutView *view,
                           AbutTable *table, AbutError *error)
{
	AbutWorld world;
	AbutStatus status = abut_world_open(&world, &scene->def, error);
	for (int i = 0; status == ABUT_OK && i < ABUT_PEG_PICTURES; i++) {
		AbutStepInfo info = {.tries = 0};
		while (status == ABUT_OK && abut_state_time(world.state) < times[i] - 0.5 * scene->def.timestep) {
			status = abut_step(world.model, world.state, world.workspace, &info);
		}
		if (status == ABUT_OK) {
			status = draw(scene, &world, i, view, table, error);
		}
	}
	abut_world_close(&world);
	return status;
}

AbutStatus abut_insertion_pictures(const AbutPeg *peg, const AbutInsertion *insertion,
                                   const double times[ABUT_PEG_PICTURES], const AbutView *view, const char *name,
                                   const char *caption, AbutReport *report, AbutError *error)
{
	enum { size = 300 };
	AbutInsertionScene scene;
	AbutStatus status = abut_insertion_scene(peg, insertion, &scene, error);
	if (status == ABUT_OK) {
		status = draw_all(&scene, times, view, abut_frames_table(report, name, caption), error);
	}
	if (status == ABUT_OK) {
		abut_frames_figure(report, name, ABUT_PEG_PICTURES, ABUT_PEG_PICTURES, size, caption);
	}
	abut_insertion_scene_free(&scene);
	return status;
}

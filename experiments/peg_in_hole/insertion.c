/* Makes the scene of a peg and its hole from a seed, runs it, and measures where the peg ends. */
#include "experiments/peg_in_hole/insertion.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "experiments/setting/world.h"

static const double full_turn = 6.283185307179586;

/* Computes the quaternion of a rotation vector. */
static void turn(const double rotation[3], double out[4])
{
	const double angle = abut_norm3(rotation);
	out[0] = cos(0.5 * angle);
	for (int k = 0; k < 3; k++) {
		out[1 + k] = angle > 0.0 ? sin(0.5 * angle) * rotation[k] / angle : 0.0;
	}
}

/* Returns how far the lowest corner is below the centre of the peg, m. */
static double below_centre(const AbutPeg *peg, const double orientation[4])
{
	double R[9];
	abut_quat_to_mat3(orientation, R);
	return 0.5 * (peg->width * (fabs(R[6]) + fabs(R[7])) + peg->length * fabs(R[8]));
}

static double largest_tilt(const AbutPeg *peg, double clearance)
{
	const double free_of_wedging = clearance / peg->friction;
	return peg->drop < 0.0 ? fmin(free_of_wedging, -0.5 * clearance * peg->width / peg->drop) : free_of_wedging;
}

/* Draws the pose of the peg at the start of a run, uniformly within the share `reach` of these limits:
 *
 *     offset  clearance width / 2       beyond it the peg rests on the rim
 *     yaw     clearance                 beyond it the square of the peg does not fit into that of the hole
 *     tilt    clearance / friction      beyond it two-point contact begins at a depth of less than friction times the
 *                                       width; each contact is then in the other's friction cone, and the peg may wedge
 *             clearance width / (2 e)   in place of the line above if the peg starts at the depth e, between the walls
 *
 * Offset and yaw together stay within one limit. The tilt is about a horizontal axis in any direction (planar: y). A
 * tilted peg moves aside by width tilt^2 before its upper corner is in. Therefore reach^2 clearance / friction^2 must
 * also be at most (1 - reach) / 2. */
static void place_peg(const AbutPeg *peg, const AbutInsertion *insertion, double position[3], double orientation[4])
{
	AbutRng rng = abut_rng_stream(insertion->seed, 0);
	/* A yaw of psi uses psi of the clearance; the rest is left for the offset. */
	const double yaw = peg->reach * insertion->clearance * abut_rng_uniform(&rng, -0.5, 0.5);
	const double room = 0.5 * peg->width * (peg->reach * insertion->clearance - fabs(yaw));
	const double offset[2] = {room * abut_rng_uniform(&rng, -1.0, 1.0), room * abut_rng_uniform(&rng, -1.0, 1.0)};
	const double tilt = peg->reach * largest_tilt(peg, insertion->clearance) * abut_rng_uniform(&rng, -1.0, 1.0);
	const double about = insertion->planar ? 0.25 * full_turn : full_turn * abut_rng_uniform(&rng, 0.0, 1.0);
	double tilted[4], yawed[4], R[9];
	turn((const double[]){tilt * cos(about), tilt * sin(about), 0.0}, tilted);
	turn((const double[]){0.0, 0.0, insertion->planar ? 0.0 : yaw}, yawed);
	abut_quat_mul(tilted, yawed, orientation);
	abut_quat_to_mat3(orientation, R);
	/* The offset is measured at the centre of the peg's bottom. */
	position[0] = offset[0] + 0.5 * peg->length * R[2];
	position[1] = insertion->planar ? 0.0 : offset[1] + 0.5 * peg->length * R[5];
	position[2] = peg->depth + peg->drop + below_centre(peg, orientation);
}

double abut_insertion_depth(const AbutPeg *peg, const AbutBodyState *state)
{
	return peg->depth - (state->position[2] - below_centre(peg, state->orientation));
}

static AbutStatus add_box(AbutInsertionScene *scene, const double half[3], const double centre[3], AbutError *error)
{
	static const double straight[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	AbutBodyDef *block = &scene->bodies[ABUT_INSERTION_BLOCK];
	AbutShape **out = &scene->shapes[block->n_parts];
	ABUT_TRY(abut_shape_create_box(half, out, error));
	scene->parts[block->n_parts++] = *out;
	return abut_shape_move(*out, straight, centre, error);
}

/* Adds the block. The top of its floor is at z = 0 and the rim at z = depth. The two walls across x are as long as the
 * block; the two across y are between them. */
static AbutStatus add_block(const AbutPeg *peg, const AbutInsertion *insertion, AbutInsertionScene *out,
                            AbutError *error)
{
	const double hole = 0.5 * peg->width * (1.0 + insertion->clearance), wall = 0.5 * peg->wall;
	const double outer = hole + peg->wall, high = 0.5 * peg->depth;
	AbutStatus status =
	    add_box(out, (const double[]){outer, outer, wall}, (const double[]){0.0, 0.0, -wall}, error);
	for (int side = -1; status == ABUT_OK && side <= 1; side += 2) {
		status = add_box(out, (const double[]){wall, outer, high},
		                 (const double[]){side * (hole + wall), 0.0, high}, error);
		if (status == ABUT_OK && !insertion->planar) {
			status = add_box(out, (const double[]){hole, wall, high},
			                 (const double[]){0.0, side * (hole + wall), high}, error);
		}
	}
	return status;
}

static AbutStatus add_peg(const AbutPeg *peg, const AbutInsertion *insertion, AbutInsertionScene *out, AbutError *error)
{
	const double half[3] = {0.5 * peg->width, 0.5 * peg->width, 0.5 * peg->length};
	AbutBodyDef *body = &out->bodies[ABUT_INSERTION_PEG];
	const AbutStatus status = abut_shape_create_box(half, &out->shapes[ABUT_INSERTION_PARTS], error);
	out->parts[ABUT_INSERTION_PARTS] = out->shapes[ABUT_INSERTION_PARTS];
	body->name = "peg";
	body->mass = peg->mass;
	body->n_parts = 1;
	body->parts = &out->parts[ABUT_INSERTION_PARTS];
	body->planar_xz = insertion->planar;
	body->force[2] = -peg->push;
	body->torque[1] = insertion->planar ? peg->lean : 0.0;
	place_peg(peg, insertion, body->position, body->orientation);
	return status;
}

AbutStatus abut_insertion_scene(const AbutPeg *peg, const AbutInsertion *insertion, AbutInsertionScene *out,
                                AbutError *error)
{
	*out = (AbutInsertionScene){.bodies = {abut_body_def_default(), abut_body_def_default()},
	                            .def = abut_scene_def_default()};
	AbutBodyDef *block = &out->bodies[ABUT_INSERTION_BLOCK];
	block->name = "block";
	block->is_static = true;
	block->parts = out->parts;
	out->def.bodies = out->bodies;
	out->def.n_bodies = ABUT_INSERTION_BODIES;
	out->def.friction = peg->friction;
	out->def.timestep = insertion->timestep;
	out->def.duration = peg->duration;
	AbutStatus status = add_block(peg, insertion, out, error);
	ABUT_THEN(status, add_peg(peg, insertion, out, error));
	if (status != ABUT_OK) {
		abut_insertion_scene_free(out);
	}
	return status;
}

void abut_insertion_scene_free(AbutInsertionScene *scene)
{
	for (int i = 0; i <= ABUT_INSERTION_PARTS; i++) {
		abut_shape_destroy(scene->shapes[i]);
		scene->shapes[i] = NULL;
	}
}

AbutStatus abut_insertion_run(const AbutPeg *peg, const AbutInsertion *insertion, const AbutRunObserver *observer,
                              AbutInserted *out, AbutError *error)
{
	AbutInsertionScene scene;
	AbutWorld world = {NULL};
	AbutBodyState end;
	ABUT_TRY(abut_insertion_scene(peg, insertion, &scene, error));
	AbutStatus status = abut_world_open(&world, &scene.def, error);
	ABUT_THEN(status, abut_run(world.model, world.state, world.workspace, abut_run_steps(&scene.def), observer,
	                           observer ? 1 : 0, &out->summary, error));
	if (status == ABUT_OK) {
		abut_state_get_body(world.model, world.state, ABUT_INSERTION_PEG, &end);
		const double *q = end.orientation;
		out->depth = abut_insertion_depth(peg, &end);
		out->tilt = 2.0 * asin(fmin(1.0, sqrt(q[1] * q[1] + q[2] * q[2])));
	}
	abut_world_close(&world);
	abut_insertion_scene_free(&scene);
	return status;
}

/* The matrix of a contact, by pushing its linear equations (contact_linear.c) with one column in each lane.
 *
 * What the regularised laws and unknowns hold comes in as columns and goes out as rows, so that equations which know of
 * no regularisation are those whose numbers are held at what they are (gradient_solve.c). */
#include "dynamics/contact_map.h"

#include <string.h>

/* --- what is held --- */

int abut_contact_map_most_held(const AbutContactLinear *linear)
{
	return linear->contact->pair->n_z + linear->n_u;
}

/* The free head of a friction cone is no unknown of its law. */
static int first_of_law(const AbutCone *cone)
{
	return cone->kind == ABUT_CONE_SOC_FREE_HEAD ? 1 : 0;
}

static int list_cone(const AbutContactLinear *linear, int index, AbutHeldNumber *out)
{
	const AbutCone *cone = &linear->contact->cones[index];
	const int first = cone->offset - linear->contact->z;
	int n = 0;
	if (cone->kind != ABUT_CONE_ORTHANT && !linear->all[index]) {
		if (linear->held[first] != 0.0) {
			out[n++] = (AbutHeldNumber){.first = first, .dim = cone->dim};
		}
		return n;
	}
	for (int j = first_of_law(cone); j < cone->dim; j++) {
		if (cone->kind != ABUT_CONE_ORTHANT || linear->held[first + j] != 0.0) {
			out[n++] = (AbutHeldNumber){.first = first + j, .dim = 1};
		}
	}
	return n;
}

int abut_contact_map_list_held(const AbutContactLinear *linear, AbutHeldNumber *out)
{
	int n = 0;
	for (int i = 0; i < linear->contact->pair->n_cones; i++) {
		n += list_cone(linear, i, &out[n]);
	}
	for (int i = 0; linear->rho > 0.0 && i < linear->n_u; i++) {
		out[n++] = (AbutHeldNumber){.first = i, .dim = 1, .unknown = true};
	}
	return n;
}

/* --- columns --- */

/* The number is held at 1 in the lane. */
static void hold(AbutContactLinear *linear, const AbutHeldNumber *held, int lane)
{
	if (held->unknown) {
		linear->u[held->first][lane] = 1.0;
		return;
	}
	for (int j = 0; j < held->dim; j++) {
		const double part = linear->held[held->first + j];
		linear->c[held->first + j][lane] = part > 0.0 || held->dim > 1 ? part : 1.0;
	}
}

static void set_column(AbutContactLinear *linear, const AbutContactMap *map, const AbutContactMapAsk *ask, int column,
                       int lane, AbutLinearMotion *motion)
{
	const int by_velocity = abut_map_by_velocity(map), by_held = abut_map_by_held(map);
	const int by_parameter = abut_map_by_parameter(map);
	if (column >= by_parameter) {
		const AbutParameter *parameter = &ask->parameters[map->parameters[column - by_parameter]];
		abut_contact_linear_set_parameter(linear, ask->model, parameter, ask->y, ask->z, lane);
		return;
	}
	if (column >= by_held) {
		hold(linear, &ask->held[column - by_held], lane);
		return;
	}
	const int side = column % by_velocity / ABUT_MAP_SIDE, kind = column % ABUT_MAP_SIDE, axis = kind % 3;
	AbutLanes(*pose)[3] = kind < 3 ? motion->displacement : motion->turn;
	AbutLanes(*velocity)[3] = kind < 3 ? motion->velocity : motion->spin;
	(column < by_velocity ? pose : velocity)[side][axis][lane] = 1.0;
}

static void get_held(const AbutContactLinear *linear, const AbutHeldNumber *held, double *row)
{
	const AbutLanes *from = held->unknown ? &linear->du[held->first] : &linear->dz[held->first];
	for (int l = 0; l < ABUT_LANES; l++) {
		row[l] = from[0][l];
		if (held->dim > 1) {
			row[l] = 0.0;
			for (int j = 0; j < held->dim; j++) {
				row[l] += linear->held[held->first + j] * from[j][l];
			}
		}
	}
}

/* Eight columns from `first` on. */
static void fill_columns(AbutContactLinear *linear, const AbutContactMapAsk *ask, int first, AbutContactMap *map)
{
	AbutLinearMotion motion;
	AbutLinearWrench wrench;
	const int width = abut_map_by_parameter(map) + map->n_parameters;
	memset(&motion, 0, sizeof motion);
	abut_contact_linear_clear(linear);
	for (int lane = 0; lane < ABUT_LANES && first + lane < width; lane++) {
		set_column(linear, map, ask, first + lane, lane, &motion);
	}
	abut_contact_linear_push(linear, &motion, &wrench);
	for (int side = 0; side < map->n_sides; side++) {
		const double sign = linear->contact->side[side].sign;
		for (int i = 0; i < ABUT_MAP_SIDE; i++) {
			double *row = &map->at[(ABUT_MAP_SIDE * side + i) * map->stride + first];
			for (int l = 0; l < ABUT_LANES; l++) {
				row[l] = sign * wrench.on[side][i][l];
			}
		}
	}
	for (int i = 0; i < map->n_held; i++) {
		get_held(linear, &ask->held[i], &map->at[(ABUT_MAP_SIDE * map->n_sides + i) * map->stride + first]);
	}
}

/* By (v+, w+) for good: the pose follows them by (dt, G). */
static void add_motion(const AbutContactLinear *linear, double timestep, AbutContactMap *map)
{
	const int n_rows = abut_map_rows(map);
	for (int side = 0; side < map->n_sides; side++) {
		const double *G = linear->contact->side[side].body->G;
		for (int r = 0; r < n_rows; r++) {
			const double *pose = &map->at[r * map->stride + ABUT_MAP_SIDE * side];
			double *velocity = &map->at[r * map->stride + abut_map_by_velocity(map) + ABUT_MAP_SIDE * side];
			for (int c = 0; c < 3; c++) {
				velocity[c] += timestep * pose[c];
				velocity[3 + c] += pose[3] * G[c] + pose[4] * G[3 + c] + pose[5] * G[6 + c];
			}
		}
	}
}

/* Which of the parameters the contact has, into the arena. */
static void carve_parameters(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutArena *arena,
                             AbutContactMap *out)
{
	out->parameters = abut_arena_take(arena, (size_t)ask->n_parameters, sizeof *out->parameters);
	out->n_parameters = 0;
	for (int i = 0; i < ask->n_parameters; i++) {
		if (!abut_contact_parameter_touches(linear->contact, ask->model, &ask->parameters[i])) {
			continue;
		}
		if (arena->base) {
			out->parameters[out->n_parameters] = i;
		}
		out->n_parameters++;
	}
}

void abut_contact_map_carve(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutArena *arena,
                            AbutContactMap *out)
{
	const AbutContactSide *side = linear->contact->side;
	out->n_sides = linear->n_sides;
	out->n_held = ask->n_held;
	for (int i = 0; i < 2; i++) {
		out->body[i] = side[i].body->moving;
	}
	carve_parameters(linear, ask, arena, out);
	const int width = abut_map_by_parameter(out) + out->n_parameters;
	out->stride = (width + ABUT_LANES - 1) / ABUT_LANES * ABUT_LANES;
	out->at = abut_arena_take(arena, (size_t)abut_map_rows(out) * (size_t)out->stride, sizeof(double));
}

void abut_contact_map_fill(AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutContactMap *out)
{
	for (int first = 0; first < out->stride; first += ABUT_LANES) {
		fill_columns(linear, ask, first, out);
	}
	add_motion(linear, ask->timestep, out);
}

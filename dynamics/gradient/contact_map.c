/* Computes the matrix of a contact by evaluating its linear equations (contact_linear_push.c), one column per lane.
 *
 * The held numbers of the regularised equations are both columns (the values at which they are held) and rows (the
 * values they take). Where the two agree, the regularisation has no effect (dynamics/gradient/solve.c). */
#include "dynamics/gradient/contact_map.h"

#include <string.h>

#include "base/lane_algebra.h"
#include "base/vec3.h"
#include "dynamics/gradient/contact_linear_push.h"
#include "dynamics/gradient/contact_parameter.h"

/* --- held numbers --- */

int abut_contact_map_most_held(const AbutContactLinear *linear)
{
	return linear->contact->pair->n_z + linear->n_u;
}

static int list_cone(const AbutContactLinear *linear, int index, AbutHeldNumber *out)
{
	const AbutCone *cone = &linear->contact->cones[index];
	const int first = cone->offset - linear->contact->at.z;
	int n = 0;
	if (cone->kind != ABUT_CONE_ORTHANT && !linear->all[index]) {
		if (linear->held[first] != 0.0) {
			out[n++] = (AbutHeldNumber){.first = first, .dim = cone->dim};
		}
		return n;
	}
	const int first_of_law = cone->kind == ABUT_CONE_SOC_FREE_HEAD ? 1 : 0; /* the free head has no law */
	for (int j = first_of_law; j < cone->dim; j++) {
		if (cone->kind != ABUT_CONE_ORTHANT || linear->held[first + j] != 0.0) {
			out[n++] = (AbutHeldNumber){.first = first + j, .dim = 1};
		}
	}
	return n;
}

int abut_contact_map_list_held(const AbutContactLinear *linear, AbutHeldNumber *out)
{
	int n = 0;
	const AbutContactWork *contact = linear->contact;
	for (int i = 0; &contact->cones[i] < contact->side[0].cones; i++) { /* shapes have only rigid rows */
		n += list_cone(linear, i, &out[n]);
	}
	for (int i = 0; linear->regular == ABUT_REGULAR_HELD && i < linear->n_u; i++) {
		if (i < 2 || i > 3) {
			out[n++] = (AbutHeldNumber){.first = i, .dim = 1, .unknown = true};
		}
	}
	return n;
}

/* --- columns by a push --- */

/* Returns whether the columns of velocities and impulses can be written directly (add_direct) instead of being pushed.
 */
static bool is_direct(const AbutContactLinear *linear)
{
	return linear->contact->pair->tail == 0 || linear->friction_cone == ABUT_FRICTION_CONE_SOC;
}

/* Returns whether the number is gamma, or an entry of friction. */
static bool is_impulse(const AbutContactLinear *linear, const AbutHeldNumber *held)
{
	const AbutContactWork *contact = linear->contact;
	const int friction = held->first - contact->at.friction_z;
	return !held->unknown && (held->first == 0 || (friction >= 0 && friction < contact->at.n_friction_z));
}

/* Returns the next column, starting at `column`, that must be pushed. Columns of the second side's displacement need no
 * push: they are minus those of the first side. */
static int next_pushed(const AbutContactLinear *linear, const AbutEdgeMap *map, const AbutContactMapAsk *ask,
                       int column)
{
	const int by_velocity = abut_map_by_velocity(map), by_held = abut_map_by_held(map);
	const int by_parameter = abut_map_by_parameter(map);
	for (;; column++) {
		const bool displaced = column >= ABUT_MAP_SIDE && column < ABUT_MAP_SIDE + 3 && map->n_sides > 1;
		const bool direct =
		    is_direct(linear) &&
		    ((column >= by_velocity && column < by_held) ||
		     (column >= by_held && column < by_parameter && is_impulse(linear, &ask->held[column - by_held])));
		if (!displaced && !direct) {
			return column;
		}
	}
}

/* Sets the right-hand sides of one lane so that the number is held at 1. */
static void hold(AbutContactLinear *linear, const AbutHeldNumber *held, int lane)
{
	if (held->unknown && held->first >= 4) {
		linear->lanes.u[held->first][lane] = 1.0;
		return;
	}
	for (int i = 0; held->unknown && i < 3; i++) {
		linear->lanes.u[i][lane] = linear->tangents[held->first][i];
	}
	if (held->unknown) {
		return;
	}
	for (int j = 0; j < held->dim; j++) {
		const double part = linear->held[held->first + j];
		linear->lanes.c[held->first + j][lane] = part > 0.0 || held->dim > 1 ? part : 1.0;
	}
}

static void set_column(AbutContactLinear *linear, const AbutEdgeMap *map, const AbutContactMapAsk *ask, int column,
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

static void get_held(const AbutContactLinear *linear, const AbutHeldNumber *held, AbutLanes row)
{
	if (held->unknown && held->first < 2) {
		abut_lanes_dot(linear->tangents[held->first], linear->lanes.du, row);
		return;
	}
	const AbutLanes *from = held->unknown ? &linear->lanes.du[held->first] : &linear->lanes.dz[held->first];
	abut_lanes_zero(row);
	for (int j = 0; j < held->dim; j++) {
		abut_lanes_add(row, held->dim > 1 ? linear->held[held->first + j] : 1.0, from[j]);
	}
}

static void put_row(int n, const int *columns, double factor, const AbutLanes from, double *row)
{
	for (int l = 0; l < n; l++) {
		row[columns[l]] = factor * from[l];
	}
}

static void push_columns(AbutContactLinear *linear, const AbutContactMapAsk *ask, int n, const int *columns,
                         AbutEdgeMap *map)
{
	AbutLinearMotion motion;
	AbutLinearWrench wrench;
	memset(&motion, 0, sizeof motion);
	abut_contact_linear_clear(linear);
	for (int lane = 0; lane < n; lane++) {
		set_column(linear, map, ask, columns[lane], lane, &motion);
	}
	abut_contact_linear_push(linear, &motion, &wrench);
	for (int i = 0; i < ABUT_MAP_SIDE * map->n_sides; i++) {
		const int side = i / ABUT_MAP_SIDE;
		put_row(n, columns, linear->contact->side[side].sign, wrench.on[side][i % ABUT_MAP_SIDE],
		        &map->at[i * map->stride]);
	}
	for (int i = 0; i < map->n_held; i++) {
		AbutLanes row;
		get_held(linear, &ask->held[i], row);
		put_row(n, columns, 1.0, row, &map->at[(ABUT_MAP_SIDE * map->n_sides + i) * map->stride]);
	}
}

static void push_all(AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutEdgeMap *map)
{
	const int width = abut_map_by_parameter(map) + map->n_parameters;
	int column = next_pushed(linear, map, ask, 0);
	while (column < width) {
		int n = 0, columns[ABUT_LANES];
		while (n < ABUT_LANES && column < width) {
			columns[n++] = column;
			column = next_pushed(linear, map, ask, column + 1);
		}
		push_columns(linear, ask, n, columns, map);
	}
}

/* Sets the columns of the second side's displacement to minus those of the first side's: wrenches depend only on
 * relative positions. */
static void mirror_displacement(AbutEdgeMap *map)
{
	for (int r = 0; map->n_sides > 1 && r < abut_map_rows(map); r++) {
		double *row = &map->at[r * map->stride];
		abut_scale3(-1.0, row, &row[ABUT_MAP_SIDE]);
	}
}

/* --- columns of impulses alone --- */

/* The impulses gamma and beta along the directions N of the contact frame, and their effect dW on a side at fixed
 * positions and normals. N0 is the normal, r the torsional radius, w the weight of slip, and sign = +-1 belongs to the
 * side:
 *
 *     dW = sign I (N dimpulse, arm x N dimpulse + r N0 dbeta_3),
 *     dbeta = c + a mu dgamma - B dslip,        dslip = w sign (N (dv + dw x arm), r N0 dw). */
typedef struct Impulses {
	double follows[3];         /* derivative of beta with respect to gamma */
	int tail;                  /* rows of friction */
	double wrench[4][12];      /* wrenches on both sides per unit of gamma and of beta */
	int row[4];                /* index of gamma and beta among the held numbers; -1: not held */
	double by_velocity[3][12]; /* derivative of beta with respect to (v, w) of both sides */
} Impulses;

static void set_wrench(const AbutContactLinear *linear, int side, int which, double out[6])
{
	const AbutContactWork *contact = linear->contact;
	const AbutContactSide *own = &contact->side[side];
	const double I = own->sign * contact->scale.impulse, *N = own->frame.N[which % 3];
	abut_cross3(own->arm, N, &out[3]);
	for (int i = 0; i < 3; i++) {
		out[i] = which < 3 ? I * N[i] : 0.0;
		out[3 + i] = which < 3 ? I * out[3 + i] : I * contact->pair->torsional_radius * N[i];
	}
	if (own->body->planar) {
		out[1] = out[3] = out[5] = 0.0;
	}
}

/* Computes the derivative of the slip (3) with respect to (v, w) of one side. */
static void set_slip(const AbutContactLinear *linear, int side, double slip[3][6])
{
	const AbutContactWork *contact = linear->contact;
	const AbutContactSide *own = &contact->side[side];
	const double w = contact->scale.weight_friction * own->sign;
	memset(slip, 0, 18 * sizeof(double));
	for (int t = 0; t < 2; t++) {
		abut_cross3(own->arm, own->frame.N[1 + t], &slip[t][3]);
		abut_scale3(w, own->frame.N[1 + t], slip[t]);
		abut_scale3(w, &slip[t][3], &slip[t][3]);
	}
	abut_scale3(w * contact->pair->torsional_radius, own->frame.N[0], &slip[2][3]);
}

static void find_rows(const AbutContactLinear *linear, const AbutContactMapAsk *ask, Impulses *out)
{
	for (int t = 0; t < 4; t++) {
		out->row[t] = -1;
	}
	for (int i = 0; i < ask->n_held; i++) {
		if (is_impulse(linear, &ask->held[i])) {
			const int first = ask->held[i].first;
			out->row[first == 0 ? 0 : first - linear->contact->at.friction_z] = i;
		}
	}
}

static void find_impulses(const AbutContactLinear *linear, const AbutContactMapAsk *ask, int n_sides, Impulses *out)
{
	const AbutContactWork *contact = linear->contact;
	out->tail = contact->pair->tail;
	/* the law has only the friction components (tail); the head psi is a free unknown */
	const AbutFreeHeadLaw *law = abut_free_head_law(linear->law, contact->friction_cones);
	find_rows(linear, ask, out);
	for (int side = 0; side < n_sides; side++) {
		double slip[3][6];
		for (int which = 0; which <= out->tail; which++) {
			set_wrench(linear, side, which, &out->wrench[which][6 * side]);
		}
		set_slip(linear, side, slip);
		for (int t = 0; t < out->tail; t++) {
			for (int c = 0; c < 6; c++) {
				const double *B = &law->B[3 * t];
				double sum = 0.0;
				for (int u = 0; u < out->tail; u++) {
					sum -= B[u] * slip[u][c];
				}
				out->by_velocity[t][6 * side + c] = sum;
			}
		}
	}
	for (int t = 0; t < out->tail; t++) { /* friction follows gamma */
		out->follows[t] = law->a[t] * contact->mu;
		for (int i = 0; i < 6 * n_sides; i++) {
			out->wrench[0][i] += out->follows[t] * out->wrench[1 + t][i];
		}
	}
}

/* Adds the effect of one impulse (0: gamma; 1 to 3: beta), times `factor`, to a column. */
static void add_impulse(const Impulses *impulses, int which, double factor, int column, AbutEdgeMap *map)
{
	const int n = ABUT_MAP_SIDE * map->n_sides;
	for (int i = 0; i < n; i++) {
		map->at[i * map->stride + column] += factor * impulses->wrench[which][i];
	}
	if (impulses->row[which] >= 0) {
		map->at[(n + impulses->row[which]) * map->stride + column] += factor;
	}
}

static void add_row(double factor, int n, const double *from, double *row)
{
	for (int c = 0; c < n; c++) {
		row[c] += factor * from[c];
	}
}

/* Adds the effect of (v, w) through one component of friction. Works row by row, since rows are contiguous in memory.
 */
static void add_friction(const Impulses *impulses, int t, AbutEdgeMap *map)
{
	const int n = ABUT_MAP_SIDE * map->n_sides, held = impulses->row[1 + t];
	const double *by_velocity = impulses->by_velocity[t];
	double *at = &map->at[abut_map_by_velocity(map)];
	for (int i = 0; i < n; i++) {
		add_row(impulses->wrench[1 + t][i], n, by_velocity, &at[i * map->stride]);
	}
	if (held >= 0) {
		add_row(1.0, n, by_velocity, &at[(n + held) * map->stride]);
	}
}

static void add_direct(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutEdgeMap *map)
{
	Impulses impulses;
	find_impulses(linear, ask, map->n_sides, &impulses);
	for (int t = 0; t < impulses.tail; t++) {
		add_friction(&impulses, t, map);
	}
	for (int which = 0; which <= impulses.tail; which++) {
		const int row = impulses.row[which];
		if (row < 0) {
			continue;
		}
		const double part = linear->held[ask->held[row].first];
		const int column = abut_map_by_held(map) + row;
		add_impulse(&impulses, which, part > 0.0 ? part : 1.0, column, map);
		for (int t = 0; which == 0 && t < impulses.tail; t++) {
			if (impulses.row[1 + t] >= 0) {
				map->at[(ABUT_MAP_SIDE * map->n_sides + impulses.row[1 + t]) * map->stride + column] +=
				    impulses.follows[t] * (part > 0.0 ? part : 1.0);
			}
		}
	}
}

/* Completes the columns of (v+, w+) with their effect through the next pose, which follows them by (dt, G). */
static void add_motion(const AbutContactLinear *linear, double timestep, AbutEdgeMap *map)
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

/* Carves the list of the parameters that the contact depends on from the arena. */
static void carve_parameters(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutArena *arena,
                             AbutEdgeMap *out)
{
	out->parameters = abut_arena_take(arena, (size_t)ask->n_parameters, sizeof *out->parameters);
	out->n_parameters = 0;
	for (int i = 0; i < ask->n_parameters; i++) {
		if (abut_contact_parameter_touches(linear->contact, ask->model, &ask->parameters[i])) {
			abut_edge_map_add_parameter(arena, i, out);
		}
	}
}

void abut_contact_map_carve(const AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutArena *arena,
                            AbutEdgeMap *out)
{
	const AbutContactSide *side = linear->contact->side;
	out->n_sides = linear->n_sides;
	out->n_held = ask->n_held;
	for (int i = 0; i < 2; i++) {
		out->body[i] = side[i].body->moving;
	}
	carve_parameters(linear, ask, arena, out);
	abut_edge_map_carve(arena, out);
}

void abut_contact_map_fill(AbutContactLinear *linear, const AbutContactMapAsk *ask, AbutEdgeMap *out)
{
	memset(out->at, 0, (size_t)abut_map_rows(out) * (size_t)out->stride * sizeof *out->at); /* for add_direct */
	push_all(linear, ask, out);
	mirror_displacement(out);
	if (is_direct(linear)) {
		add_direct(linear, ask, out);
	}
	add_motion(linear, ask->timestep, out);
}

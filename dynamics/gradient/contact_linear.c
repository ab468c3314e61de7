/* Linearises one contact: computes everything that is the same for all columns. The equations are those of
 * contact_linear_push.c, whose system in (dp_0, dalpha, deps) is factorised here. */
#include "dynamics/gradient/contact_linear.h"

#include <math.h>
#include <string.h>

#include "base/lane_algebra.h"
#include "base/vec3.h"
#include "collision/rows/smooth_rows.h"
#include "dynamics/gradient/contact_stiffness.h"
#include "solver/cones/soc.h"

/* stiffest: largest stiffness of impulses on the path. rigid_from: stiffness above which a row of a shape is rigid. */
static const double stiffest = 1e6, rigid_from = 1e3;
/* flat: smallest pivot of a collision problem that leaves enough digits of the contact point. round_as: curvature of a
 * flat point that counts as round. */
static const double flat = 1e-8, round_as = 1.0;
/* SPARE_RIGID: capacity for rigid rows beyond the number of unknowns; further rows keep their stiffness. */
enum { SPARE_RIGID = 8, MOST_FRICTION = 8 };

static int count_unknowns(const AbutContactWork *contact)
{
	return 4 + contact->side[0].rows->n_eps + contact->side[1].rows->n_eps;
}

void abut_contact_linear_carve(const AbutContactWork *contact, AbutArena *arena, AbutContactLinear *out)
{
	const AbutConicRows *a = contact->side[0].rows, *b = contact->side[1].rows;
	const size_t n_u = (size_t)count_unknowns(contact), n_z = (size_t)contact->pair->n_z;
	for (int i = 0; i < 2; i++) {
		const size_t own = (size_t)contact->side[i].rows->width;
		out->side[i].F = abut_arena_take(arena, own * own, sizeof(double));
	}
	const size_t width = (size_t)b->width;
	out->turned = abut_arena_take(arena, width * width, sizeof(double));
	const size_t n_rows = (size_t)a->n_rows + (size_t)b->n_rows, n_most = n_u + SPARE_RIGID;
	const size_t n_rigid = n_rows < n_most ? n_rows : n_most;
	out->rigid.most = (int)n_rigid;
	out->rigid.rows = abut_arena_take(arena, n_rigid, sizeof(AbutRigidRow));
	out->rigid.w = abut_arena_take(arena, n_rigid * n_u, sizeof(double));
	out->lu = abut_arena_take(arena, (n_u + n_rigid) * (n_u + n_rigid), sizeof(double));
	out->pivots = abut_arena_take(arena, n_u + n_rigid, sizeof(int));
	out->held = abut_arena_take(arena, n_z, sizeof(double));
	out->all = abut_arena_take(arena, (size_t)contact->pair->n_cones, sizeof(bool));
	out->lanes.c = abut_arena_take(arena, n_z, sizeof(AbutLanes));
	out->lanes.dz = abut_arena_take(arena, n_z, sizeof(AbutLanes));
	out->lanes.u = abut_arena_take(arena, n_u, sizeof(AbutLanes));
	out->lanes.du = abut_arena_take(arena, n_u + n_rigid, sizeof(AbutLanes));
	out->lanes.dH = abut_arena_take(arena, (size_t)abut_max_int(a->n_rows, b->n_rows), sizeof(AbutLanes));
	out->lanes.f = abut_arena_take(arena, (size_t)abut_max_int(a->width, b->width), sizeof(AbutLanes));
	out->input.dH = abut_arena_take(arena, n_z, sizeof(AbutLanes));
	out->input.f[0] = abut_arena_take(arena, (size_t)a->width, sizeof(AbutLanes));
	out->input.f[1] = abut_arena_take(arena, (size_t)b->width, sizeof(AbutLanes));
}

/* Adds W' K W of the rows of one cone to F, with W at the cone's first row. Returns whether K has a nonzero entry. */
static bool add_stiffness(const AbutCone *cone, const AbutConeLaw *law, const double *W, int width, double *F)
{
	const double *K = &law->K[cone->law];
	const bool diagonal = cone->kind == ABUT_CONE_ORTHANT;
	bool any = false;
	for (int i = 0; i < cone->dim; i++) {
		for (int j = diagonal ? i : 0; j < (diagonal ? i + 1 : cone->dim); j++) {
			const double k = diagonal ? K[i] : K[i * cone->dim + j];
			any = any || k != 0.0;
			for (int a = 0; k != 0.0 && a < width; a++) {
				for (int b = 0; b < width; b++) {
					F[a * width + b] += W[i * width + a] * k * W[j * width + b];
				}
			}
		}
	}
	return any;
}

static void begin_side(const AbutContactSide *side, const AbutContactWork *contact, const AbutConeLaw *law,
                       AbutLinearSide *out)
{
	const AbutConicRows *rows = side->rows;
	const size_t size = (size_t)rows->width * (size_t)rows->width;
	const int n_cones = abut_conic_rows_cone_count(rows), first = contact->at.z + side->z;
	memset(out->F, 0, size * sizeof *out->F);
	out->gives = rows->smooth;
	if (rows->smooth) {
		memcpy(out->F, abut_smooth_rows_curvature(rows), size * sizeof *out->F);
	}
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &side->cones[i];
		out->gives |=
		    add_stiffness(cone, law, &rows->W[(cone->offset - first) * rows->width], rows->width, out->F);
	}
	if (side->body->moving >= 0) {
		abut_contact_frame_derivative(&side->frame, contact->scale.sigma, contact->reference, out->dN);
	}
}

/* --- held entries and rigid rows --- */

static int first_of(const AbutContactLinear *c, const AbutCone *cone)
{
	return cone->offset - c->contact->at.z;
}

static bool is_pyramid(const AbutContactLinear *c)
{
	return c->friction_cone == ABUT_FRICTION_CONE_PYRAMID;
}

/* Returns whether the cone is the pyramid's psi. Its law relates psi to the impulse that the edges
 * leave unused. This law is not a stiffness between bodies and costs no digits, however steep it is
 * (dynamics/contact/friction.c). */
static bool is_psi(const AbutContactLinear *c, const AbutCone *cone)
{
	return is_pyramid(c) && cone == c->contact->friction_cones && cone < c->contact->alpha_cone;
}

/* Sets the largest stiffness of each entry of a cone. A friction cone has a head and its tail. The pyramid has psi,
 * which has no limit, and pairs of edges. */
static void set_limits(const AbutContactLinear *c, const AbutContactStiffness *stiffness, const AbutCone *cone,
                       double limit[])
{
	const AbutContactWork *contact = c->contact;
	const bool friction = cone >= contact->friction_cones && cone < contact->alpha_cone;
	for (int j = 0; j < cone->dim; j++) {
		if (!friction) {
			limit[j] = stiffness->gap;
		} else if (is_pyramid(c)) {
			limit[j] = is_psi(c, cone) ? (double)INFINITY : stiffness->slip[j / 2];
		} else {
			limit[j] = stiffness->slip[abut_max_int(j - 1, 0)];
		}
	}
}

/* Limits the stiffness of gamma, friction and alpha at an exact solution. */
static void soften_impulses(AbutContactLinear *c, const AbutContactStiffness *stiffness)
{
	const AbutContactWork *contact = c->contact;
	for (const AbutCone *cone = contact->cones; cone < contact->side[0].cones; cone++) {
		double limit[MOST_FRICTION];
		set_limits(c, stiffness, cone, limit);
		c->all[cone - contact->cones] = abut_cone_soften(cone, limit, &c->held[first_of(c, cone)], c->law);
	}
}

/* Limits the stiffness of gamma, friction and alpha on the path. */
static void soften_impulses_path(AbutContactLinear *c)
{
	for (const AbutCone *cone = c->contact->cones; cone < c->contact->side[0].cones; cone++) {
		if (!is_psi(c, cone)) {
			abut_cone_soften_path(cone, stiffest, &c->held[first_of(c, cone)], c->law);
		}
	}
}

static void add_rigid(AbutContactLinear *c, int side, int first, int dim, double compliance)
{
	c->rigid.rows[c->rigid.n++] =
	    (AbutRigidRow){.side = side, .first = first, .dim = dim, .compliance = compliance};
}

/* Moves the rigid entries of an orthant to the rigid rows. At an exact solution only held entries have a stiffness. */
static void take_rigid_entries(AbutContactLinear *c, int side, const AbutCone *cone)
{
	double *K = &c->law->K[cone->law];
	const int first = first_of(c, cone) - c->contact->side[side].z;
	for (int j = 0; j < cone->dim && c->rigid.n < c->rigid.most; j++) {
		if (K[j] > rigid_from) {
			add_rigid(c, side, first + j, 1, 1.0 / K[j]);
			K[j] = 0.0;
		}
	}
}

/* Moves the held part of a second-order cone at an exact solution to the rigid rows: all its entries, or the
 * combination of entries along its ray. */
static void take_rigid_cone(AbutContactLinear *c, int side, const AbutCone *cone, const double *z, const double *H)
{
	const int own = first_of(c, cone), first = own - c->contact->side[side].z;
	const bool all = abut_cone_held(cone, &z[own], &H[own], &c->held[own]);
	const bool ray = !all && c->held[own] != 0.0;
	if ((!all && !ray) || c->rigid.n + (all ? cone->dim : 1) > c->rigid.most) {
		return;
	}
	const double compliance = abut_soc_law_soft(cone->dim, &z[own], &H[own], cone->weight, &c->law->K[cone->law]);
	for (int j = 0; j < (all ? cone->dim : 1); j++) {
		add_rigid(c, side, first + j, all ? 1 : cone->dim, compliance);
	}
}

/* Moves the combination of a second-order cone's entries along its ray, on the path, to the rigid rows. */
static void take_rigid_ray(AbutContactLinear *c, int side, const AbutCone *cone, const double *z, const double *s)
{
	const int own = first_of(c, cone);
	if (c->rigid.n == c->rigid.most) {
		return;
	}
	const double compliance =
	    abut_soc_law_path_soft(cone->dim, &z[own], &s[own], rigid_from, &c->law->K[cone->law], &c->held[own]);
	if (compliance > 0.0) {
		add_rigid(c, side, own - c->contact->side[side].z, cone->dim, compliance);
	}
}

static void take_rigid(AbutContactLinear *c, int side, const AbutLinearPoint *at)
{
	const AbutContactSide *own = &c->contact->side[side];
	const int n_cones = abut_conic_rows_cone_count(own->rows);
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &own->cones[i];
		if (cone->kind == ABUT_CONE_ORTHANT) {
			take_rigid_entries(c, side, cone);
		} else if (at->s) {
			take_rigid_ray(c, side, cone, at->z, at->s);
		} else {
			take_rigid_cone(c, side, cone, at->z, at->H);
		}
	}
}

/* --- the system --- */

/* Returns the place of a side's own unknown (q, alpha, eps) among the contact's. */
static int place_of(const AbutContactLinear *c, int index, int own)
{
	return own < 4 ? own : c->side[index].u + own - 4;
}

/* Multiplies each of n vectors of three numbers by R. Consecutive vectors are `step` apart, the numbers of a vector
 * `stride`. */
static void turn(const double R[9], int n, int step, int stride, double *x)
{
	for (int i = 0; i < n; i++) {
		double *v = &x[i * step], turned[3];
		for (int k = 0; k < 3; k++) {
			turned[k] = R[3 * k] * v[0] + R[3 * k + 1] * v[stride] + R[3 * k + 2] * v[2 * stride];
		}
		for (int k = 0; k < 3; k++) {
			v[k * stride] = turned[k];
		}
	}
}

/* Adds T F T' to M, where T turns a side's q into the frame of side 0. `scratch` has the size of F. */
static void add_side(AbutContactLinear *c, const double R[9], int index, double *scratch)
{
	const int width = c->contact->side[index].rows->width;
	const double *F = c->side[index].F;
	if (index == 1) {
		memcpy(scratch, F, (size_t)width * (size_t)width * sizeof *F);
		turn(R, width, width, 1, scratch);
		turn(R, width, 1, width, scratch);
		F = scratch;
	}
	for (int a = 0; a < width; a++) {
		double *row = &c->lu[place_of(c, index, a) * (c->n_u + c->rigid.n)];
		for (int b = 0; b < width; b++) {
			row[place_of(c, index, b)] += F[a * width + b];
		}
	}
}

/* Adds a rigid row to the system. */
static void add_rigid_row(AbutContactLinear *c, const double R[9], int index)
{
	const AbutRigidRow *rigid = &c->rigid.rows[index];
	const AbutContactSide *side = &c->contact->side[rigid->side];
	const int width = side->rows->width, n = c->n_u + c->rigid.n;
	double *w = &c->rigid.w[index * c->n_u];
	memset(w, 0, (size_t)c->n_u * sizeof *w);
	for (int j = 0; j < rigid->dim; j++) {
		const double *W = &side->rows->W[(rigid->first + j) * width];
		const double part = rigid->dim > 1 ? c->held[side->z + rigid->first + j] : 1.0;
		for (int a = 0; a < width; a++) {
			w[place_of(c, rigid->side, a)] += part * W[a];
		}
	}
	if (rigid->side == 1) {
		turn(R, 1, 1, 1, w);
	}
	for (int i = 0; i < c->n_u; i++) {
		c->lu[i * n + c->n_u + index] = -w[i];
		c->lu[(c->n_u + index) * n + i] = w[i];
	}
	c->lu[(c->n_u + index) * (n + 1)] = rigid->compliance;
}

static void set_tangents(AbutContactLinear *c)
{
	const AbutContactSide *side = &c->contact->side[0];
	double across[3];
	abut_cross3(side->frame.unit, side->frame.t1, across);
	abut_mat3_tvec(side->body->R, side->frame.t1, c->tangents[0]);
	abut_mat3_tvec(side->body->R, across, c->tangents[1]);
}

/* Regularises the unknowns that possibly no row holds: the contact point along the tangents, and eps. */
static void regularise(AbutContactLinear *c, int stride)
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			c->lu[i * stride + j] +=
			    c->rho * (c->tangents[0][i] * c->tangents[0][j] + c->tangents[1][i] * c->tangents[1][j]);
		}
	}
	for (int i = 4; c->regular == ABUT_REGULAR_HELD && i < c->n_u; i++) {
		c->lu[i * stride + i] += c->rho;
	}
}

static void fill_system(AbutContactLinear *c)
{
	const AbutContactWork *contact = c->contact;
	const int n = c->n_u + c->rigid.n;
	double R[9];
	abut_mat3_transposed_mul(contact->side[0].body->R, contact->side[1].body->R, R);
	memset(c->lu, 0, (size_t)n * (size_t)n * sizeof *c->lu);
	for (int i = 0; i < 2; i++) {
		begin_side(&contact->side[i], contact, c->law, &c->side[i]);
		if (c->side[i].gives) {
			add_side(c, R, i, c->turned);
		}
	}
	regularise(c, n);
	c->lu[3 * n + 3] += c->law->K[contact->alpha_cone->law];
	for (int i = 0; i < c->rigid.n; i++) {
		add_rigid_row(c, R, i);
	}
}

/* Factorises the regularised system; returns false if it is singular. */
static bool factorise(AbutContactLinear *c, AbutRegular regular, double rho)
{
	c->regular = regular;
	c->rho = rho;
	fill_system(c);
	return abut_lanes_factorise(c->n_u + c->rigid.n, c->lu, c->pivots);
}

static double least_pivot(const AbutContactLinear *c)
{
	const int n = c->n_u + c->rigid.n;
	double least = INFINITY;
	for (int i = 0; i < n; i++) {
		least = abut_min(least, fabs(c->lu[i * (n + 1)]));
	}
	return least;
}

/* Returns whether the surface may be flat at the contact point. On the path every row holds the point a little, except
 * the rows of a smooth shape, whose curvature may be zero. */
static bool may_be_flat(const AbutContactLinear *c)
{
	const AbutContactSide *side = c->contact->side;
	return side[0].rows->smooth || side[1].rows->smooth;
}

/* Computes how far unit forces along the tangents move the contact point in the system with rho: (C + rho)^-1, where C
 * are the curvatures along the tangents. */
static void find_yield(AbutContactLinear *c, double yield[2][2])
{
	AbutLanes moved;
	memset(c->lanes.du, 0, (size_t)(c->n_u + c->rigid.n) * sizeof *c->lanes.du);
	for (int i = 0; i < 3; i++) {
		c->lanes.du[i][0] = c->tangents[0][i];
		c->lanes.du[i][1] = c->tangents[1][i];
	}
	abut_lanes_solve(c->n_u + c->rigid.n, c->lu, c->pivots, c->lanes.du);
	for (int t = 0; t < 2; t++) {
		abut_lanes_dot(c->tangents[t], c->lanes.du, moved);
		yield[t][0] = moved[0];
		yield[t][1] = moved[1];
	}
}

/* Rotates the tangents to the directions in which the contact point yields most and least. Clears the second tangent if
 * the point yields little along it, since the surface is not flat there. */
static void keep_flat_tangents(AbutContactLinear *c)
{
	double yield[2][2], turned[2][3];
	find_yield(c, yield);
	const double mean = 0.5 * (yield[0][0] + yield[1][1]), half = 0.5 * (yield[0][0] - yield[1][1]);
	const double mixed = 0.5 * (yield[0][1] + yield[1][0]), least = mean - hypot(half, mixed);
	const double angle = 0.5 * atan2(mixed, half), cosine = cos(angle), sine = sin(angle);
	const double keep = least * c->rho >= 0.5 ? 1.0 : 0.0;
	for (int i = 0; i < 3; i++) {
		turned[0][i] = cosine * c->tangents[0][i] + sine * c->tangents[1][i];
		turned[1][i] = keep * (cosine * c->tangents[1][i] - sine * c->tangents[0][i]);
	}
	memcpy(c->tangents, turned, sizeof turned);
}

static bool solve_on_path(AbutContactLinear *c, const AbutContactProblem *problem)
{
	if (factorise(c, ABUT_REGULAR_NONE, 0.0) && !(may_be_flat(c) && least_pivot(c) < flat)) {
		return true;
	}
	const AbutPointStiffness point = abut_contact_point_stiffness(c->contact, problem, c->law);
	const bool solved = factorise(c, ABUT_REGULAR_HELD, point.rho);
	if (!solved || point.held) {
		return solved;
	}
	keep_flat_tangents(c);
	return factorise(c, ABUT_REGULAR_ROUND, round_as);
}

bool abut_contact_linear_begin(AbutContactWork *contact, const AbutContactProblem *problem, AbutConeLaw *law,
                               const AbutLinearPoint *at, AbutContactLinear *c)
{
	double rho = 0.0;
	c->contact = contact;
	c->friction_cone = problem->friction_cone;
	c->law = law;
	c->on_path = at->s != NULL;
	c->has_input = false;
	c->n_sides = contact->side[1].body->moving >= 0 ? 2 : 1;
	c->n_u = count_unknowns(contact);
	c->rigid.n = 0;
	c->side[0].u = 4;
	c->side[1].u = 4 + contact->side[0].rows->n_eps;
	memset(c->held, 0, (size_t)contact->pair->n_z * sizeof *c->held);
	memset(c->all, 0, (size_t)contact->pair->n_cones * sizeof *c->all);
	if (!c->on_path) {
		const AbutContactStiffness stiffness = abut_contact_stiffness(contact, problem, law);
		soften_impulses(c, &stiffness);
		rho = stiffness.rho;
	} else {
		soften_impulses_path(c);
	}
	take_rigid(c, 0, at);
	take_rigid(c, 1, at);
	set_tangents(c);
	return c->on_path ? solve_on_path(c, problem) : factorise(c, ABUT_REGULAR_HELD, rho);
}

void abut_contact_linear_clear(AbutContactLinear *c)
{
	memset(c->lanes.c, 0, (size_t)c->contact->side[0].z * sizeof *c->lanes.c); /* laws of impulses */
	memset(c->lanes.u, 0, (size_t)c->n_u * sizeof *c->lanes.u);
	c->has_input = false;
}

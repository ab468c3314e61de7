/* One contact, linear. With delta = R_0' (dp - dxi_0) as in contact_condense.c, and of side 1's own point
 *
 *     dq_1 = R_1' (R_0 delta + dxi_0 - dxi_1),
 *
 * each side's rows give dH = W (dq, dalpha, deps), dlambda = c - K dH, and f = W' dlambda (less the curvature of a
 * smooth shape). The equations of the collision problem are
 *
 *     f_0 + R f_1 = R_0' (dtilt_0 - dtilt_1)   (3; R = R_0' R_1),
 *     f_0 + f_1 + dlambda_alpha = 0            (alpha),      f_i = 0   (eps of side i),
 *
 * a square system in (delta, dalpha, deps). The regularisation rho (u - u_held) on its left is taken back by pushing
 * again with u_held = u, that of the law likewise. From there on all is explicit: normals, arms, slip, the impulses by
 * their laws, wrenches. Tested with what is made of it in tests/dynamics/test_gradient.c. */
#include "dynamics/contact_linear.h"

#include <string.h>

#include "base/lane_algebra.h"
#include "base/vec3.h"
#include "collision/smooth_rows.h"

/* --- set-up --- */

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int count_unknowns(const AbutContactWork *contact)
{
	return 4 + contact->side[0].rows->n_eps + contact->side[1].rows->n_eps;
}

void abut_contact_linear_carve(const AbutContactWork *contact, AbutArena *arena, AbutContactLinear *out)
{
	const AbutConicRows *a = contact->side[0].rows, *b = contact->side[1].rows;
	const size_t n_u = (size_t)count_unknowns(contact), n_z = (size_t)contact->pair->n_z;
	for (int i = 0; i < 2; i++) {
		const size_t width = (size_t)contact->side[i].rows->width;
		out->side[i].F = abut_arena_take(arena, width * width, sizeof(double));
	}
	out->lu = abut_arena_take(arena, n_u * n_u, sizeof(double));
	out->pivots = abut_arena_take(arena, n_u, sizeof(int));
	out->held = abut_arena_take(arena, n_z, sizeof(double));
	out->all = abut_arena_take(arena, (size_t)contact->pair->n_cones, sizeof(bool));
	out->c = abut_arena_take(arena, n_z, sizeof(AbutLanes));
	out->dz = abut_arena_take(arena, n_z, sizeof(AbutLanes));
	out->u = abut_arena_take(arena, n_u, sizeof(AbutLanes));
	out->du = abut_arena_take(arena, n_u, sizeof(AbutLanes));
	out->dH = abut_arena_take(arena, (size_t)larger(a->n_rows, b->n_rows), sizeof(AbutLanes));
	out->f = abut_arena_take(arena, (size_t)larger(a->width, b->width), sizeof(AbutLanes));
}

/* target += row K row' over the rows of one cone, that begin at W. */
static void add_stiffness(const AbutCone *cone, const AbutConeLaw *law, const double *W, int width, double *F)
{
	const double *K = &law->K[cone->law];
	const bool diagonal = cone->kind == ABUT_CONE_ORTHANT;
	for (int i = 0; i < cone->dim; i++) {
		for (int j = diagonal ? i : 0; j < (diagonal ? i + 1 : cone->dim); j++) {
			const double k = diagonal ? K[i] : K[i * cone->dim + j];
			for (int a = 0; k != 0.0 && a < width; a++) {
				for (int b = 0; b < width; b++) {
					F[a * width + b] += W[i * width + a] * k * W[j * width + b];
				}
			}
		}
	}
}

static int count_cones(const AbutConicRows *rows)
{
	return (rows->n_orthant > 0 ? 1 : 0) + rows->n_soc;
}

static void begin_side(const AbutContactSide *side, const AbutContactWork *contact, const AbutConeLaw *law,
                       AbutLinearSide *out)
{
	const AbutConicRows *rows = side->rows;
	const size_t size = (size_t)rows->width * (size_t)rows->width;
	const int n_cones = count_cones(rows), first = contact->z + side->z;
	memset(out->F, 0, size * sizeof *out->F);
	if (rows->smooth) {
		memcpy(out->F, abut_smooth_rows_curvature(rows), size * sizeof *out->F);
	}
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &side->cones[i];
		add_stiffness(cone, law, &rows->W[(cone->offset - first) * rows->width], rows->width, out->F);
	}
	if (side->body->moving >= 0) {
		abut_contact_frame_derivative(&side->frame, contact->sigma, contact->reference, out->dN);
	}
}

/* Column `k` of side 1's own unknowns (dq, dalpha, deps) by those of the contact: dq = R' delta. */
static double of_own(const AbutContactLinear *c, const double R[9], int index, int own, int unknown)
{
	if (own >= 3) {
		return unknown == (own == 3 ? 3 : c->side[index].u + own - 4) ? 1.0 : 0.0;
	}
	if (unknown >= 3) {
		return 0.0;
	}
	return index == 0 ? (own == unknown ? 1.0 : 0.0) : R[3 * unknown + own];
}

/* M += T' F T with T that of a side's own unknowns. */
static void add_side(AbutContactLinear *c, const double R[9], int index)
{
	const int width = c->contact->side[index].rows->width, n = c->n_u;
	const double *F = c->side[index].F;
	for (int i = 0; i < n; i++) {
		for (int a = 0; a < width; a++) {
			const double t = of_own(c, R, index, a, i);
			for (int b = 0; t != 0.0 && b < width; b++) {
				for (int j = 0; j < n; j++) {
					c->lu[i * n + j] += t * F[a * width + b] * of_own(c, R, index, b, j);
				}
			}
		}
	}
}

bool abut_contact_linear_begin(AbutContactWork *contact, const AbutContactProblem *problem, AbutConeLaw *law,
                               const double *z, const double *H, AbutContactLinear *c)
{
	c->contact = contact;
	c->friction_cone = problem->friction_cone;
	c->law = law;
	c->rho = law->rho;
	c->n_sides = contact->side[1].body->moving >= 0 ? 2 : 1;
	c->n_u = count_unknowns(contact);
	memset(c->held, 0, (size_t)contact->pair->n_z * sizeof *c->held);
	memset(c->all, 0, (size_t)contact->pair->n_cones * sizeof *c->all);
	c->side[0].u = 4;
	c->side[1].u = 4 + contact->side[0].rows->n_eps;
	double R[9];
	abut_mat3_transposed_mul(contact->side[0].body->R, contact->side[1].body->R, R);
	memset(c->lu, 0, (size_t)(c->n_u * c->n_u) * sizeof *c->lu);
	for (int i = 0; i < 2; i++) {
		begin_side(&contact->side[i], contact, law, &c->side[i]);
		add_side(c, R, i);
	}
	for (int i = 0; i < c->n_u; i++) {
		c->lu[i * c->n_u + i] += c->rho;
	}
	c->lu[3 * c->n_u + 3] += law->K[contact->alpha_cone->law];
	for (int i = 0; z && i < contact->pair->n_cones; i++) {
		const AbutCone *cone = &contact->cones[i];
		const int own = cone->offset - contact->z;
		c->all[i] = abut_cone_held(cone, &z[own], &H[own], &c->held[own]);
	}
	return abut_lanes_factorise(c->n_u, c->lu, c->pivots);
}

void abut_contact_linear_clear(AbutContactLinear *c)
{
	memset(c->c, 0, (size_t)c->contact->pair->n_z * sizeof *c->c);
	memset(c->u, 0, (size_t)c->n_u * sizeof *c->u);
}

void abut_contact_linear_hold(AbutContactLinear *c)
{
	memcpy(c->u, c->du, (size_t)c->n_u * sizeof *c->u);
	for (int i = 0; i < c->contact->pair->n_cones; i++) {
		const AbutCone *cone = &c->contact->cones[i];
		const int first = cone->offset - c->contact->z;
		const double *held = &c->held[first];
		AbutLanes along;
		abut_lanes_zero(along);
		for (int j = 0; j < cone->dim; j++) {
			abut_lanes_add(along, held[j], c->dz[first + j]);
		}
		for (int j = 0; j < cone->dim; j++) {
			for (int l = 0; l < ABUT_LANES; l++) {
				c->c[first + j][l] = cone->kind == ABUT_CONE_ORTHANT ? held[j] * c->dz[first + j][l]
				                     : c->all[i]                     ? c->dz[first + j][l]
				                                                     : held[j] * along[l];
			}
		}
	}
}

/* --- the collision problem --- */

/* c - K dH of one cone, with dH of its own rows. */
ALWAYS_INLINE void apply_law(const AbutCone *cone, const AbutConeLaw *law, const AbutLanes *c, const AbutLanes *dH,
                             AbutLanes *dz)
{
	const double *K = &law->K[cone->law];
	for (int i = 0; i < cone->dim; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			dz[i][l] = c[i][l];
		}
		if (cone->kind == ABUT_CONE_ORTHANT) {
			abut_lanes_add(dz[i], -K[i], dH[i]);
			continue;
		}
		for (int j = 0; j < cone->dim; j++) {
			abut_lanes_add(dz[i], -K[i * cone->dim + j], dH[j]);
		}
	}
}

/* Motion of a side's material at p: dx + dtheta x arm; change of its normal with it: dtheta x n. */
typedef struct Material {
	AbutLanes xi[3], tilt[3];
} Material;

ALWAYS_INLINE void material_of(const AbutContactSide *side, const AbutLinearMotion *motion, int index, Material *out)
{
	for (int i = 0; i < 3; i++) {
		abut_lanes_zero(out->tilt[i]);
		for (int l = 0; l < ABUT_LANES; l++) {
			out->xi[i][l] = motion->displacement[index][i][l];
		}
	}
	abut_lanes_add_cross(motion->turn[index], side->arm, out->xi);
	abut_lanes_add_cross(motion->turn[index], side->n, out->tilt);
}

/* W' c of a side in (p, alpha, eps), into `f` (width). */
ALWAYS_INLINE void pull_rows(const AbutConicRows *rows, const AbutLanes *c, AbutLanes *f)
{
	for (int a = 0; a < rows->width; a++) {
		abut_lanes_zero(f[a]);
	}
	for (int i = 0; i < rows->n_rows; i++) {
		for (int a = 0; a < rows->width; a++) {
			abut_lanes_add(f[a], rows->W[i * rows->width + a], c[i]);
		}
	}
}

/* Adds a side's right-hand sides: W' c - F (shift, 0, 0), with p turned into side 0's frame. */
ALWAYS_INLINE void add_right(AbutContactLinear *c, const double R[9], int index, const AbutLanes shift[3],
                             AbutLanes *right)
{
	const AbutConicRows *rows = c->contact->side[index].rows;
	const double *F = c->side[index].F;
	AbutLanes *f = c->f, turned[3];
	pull_rows(rows, &c->c[c->contact->side[index].z], f);
	for (int a = 0; shift && a < rows->width; a++) {
		for (int b = 0; b < 3; b++) {
			abut_lanes_add(f[a], -F[a * rows->width + b], shift[b]);
		}
	}
	if (index == 0) {
		memcpy(turned, f, sizeof turned);
	} else {
		abut_lanes_mat3(R, f, turned);
	}
	for (int i = 0; i < 3; i++) {
		abut_lanes_add(right[i], 1.0, turned[i]);
	}
	abut_lanes_add(right[3], 1.0, f[3]);
	for (int e = 4; e < rows->width; e++) {
		abut_lanes_add(right[c->side[index].u + e - 4], 1.0, f[e]);
	}
}

/* dz of a side's rows from its own unknowns; f = W' dz less the curvature, of which the first three are wanted. */
ALWAYS_INLINE void recover_side(AbutContactLinear *c, int index, const AbutLanes dq[3], AbutLanes f[3])
{
	const AbutContactSide *side = &c->contact->side[index];
	const AbutConicRows *rows = side->rows;
	const int width = rows->width;
	for (int i = 0; i < rows->n_rows; i++) {
		const double *W = &rows->W[i * width];
		abut_lanes_dot(W, dq, c->dH[i]);
		abut_lanes_add(c->dH[i], W[3], c->du[3]);
		for (int e = 4; e < width; e++) {
			abut_lanes_add(c->dH[i], W[e], c->du[c->side[index].u + e - 4]);
		}
	}
	const int first = c->contact->z + side->z, n_cones = count_cones(rows);
	for (int i = 0; i < n_cones; i++) {
		const AbutCone *cone = &side->cones[i];
		const int own = cone->offset - first;
		apply_law(cone, c->law, &c->c[side->z + own], &c->dH[own], &c->dz[side->z + own]);
	}
	for (int a = 0; a < 3; a++) {
		abut_lanes_zero(f[a]);
		for (int i = 0; i < rows->n_rows; i++) {
			abut_lanes_add(f[a], rows->W[i * width + a], c->dz[side->z + i]);
		}
	}
	if (rows->smooth) {
		const double *C = abut_smooth_rows_curvature(rows);
		for (int a = 0; a < 3; a++) {
			for (int b = 0; b < width; b++) {
				abut_lanes_add(f[a], -C[a * width + b],
				               b < 3    ? dq[b]
				               : b == 3 ? c->du[3]
				                        : c->du[c->side[index].u + b - 4]);
			}
		}
	}
}

/* Changes of normals and arms. */
typedef struct Geometry {
	AbutLanes dn[2][3], arm[2][3];
} Geometry;

ALWAYS_INLINE void solve_collision(AbutContactLinear *c, const AbutLinearMotion *motion, Geometry *out)
{
	const AbutContactWork *contact = c->contact;
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	Material material[2];
	AbutLanes relative[3], shift[3], tilt[3], turned[3], dq[3], f[3], dp[3];
	double R[9];
	abut_mat3_transposed_mul(a->body->R, b->body->R, R);
	for (int i = 0; i < 2; i++) {
		material_of(&contact->side[i], motion, i, &material[i]);
	}
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			relative[i][l] = material[0].xi[i][l] - material[1].xi[i][l];
			tilt[i][l] = material[0].tilt[i][l] - material[1].tilt[i][l];
		}
	}
	abut_lanes_tmat3(b->body->R, relative, shift);
	abut_lanes_tmat3(a->body->R, tilt, turned);
	for (int i = 0; i < c->n_u; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			c->du[i][l] = c->rho * c->u[i][l] - (i < 3 ? turned[i][l] : 0.0);
		}
	}
	abut_lanes_add(c->du[3], 1.0, c->c[contact->alpha_z]);
	add_right(c, R, 0, NULL, c->du);
	add_right(c, R, 1, shift, c->du);
	abut_lanes_solve(c->n_u, c->lu, c->pivots, c->du);
	/* back: normals from the rows, n_0 = R_0 A' lambda = -R_0 f, n_1 = R_1 f */
	recover_side(c, 0, c->du, f);
	abut_lanes_mat3(a->body->R, f, out->dn[0]); /* cppcheck-suppress uninitvar ; written there */
	abut_lanes_mat3(a->body->R, c->du, dp);
	abut_lanes_tmat3(R, c->du, dq);
	for (int i = 0; i < 3; i++) {
		abut_lanes_add(dq[i], 1.0, shift[i]);
	}
	recover_side(c, 1, dq, f);
	abut_lanes_mat3(b->body->R, f, out->dn[1]);
	for (int i = 0; i < 3; i++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			out->dn[0][i][l] = material[0].tilt[i][l] - out->dn[0][i][l];
			out->dn[1][i][l] = material[1].tilt[i][l] + out->dn[1][i][l];
			dp[i][l] += material[0].xi[i][l];
			out->arm[0][i][l] = dp[i][l] - motion->displacement[0][i][l];
			out->arm[1][i][l] = dp[i][l] - motion->displacement[1][i][l];
		}
	}
	const double K_alpha = c->law->K[contact->alpha_cone->law];
	for (int l = 0; l < ABUT_LANES; l++) {
		c->dz[contact->alpha_z][l] = c->c[contact->alpha_z][l] - K_alpha * c->du[3][l];
	}
}

/* --- impulses and wrenches --- */

/* dslip of one side: w N . (dv + dw x arm + w x darm) + w dN . velocity, and of the spin about the normal. */
ALWAYS_INLINE void add_slip(const AbutContactLinear *c, int index, const AbutLinearMotion *motion, const Geometry *g,
                            AbutLanes dN[3][3], AbutLanes slip[3])
{
	const AbutContactSide *side = &c->contact->side[index];
	const double w = c->contact->weight_friction * side->sign, wr = w * c->contact->pair->torsional_radius;
	for (int t = 0; t < 2; t++) {
		const double N[3] = {w * side->frame.N[1 + t][0], w * side->frame.N[1 + t][1],
		                     w * side->frame.N[1 + t][2]};
		const double velocity[3] = {w * side->velocity[0], w * side->velocity[1], w * side->velocity[2]};
		double by_spin[3], by_arm[3];
		abut_cross3(side->arm, N, by_spin);
		abut_cross3(N, side->body->w, by_arm);
		abut_lanes_add_dot(N, motion->velocity[index], slip[t]);
		abut_lanes_add_dot(by_spin, motion->spin[index], slip[t]);
		abut_lanes_add_dot(by_arm, g->arm[index], slip[t]);
		abut_lanes_add_dot(velocity, dN[1 + t], slip[t]);
	}
	const double N0[3] = {wr * side->frame.N[0][0], wr * side->frame.N[0][1], wr * side->frame.N[0][2]};
	const double spin[3] = {wr * side->body->w[0], wr * side->body->w[1], wr * side->body->w[2]};
	abut_lanes_add_dot(N0, motion->spin[index], slip[2]);
	abut_lanes_add_dot(spin, dN[0], slip[2]);
}

/* Of the second-order cone, whose head is mu gamma: dtail = c + a mu dgamma - B dslip. */
ALWAYS_INLINE void push_cone(AbutContactLinear *c, const AbutLanes slip[3], AbutLanes d_impulse[4])
{
	const AbutContactWork *contact = c->contact;
	const int tail = contact->pair->tail, first = contact->friction_z;
	const AbutFreeHeadLaw *head = abut_free_head_law(c->law, contact->friction_cones);
	for (int t = 0; t < tail; t++) {
		for (int l = 0; l < ABUT_LANES; l++) {
			d_impulse[1 + t][l] = c->c[first + 1 + t][l] + head->a[t] * contact->mu * d_impulse[0][l];
			for (int u = 0; u < tail; u++) {
				d_impulse[1 + t][l] -= head->B[3 * t + u] * slip[u][l];
			}
			c->dz[first + 1 + t][l] = d_impulse[1 + t][l];
		}
	}
}

/* Of the pyramid, lane by lane: its law has one right-hand side. */
static void push_pyramid(AbutContactLinear *c, const AbutLanes slip[3], AbutLanes d_impulse[4])
{
	const AbutContactWork *contact = c->contact;
	const int tail = contact->pair->tail, n_z = contact->n_friction_z, first = contact->friction_z;
	for (int l = 0; l < ABUT_LANES; l++) {
		const double d_slip[3] = {slip[0][l], slip[1][l], slip[2][l]};
		double dy[1], dz[8], dH[8];
		for (int i = 0; i < n_z; i++) {
			c->law->c[0][contact->friction_cones->offset + i] = c->c[first + i][l];
		}
		abut_friction_recover(ABUT_FRICTION_CONE_PYRAMID, tail, contact->mu, 0.0, contact->friction_cones,
		                      c->law, 0.0, d_impulse[0][l], d_slip, dy, dz, dH);
		for (int i = 0; i < n_z; i++) {
			c->dz[first + i][l] = dz[i];
		}
		for (int t = 0; t < tail; t++) {
			d_impulse[1 + t][l] = dz[1 + 2 * t] - dz[2 + 2 * t];
		}
	}
}

ALWAYS_INLINE void push_impulses(AbutContactLinear *c, const AbutLanes slip[3], AbutLanes d_impulse[4])
{
	const AbutContactWork *contact = c->contact;
	const double D = c->law->K[contact->cones[0].law] * contact->weight_contact;
	for (int l = 0; l < ABUT_LANES; l++) {
		d_impulse[0][l] = c->dz[0][l] = c->c[0][l] - D * c->du[3][l];
		d_impulse[1][l] = d_impulse[2][l] = d_impulse[3][l] = 0.0;
	}
	if (contact->pair->tail > 0 && c->friction_cone == ABUT_FRICTION_CONE_SOC) {
		push_cone(c, slip, d_impulse);
	} else if (contact->pair->tail > 0) {
		push_pyramid(c, slip, d_impulse);
	}
}

/* dF = I (N dimpulse + dN impulse);  dT = arm x dF + darm x F + I r (N0 dbeta_3 + beta_3 dN0). */
ALWAYS_INLINE void push_wrench(const AbutContactLinear *c, int index, const Geometry *g, AbutLanes dN[3][3],
                               const AbutLanes d_impulse[4], AbutLanes wrench[6])
{
	const AbutContactWork *contact = c->contact;
	const AbutContactSide *side = &contact->side[index];
	const double I = contact->impulse_scale, Ir = I * contact->pair->torsional_radius;
	const double impulse[3] = {I * contact->gamma, I * contact->beta[0], I * contact->beta[1]};
	for (int i = 0; i < 3; i++) {
		abut_lanes_zero(wrench[i]);
		for (int t = 0; t < 3; t++) {
			abut_lanes_add(wrench[i], I * side->frame.N[t][i], d_impulse[t]);
			abut_lanes_add(wrench[i], impulse[t], dN[t][i]);
		}
	}
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		for (int l = 0; l < ABUT_LANES; l++) {
			wrench[3 + i][l] =
			    side->arm[j] * wrench[k][l] - side->arm[k] * wrench[j][l] +
			    Ir * (side->frame.N[0][i] * d_impulse[3][l] + contact->beta[2] * dN[0][i][l]);
		}
	}
	abut_lanes_add_cross(g->arm[index], side->force, &wrench[3]);
	if (side->body->planar) {
		abut_lanes_zero(wrench[1]);
		abut_lanes_zero(wrench[3]);
		abut_lanes_zero(wrench[5]);
	}
}

ABUT_CLONES void abut_contact_linear_push(AbutContactLinear *c, const AbutLinearMotion *motion, AbutLinearWrench *out)
{
	Geometry g;
	AbutLanes dN[2][3][3], slip[3], d_impulse[4];
	solve_collision(c, motion, &g);
	for (int t = 0; t < 3; t++) {
		abut_lanes_zero(slip[t]);
	}
	for (int i = 0; i < c->n_sides; i++) {
		for (int t = 0; t < 3; t++) {
			abut_lanes_mat3(c->side[i].dN[t], g.dn[i], dN[i][t]);
		}
		add_slip(c, i, motion, &g, dN[i], slip);
	}
	push_impulses(c, slip, d_impulse);
	for (int i = 0; i < c->n_sides; i++) {
		push_wrench(c, i, &g, dN[i], d_impulse, out->on[i]);
	}
}

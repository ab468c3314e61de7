/* Evaluates F of experiments/reference/extended_island.h for complex u. F contains, by section of docs/formulation.md:
 * the momentum balances (2), the stationarity of each contact's collision problem (1), the first row of its friction
 * cone (3), and for each cone the equations of its mode. Tested against the library's steps, its derivatives and closed
 * forms in tests/experiments/test_extended_step.c. */
#include "experiments/reference/extended_equations.h"

#include <string.h>

#include "experiments/reference/extended_island.h"

/* --- bodies --- */

/* Moves a body to the end of the step: q+ = (c, psi) q with psi = dt w / 2 and c = sqrt(1 - psi.psi). */
static void move_body(AbutExtendedBody *body, long double dt, const AbutComplex *u)
{
	AbutComplex psi[3], turn[9];
	for (int i = 0; i < 3; i++) {
		body->v[i] = u[i];
		body->w[i] = u[3 + i];
		psi[i] = 0.5L * dt * u[3 + i];
	}
	const AbutComplex c = csqrtl(1.0L - abut_extended_dot(psi, psi));
	body->cosine = c;
	for (int i = 0; i < 3; i++) {
		const int j = (i + 1) % 3, k = (i + 2) % 3;
		turn[4 * i] = 2.0L * (c * c + psi[i] * psi[i]) - 1.0L;
		turn[3 * i + j] = 2.0L * (psi[i] * psi[j] - c * psi[k]);
		turn[3 * i + k] = 2.0L * (psi[i] * psi[k] + c * psi[j]);
	}
	abut_extended_multiply(turn, body->R0, body->R);
}

/* Computes c J w + half w x J w, world, with J turned to the orientation at the start of the step. */
static void momentum_of_turn(const AbutExtendedBody *body, const AbutComplex w[3], AbutComplex c, long double half,
                             AbutComplex out[3])
{
	AbutComplex own[3], Jown[3], Jw[3], gyre[3];
	abut_extended_rotate_back(body->R0, w, own);
	abut_extended_rotate(body->inertia, own, Jown);
	abut_extended_rotate(body->R0, Jown, Jw);
	abut_extended_cross(w, Jw, gyre);
	for (int i = 0; i < 3; i++) {
		out[i] = c * Jw[i] + half * gyre[i];
	}
}

static void balance(const AbutExtendedBody *body, long double dt, AbutComplex F[6])
{
	AbutComplex w0[3], torque[3], before[3], after[3];
	const long double old_half = 0.5L * body->old_timestep;
	abut_extended_rotate(body->R0, body->spin, w0);
	abut_extended_rotate(body->R0, body->torque, torque);
	const AbutComplex c0 = csqrtl(1.0L - old_half * old_half * abut_extended_dot(w0, w0));
	momentum_of_turn(body, w0, c0, -old_half, before);
	momentum_of_turn(body, body->w, body->cosine, 0.5L * dt, after);
	for (int i = 0; i < 3; i++) {
		F[i] = body->mass * (body->v[i] - body->v0[i]) - dt * body->force[i];
		F[3 + i] = after[i] - before[i] - dt * torque[i];
	}
}

/* Replaces three balances of a planar body: v_y = 0, w_x = 0 and w_z = 0. */
static void keep_in_plane(const AbutExtendedBody *body, AbutComplex F[6])
{
	if (body->planar) {
		F[1] = body->v[1];
		F[3] = body->w[0];
		F[5] = body->w[2];
	}
}

/* --- contacts --- */

/* Returns the force along a tangent direction. For the pyramid it is the difference of the forces of two opposite
 * edges. */
static AbutComplex friction_of(const AbutExtendedContact *contact, int direction, const AbutComplex *u)
{
	const AbutComplex *z = &u[contact->friction_z + 1];
	return contact->pyramid ? z[2 * direction] - z[2 * direction + 1] : z[direction];
}

/* One side of a contact, evaluated at the contact point. */
typedef struct Place {
	AbutComplex arm[3], normal[3]; /* world; the normal points from side 0 to side 1 */
	AbutComplex N[3][3];           /* directions of impulse and slip, world: normal, two tangents */
	AbutComplex d_lambda;
} Place;

/* Evaluates the slacks s = h + W (p, alpha, eps) of the shape's rows, the normal, and d' lambda, where d is the column
 * of W for alpha. Adds B' lambda to F, where B are the columns for eps. */
static void evaluate_rows(AbutExtendedIsland *island, const AbutExtendedSide *side, const AbutComplex p[3],
                          AbutComplex alpha, const AbutComplex *u, AbutComplex *F, AbutComplex g[3], Place *place)
{
	const AbutConicRows *rows = side->rows;
	for (int i = 0; i < rows->n_rows; i++) {
		const double *W = &rows->W[(size_t)i * (size_t)rows->width];
		const AbutComplex lambda = u[side->z + i];
		AbutComplex s = rows->h[i] + side->shift + W[3] * alpha;
		for (int k = 0; k < 3; k++) {
			s += W[k] * p[k];
			g[k] -= W[k] * lambda;
		}
		place->d_lambda += W[3] * lambda;
		for (int k = 0; k < rows->n_eps; k++) {
			s += W[4 + k] * u[side->y + k];
			F[side->y + k] -= W[4 + k] * lambda;
		}
		island->slack[side->z + i] = s;
	}
}

/* Computes the directions N0 = n / sqrt(n.n + sigma^2), N1 = |N0| t1 and N2 = N0 x t1. The unit tangent t1 is normal to
 * n, in the plane of n and the reference direction. */
static void make_directions(const AbutExtendedContact *contact, Place *place)
{
	const AbutComplex *n = place->normal, square = abut_extended_dot(n, n), length = csqrtl(square);
	const AbutComplex rho = csqrtl(square + contact->sigma * contact->sigma);
	const AbutComplex along = abut_extended_dot(contact->reference, n) / square;
	AbutComplex t1[3];
	for (int i = 0; i < 3; i++) {
		t1[i] = contact->reference[i] - along * n[i];
		place->N[0][i] = n[i] / rho;
	}
	const AbutComplex across = csqrtl(abut_extended_dot(t1, t1));
	for (int i = 0; i < 3; i++) {
		t1[i] /= across;
		place->N[1][i] = length / rho * t1[i];
	}
	abut_extended_cross(place->N[0], t1, place->N[2]);
}

static void evaluate_side(AbutExtendedIsland *island, const AbutExtendedContact *contact, int index,
                          const AbutComplex *u, AbutComplex *F, Place *place)
{
	const AbutExtendedSide *side = &contact->side[index];
	const bool moves = side->body >= 0;
	const AbutExtendedBody *first = &island->bodies[contact->side[0].body];
	const AbutExtendedBody *body = &island->bodies[moves ? side->body : contact->side[0].body];
	const AbutComplex *R = moves ? body->R : side->R;
	AbutComplex p[3], g[3] = {0.0L, 0.0L, 0.0L};
	place->d_lambda = 0.0L;
	for (int i = 0; i < 3; i++) {
		const AbutComplex moved = moves ? body->moved[i] + island->timestep * body->v[i] : 0.0L;
		place->arm[i] = u[contact->y + i] + first->moved[i] - side->place[i] - moved;
	}
	abut_extended_rotate_back(R, place->arm, p);
	evaluate_rows(island, side, p, u[contact->y + 3], u, F, g, place);
	abut_extended_rotate(R, g, place->normal);
	for (int i = 0; i < 3; i++) {
		place->normal[i] *= -side->sign;
	}
	make_directions(contact, place);
}

/* Adds the velocity of the side's body at the contact point p along the directions, and its spin about the normal. */
static void add_slip(const AbutExtendedContact *contact, const AbutExtendedSide *side, const AbutExtendedBody *body,
                     const Place *place, AbutComplex slip[3])
{
	AbutComplex velocity[3];
	const AbutComplex weight = contact->weight_friction * side->sign;
	abut_extended_cross(body->w, place->arm, velocity);
	for (int i = 0; i < 3; i++) {
		velocity[i] += body->v[i];
	}
	slip[0] += weight * abut_extended_dot(place->N[1], velocity);
	slip[1] += weight * abut_extended_dot(place->N[2], velocity);
	slip[2] += weight * contact->torsional_radius * abut_extended_dot(place->N[0], body->w);
}

static void add_impulse(const AbutExtendedContact *contact, const AbutExtendedSide *side, const Place *place,
                        const AbutComplex *u, AbutComplex *F)
{
	AbutComplex force[3], turn[3], beta[3] = {0.0L, 0.0L, 0.0L};
	for (int t = 0; t < contact->tail; t++) {
		beta[t] = friction_of(contact, t, u);
	}
	for (int i = 0; i < 3; i++) {
		force[i] = contact->impulse_scale *
		           (u[contact->z] * place->N[0][i] + beta[0] * place->N[1][i] + beta[1] * place->N[2][i]);
	}
	abut_extended_cross(place->arm, force, turn);
	for (int i = 0; i < 3; i++) {
		const AbutComplex torsion =
		    contact->impulse_scale * contact->torsional_radius * beta[2] * place->N[0][i];
		F[i] -= side->sign * force[i];
		F[3 + i] -= side->sign * (turn[i] + torsion);
	}
}

/* Evaluates beta_0 = mu gamma and the slacks (psi, slip). For the pyramid the slacks are mu gamma - sum of the edge
 * forces, and +-slip + psi for each edge. */
static void evaluate_friction(AbutExtendedIsland *island, const AbutExtendedContact *contact, const AbutComplex slip[3],
                              const AbutComplex *u, AbutComplex *F)
{
	AbutComplex *s = &island->slack[contact->friction_z], limit = contact->mu * u[contact->z];
	const AbutComplex *z = &u[contact->friction_z], psi = u[contact->psi];
	if (contact->tail == 0) {
		return;
	}
	if (!contact->pyramid) {
		F[contact->psi] = limit - z[0];
		s[0] = psi;
		memcpy(&s[1], slip, (size_t)contact->tail * sizeof *slip);
		return;
	}
	s[0] = limit;
	for (int t = 0; t < contact->tail; t++) {
		s[0] -= z[1 + 2 * t] + z[2 + 2 * t];
		s[1 + 2 * t] = psi + slip[t];
		s[2 + 2 * t] = psi - slip[t];
	}
}

static void evaluate_contact(AbutExtendedIsland *island, const AbutExtendedContact *contact, const AbutComplex *u,
                             AbutComplex *F)
{
	Place place[2];
	AbutComplex slip[3] = {0.0L, 0.0L, 0.0L}, alpha = u[contact->y + 3];
	for (int i = 0; i < 2; i++) {
		const AbutExtendedSide *side = &contact->side[i];
		evaluate_side(island, contact, i, u, F, &place[i]);
		if (side->body >= 0) {
			add_slip(contact, side, &island->bodies[side->body], &place[i], slip);
			add_impulse(contact, side, &place[i], u, &F[6 * side->body]);
		}
	}
	for (int i = 0; i < 3; i++) {
		F[contact->y + i] = place[0].normal[i] - place[1].normal[i];
	}
	F[contact->y + 3] = 1.0L - place[0].d_lambda - place[1].d_lambda - u[contact->alpha_z];
	island->slack[contact->z] = contact->weight_contact * (alpha - 1.0L + contact->delta);
	island->slack[contact->alpha_z] = alpha;
	evaluate_friction(island, contact, slip, u, F);
}

/* Sets F such that the unknowns of a contact without force keep their values. */
static void leave_out(const AbutExtendedIsland *island, const AbutExtendedContact *contact, const AbutComplex *u,
                      AbutComplex *F)
{
	for (int i = 0; i < contact->n_y; i++) {
		F[contact->y + i] = u[contact->y + i] - island->base[contact->y + i];
	}
	for (int i = 0; i < contact->n_z; i++) {
		F[contact->z + i] = u[contact->z + i] - island->base[contact->z + i];
	}
}

/* --- cones --- */

static AbutComplex one_of(AbutExtendedMode mode, AbutComplex z, AbutComplex s, AbutComplex product)
{
	return mode == ABUT_EXTENDED_CLOSED ? s : mode == ABUT_EXTENDED_OPEN ? z : product;
}

/* Evaluates the equations of a cone by its mode. The Jordan product of z and s is (z.s, z_0 s_i + s_0 z_i). */
static void evaluate_cone(const AbutExtendedIsland *island, const AbutExtendedCone *cone, const AbutComplex *u,
                          AbutComplex *F)
{
	const AbutComplex *z = &u[cone->z], *s = &island->slack[cone->z];
	const AbutExtendedMode *modes = &island->modes[cone->z];
	if (cone->kind == ABUT_CONE_ORTHANT) {
		for (int i = 0; i < cone->dim; i++) {
			F[cone->z + i] = one_of(modes[i], z[i], s[i], z[i] * s[i] - cone->kappa);
		}
		return;
	}
	AbutComplex first = -cone->kappa;
	for (int i = 0; i < cone->dim; i++) {
		first += z[i] * s[i];
		F[cone->z + i] = one_of(modes[0], z[i], s[i], z[0] * s[i] + s[0] * z[i]);
	}
	F[cone->z] = one_of(modes[0], z[0], s[0], first);
}

void abut_extended_evaluate(AbutExtendedIsland *island, const AbutComplex *u, AbutComplex *F)
{
	memset(F, 0, (size_t)island->n * sizeof *F);
	for (int i = 0; i < island->n_bodies; i++) {
		move_body(&island->bodies[i], island->timestep, &u[6 * i]);
		balance(&island->bodies[i], island->timestep, &F[6 * i]);
	}
	for (int i = 0; i < island->n_contacts; i++) {
		const AbutExtendedContact *contact = &island->contacts[i];
		if (contact->pressed) {
			evaluate_contact(island, contact, u, F);
		} else {
			leave_out(island, contact, u, F);
		}
	}
	for (int i = 0; i < island->n_bodies; i++) {
		keep_in_plane(&island->bodies[i], &F[6 * i]);
	}
	for (int i = 0; i < island->n_cones; i++) {
		if (!island->cones[i].left_out) {
			evaluate_cone(island, &island->cones[i], u, F);
		}
	}
}

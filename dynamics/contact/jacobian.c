/* Computes the dense Jacobian of one contact, column by column. Tests compare the elimination with it. Its unknowns are
 *
 *     [dv_0 dw_0 | dv_1 dw_1 | p alpha eps_0 eps_1 psi | gamma friction lambda_alpha lambda_0 lambda_1]
 *
 * A unit change of each unknown passes through the same steps as the values in dynamics/contact/evaluate.c. */
#include "dynamics/contact/jacobian.h"

#include <string.h>

#include "base/vec3.h"
#include "collision/rows/smooth_rows.h"

/* A change of the contact's unknowns. In eps and lambda, one entry at most changes by 1: the fields hold its number,
 * counted from 1, or 0 for no change. */
typedef struct Change {
	double v[2][3], w[2][3]; /* of both bodies */
	double p[3], alpha;
	int eps[2], lambda[2];
	double gamma, beta[3];
} Change;

/* A contact at its last evaluation. `curvature` is C of each side with rows that are not linear
 * (collision/rows/smooth_rows.h); the user's functions are called only once for it. */
typedef struct Place {
	const AbutContactWork *contact;
	const AbutEdgeRoom *room;
	const double *curvature[2];
} Place;

typedef struct Effect {
	double dg_world[2][3]; /* change of each side's normal, from side 0 to side 1; world */
	double d_lambda;       /* change of both sides' d' lambda */
	double point[2][3];    /* displacement of p relative to each body's material, in its frame */
	double slip[3];
	double wrench[2][6];
	double material[2][3];
	double eps[2][ABUT_SMOOTH_EPS_MAX]; /* change of B' lambda, for rows that are not linear */
} Effect;

/* Adds the effect of the curvature of a smooth shape. Its rows W depend on u = (p, alpha, eps); at fixed lambda, d(-W'
 * lambda) = C du (collision/rows/smooth_rows.h). */
static void add_curvature(const AbutConicRows *rows, const double *C, const double d_point[3], const Change *change,
                          int index, double g[3], Effect *effect)
{
	double du[ABUT_SMOOTH_WIDTH_MAX] = {d_point[0], d_point[1], d_point[2], change->alpha};
	if (change->eps[index]) {
		du[3 + change->eps[index]] = 1.0;
	}
	for (int a = 0; a < rows->width; a++) {
		double sum = 0.0;
		for (int b = 0; b < rows->width; b++) {
			sum += C[a * rows->width + b] * du[b];
		}
		*(a < 3 ? &g[a] : a == 3 ? &effect->d_lambda : &effect->eps[index][a - 4]) += a == 3 ? -sum : sum;
	}
}

static void side_effect(const Place *place, int index, const Change *change, Effect *effect)
{
	const AbutContactSide *side = &place->contact->side[index];
	const AbutConicRows *rows = side->rows;
	double turn[3], g[3] = {0.0, 0.0, 0.0}, n_turn[3];
	double *d_point = effect->point[index];
	abut_mat3_vec(side->body->G, change->w[index], turn);
	if (side->body->moving < 0) {
		memset(turn, 0, sizeof turn);
	}
	abut_cross3(turn, side->arm, effect->material[index]);
	abut_add_scaled3(effect->material[index], place->room->timestep, change->v[index], effect->material[index]);
	abut_sub3(change->p, effect->material[index], d_point);
	abut_mat3_tvec(side->body->R, d_point, d_point);
	if (change->lambda[index]) {
		const double *W = &rows->W[(change->lambda[index] - 1) * rows->width];
		abut_scale3(-1.0, W, g);
		effect->d_lambda += W[3];
	}
	if (place->curvature[index]) {
		add_curvature(rows, place->curvature[index], d_point, change, index, g, effect);
	}
	double *dn = effect->dg_world[index];
	abut_mat3_vec(side->body->R, g, dn);
	abut_cross3(turn, side->n, n_turn);
	for (int i = 0; i < 3; i++) {
		dn[i] = -side->sign * dn[i] + n_turn[i];
	}
}

/* Computes the change of slip and wrench by one moving side. */
static void moving_side_effect(const AbutContactWork *contact, const AbutEdgeRoom *room, int index,
                               const Change *change, Effect *effect)
{
	const AbutContactSide *side = &contact->side[index];
	const double I = contact->scale.impulse, r = contact->pair->torsional_radius;
	double dN[3][9], d[3][3], d_arm[3], d_velocity[3], swing[3];
	abut_contact_frame_derivative(&side->frame, contact->scale.sigma, contact->reference, dN);
	for (int j = 0; j < 3; j++) {
		abut_mat3_vec(dN[j], effect->dg_world[index], d[j]);
		d_arm[j] = change->p[j] - room->timestep * change->v[index][j];
	}
	abut_cross3(change->w[index], side->arm, d_velocity);
	abut_cross3(side->body->w, d_arm, swing);
	for (int j = 0; j < 3; j++) {
		d_velocity[j] += change->v[index][j] + swing[j];
	}
	const double w = contact->scale.weight_friction * side->sign;
	for (int t = 0; t < 2; t++) {
		effect->slip[t] +=
		    w * (abut_dot3(side->frame.N[1 + t], d_velocity) + abut_dot3(d[1 + t], side->velocity));
	}
	effect->slip[2] += w * r * (abut_dot3(side->frame.N[0], change->w[index]) + abut_dot3(d[0], side->body->w));
	double force[3], first[3], second[3];
	for (int i = 0; i < 3; i++) {
		force[i] = I * (side->frame.N[0][i] * change->gamma + side->frame.N[1][i] * change->beta[0] +
		                side->frame.N[2][i] * change->beta[1] + d[0][i] * contact->value.gamma +
		                d[1][i] * contact->value.beta[0] + d[2][i] * contact->value.beta[1]);
	}
	abut_cross3(side->arm, force, first);
	abut_cross3(d_arm, side->force, second);
	for (int i = 0; i < 3; i++) {
		effect->wrench[index][i] = force[i];
		effect->wrench[index][3 + i] =
		    first[i] + second[i] +
		    I * r * (side->frame.N[0][i] * change->beta[2] + d[0][i] * contact->value.beta[2]);
	}
	if (side->body->planar) {
		effect->wrench[index][1] = effect->wrench[index][3] = effect->wrench[index][5] = 0.0;
	}
}

static void effect_of(const Place *place, const Change *change, Effect *effect)
{
	effect->d_lambda = 0.0;
	memset(effect->slip, 0, sizeof effect->slip);
	memset(effect->eps, 0, sizeof effect->eps);
	for (int i = 0; i < 2; i++) {
		side_effect(place, i, change, effect);
		if (place->contact->side[i].body->moving >= 0) {
			moving_side_effect(place->contact, place->room, i, change, effect);
		}
	}
}

/* Adds the effect of an unknown to its column of the Jacobian. In the equations of friction, this function adds only
 * the effect through gamma and slip, from `friction_J`. The caller adds the effect of friction's own unknowns. */
static void write_column(const AbutContactWork *contact, const Change *change, const Effect *effect,
                         const double *friction_J, double rho, int n_y, double *column)
{
	const int rows_r = contact->at.n_friction_y, rows_H = contact->at.n_friction_z;
	const int stride = 4 + rows_r + rows_H;
	double *r = &column[contact->at.y];
	double *H = &column[n_y + contact->at.z];
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		for (int j = 0; side->body->moving >= 0 && j < 6; j++) {
			column[6 * side->body->moving + j] -= side->sign * effect->wrench[i][j];
		}
		const int width = side->rows->width, eps = change->eps[i], lambda = change->lambda[i];
		for (int j = 0; j < side->rows->n_rows; j++) {
			const double *W = &side->rows->W[j * width];
			H[side->z + j] += abut_dot3(W, effect->point[i]) + W[3] * change->alpha;
			H[side->z + j] += eps ? W[3 + eps] : 0.0;
		}
		for (int e = 0; lambda && e < side->rows->n_eps; e++) {
			r[side->y + e] -= side->rows->W[(lambda - 1) * width + 4 + e];
		}
		if (eps) {
			r[side->y + eps - 1] += rho;
		}
		for (int e = 0; side->rows->smooth && e < side->rows->n_eps; e++) {
			r[side->y + e] += effect->eps[i][e];
		}
	}
	for (int i = 0; i < 3; i++) {
		r[i] += effect->dg_world[0][i] - effect->dg_world[1][i] + rho * (change->p[i] - effect->material[0][i]);
	}
	r[3] += rho * change->alpha - effect->d_lambda;
	H[0] += contact->scale.weight_contact * change->alpha;
	H[contact->at.alpha_z] += change->alpha;
	const double arguments[4] = {change->gamma, effect->slip[0], effect->slip[1], effect->slip[2]};
	for (int i = 0; i < rows_r + rows_H; i++) {
		double sum = 0.0;
		for (int j = 0; j < 4; j++) {
			sum += friction_J[i * stride + j] * arguments[j];
		}
		*(i < rows_r ? &r[contact->at.psi_y + i] : &H[contact->at.friction_z + i - rows_r]) += sum;
	}
}

typedef struct Writer {
	Place place;
	const double *friction_J;
	double rho;
	int n_y, n;
	double *J;
} Writer;

static void write_change(const Writer *w, const Change *change, int column)
{
	Effect effect;
	effect_of(&w->place, change, &effect);
	write_column(w->place.contact, change, &effect, w->friction_J, w->rho, w->n_y, &w->J[(long)column * w->n]);
}

void abut_contact_jacobian(const AbutContactWork *contact, const AbutEdgeRoom *room, double rho, int n_y, int n,
                           double *J)
{
	double beta_z[3 * 7], friction_J[8 * 12];
	const AbutFriction friction = abut_contact_friction(contact, room->friction_cone);
	abut_friction_jacobian(&friction, beta_z, friction_J);
	Writer w = {{.contact = contact, .room = room}, friction_J, rho, n_y, n, J};
	for (int i = 0; i < 2; i++) {
		const AbutConicRows *rows = contact->side[i].rows;
		w.place.curvature[i] = rows->smooth ? abut_smooth_rows_curvature(rows) : NULL;
	}
	const int first_z = n_y + contact->at.z;
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		for (int j = 0; side->body->moving >= 0 && j < 6; j++) {
			Change change = {.v = {{0.0}}};
			*(j < 3 ? &change.v[i][j] : &change.w[i][j - 3]) = 1.0;
			write_change(&w, &change, 6 * side->body->moving + j);
		}
		for (int e = 0; e < side->rows->n_eps; e++) {
			Change change = {.v = {{0.0}}};
			change.eps[i] = e + 1;
			write_change(&w, &change, contact->at.y + side->y + e);
		}
		for (int j = 0; j < side->rows->n_rows; j++) {
			Change change = {.v = {{0.0}}};
			change.lambda[i] = j + 1;
			write_change(&w, &change, first_z + side->z + j);
		}
	}
	for (int j = 0; j < 4; j++) {
		Change change = {.v = {{0.0}}};
		*(j < 3 ? &change.p[j] : &change.alpha) = 1.0;
		write_change(&w, &change, contact->at.y + j);
	}
	Change gamma = {.gamma = 1.0};
	write_change(&w, &gamma, first_z);
	const int n_fy = contact->at.n_friction_y, n_fz = contact->at.n_friction_z, stride = 4 + n_fy + n_fz;
	for (int j = 0; j < n_fz; j++) {
		Change change = {.beta = {beta_z[j], beta_z[n_fz + j], beta_z[2 * n_fz + j]}};
		write_change(&w, &change, first_z + contact->at.friction_z + j);
	}
	for (int j = 0; j < n_fy + n_fz;
	     j++) { /* derivatives of friction's equations with respect to its own unknowns */
		double *column = j < n_fy ? &J[(long)(contact->at.y + contact->at.psi_y + j) * n]
		                          : &J[(long)(first_z + contact->at.friction_z + j - n_fy) * n];
		for (int i = 0; i < n_fy + n_fz; i++) {
			column[i < n_fy ? contact->at.y + contact->at.psi_y + i
			                : first_z + contact->at.friction_z + i - n_fy] +=
			    friction_J[i * stride + 4 + j];
		}
	}
	J[(contact->at.y + 3) + (long)(first_z + contact->at.alpha_z) * n] -=
	    1.0; /* derivative of r_alpha with respect to lambda_alpha */
}

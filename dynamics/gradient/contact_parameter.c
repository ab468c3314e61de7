/* Computes how a parameter changes the equations of a contact at fixed poses, velocities and unknowns.
 *
 * A parameter of a part's pose moves the part's material in its body. In body axes, material at q moves by e_k, or
 * turns about the part's centre c and moves by e_k x (q - c). If the centre of mass moves by e_k, the material moves by
 * -e_k relative to it; the next pose is that of the centre of mass (body.c). Sizes and faces change the rows
 * H = h + W (q, alpha, eps) of a side and their effect,
 *
 *     dH = dh + dW (q, alpha, eps),      d(W' lambda) = dW' lambda
 *
 * If the friction coefficient or the torsional radius is 0, increasing it adds friction that opposes the present slip
 * and spin. On the path this effect is quadratic, so the derivative is 0. The recovery from overlap
 * (dynamics/gradient/refuse.c), the scale of impulses and the frame's axis count as constant. Tested with finite
 * differences of the equations in tests/dynamics/parameter/test_parameter_inputs.c. */
#include "dynamics/gradient/contact_parameter.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/contact/evaluate.h"
#include "dynamics/model/pair.h"
#include "shapes/change/face.h"
#include "shapes/change/size.h"

static bool is_of_pair(const AbutContactWork *contact, const AbutParameter *p)
{
	const int *body = contact->pair->body;
	if (p->kind == ABUT_PARAMETER_FRICTION ? contact->pair->own_friction : contact->pair->own_torsion) {
		return false;
	}
	return (body[0] == p->body && body[1] == p->other) || (body[0] == p->other && body[1] == p->body);
}

/* Returns whether the parameter belongs to this side. */
static bool is_of_side(const AbutContactWork *contact, int side, const AbutModel *model, const AbutParameter *p)
{
	if (p->kind == ABUT_PARAMETER_CENTRE_OF_MASS) {
		return contact->pair->body[side] == p->body;
	}
	return abut_parameter_of_part(p) && contact->pair->part[side] == abut_parameter_part(model, p);
}

bool abut_contact_parameter_touches(const AbutContactWork *contact, const AbutModel *model, const AbutParameter *p)
{
	if (p->kind == ABUT_PARAMETER_FRICTION) {
		return is_of_pair(contact, p);
	}
	if (p->kind == ABUT_PARAMETER_TORSIONAL_RADIUS) {
		return contact->pair->tail > 0 && is_of_pair(contact, p);
	}
	return is_of_side(contact, 0, model, p) || is_of_side(contact, 1, model, p);
}

/* --- rows --- */

/* The change of one row for one SI unit of the parameter: its constant h and its coefficients W of (q, alpha, eps). At
 * most three eps have coefficients that change. */
typedef struct RowChange {
	double h, W[7];
	int width;
} RowChange;

static RowChange row_change(const AbutConicRows *rows, int row, const AbutParameter *p)
{
	AbutFaceChange by = {.d = 0.0};
	if (p->kind == ABUT_PARAMETER_SIZE) {
		const AbutShapeChange size = abut_shape_row_by_size(rows->shape, row, p->index);
		abut_copy3(size.A, by.A);
		by.d = size.d;
		by.h = size.h;
	} else {
		by = abut_shape_row_by_face(rows->shape, row, p->index % 4);
	}
	const double scale = rows->unit / rows->divisor;
	RowChange change = {.h = (by.h - abut_dot3(by.A, rows->origin)) / rows->divisor,
	                    .width = rows->shape->kind == ABUT_SHAPE_PADDED_POLYTOPE ? 7 : 4};
	for (int i = 0; i < 3; i++) {
		change.W[i] = -scale * by.A[i];
		change.W[4 + i] = -scale * by.B[i];
	}
	change.W[3] = by.d / rows->divisor;
	return change;
}

static void set_rows(AbutContactLinear *linear, int index, const AbutParameter *p, double unit, const double *y,
                     const double *z, int lane)
{
	const AbutContactSide *side = &linear->contact->side[index];
	const AbutConicRows *rows = side->rows;
	AbutLinearInput *input = &linear->input;
	double u[7] = {0.0};
	abut_mat3_tvec(side->body->R, side->arm, u);
	u[3] = y[3];
	for (int e = 0; e < rows->n_eps && e < 3; e++) {
		u[4 + e] = y[side->y + e];
	}
	const bool face = p->kind == ABUT_PARAMETER_FACE; /* only one row changes */
	const int first = face ? p->index / 4 : 0, end = face ? first + 1 : rows->n_rows;
	for (int row = first; row < end; row++) {
		const RowChange change = row_change(rows, row, p);
		double dH = change.h;
		for (int a = 0; a < change.width; a++) {
			dH += change.W[a] * u[a];
			input->f[index][a][lane] += unit * change.W[a] * z[side->z + row];
		}
		input->dH[side->z + row][lane] += unit * dH;
	}
}

/* --- material --- */

static void set_material(AbutContactLinear *linear, int index, const AbutParameter *p, int lane)
{
	const AbutContactSide *side = &linear->contact->side[index];
	const double *R = side->body->R;
	double own[3] = {0.0}, q[3], moved[3], turned[3] = {0.0};
	own[p->index] = p->kind == ABUT_PARAMETER_CENTRE_OF_MASS ? -1.0 : 1.0;
	abut_mat3_vec(R, own, moved);
	if (p->kind == ABUT_PARAMETER_PART_ROTATION) {
		abut_copy3(moved, turned);
		abut_mat3_tvec(R, side->arm, q);
		abut_sub3(q, side->rows->centre, q);
		abut_cross3(own, q, moved);
		abut_mat3_vec(R, moved, moved);
	}
	for (int i = 0; i < 3; i++) {
		linear->input.material[index][i][lane] += moved[i];
		linear->input.turn[index][i][lane] += turned[i];
	}
}

/* --- friction --- */

/* A smaller slip or spin (velocity, model units) counts as none, since steps are solved to 1e-11. */
static const double least_slip = 1e-9;

/* Sets the friction, per unit of the coefficient, of a contact whose coefficient is 0. It opposes the slip along both
 * tangents, and the spin about the normal times `radius`. With the pyramid, whose edges lie along the axes, all
 * friction acts along the largest of these components. */
static void set_first_friction(AbutContactLinear *linear, double radius, int lane)
{
	const AbutContactWork *contact = linear->contact;
	const double slip[3] = {contact->value.slip[0], contact->value.slip[1],
	                        contact->scale.weight_friction * radius * abut_contact_spin(contact)};
	const double size = sqrt(abut_dot3(slip, slip));
	double opposing[3] = {0.0, 0.0, 0.0};
	if (size <= least_slip * contact->scale.weight_friction) {
		return;
	}
	if (linear->friction_cone == ABUT_FRICTION_CONE_PYRAMID) {
		int largest = fabs(slip[1]) > fabs(slip[0]) ? 1 : 0;
		largest = fabs(slip[2]) > fabs(slip[largest]) ? 2 : largest;
		opposing[largest] = slip[largest] > 0.0 ? -1.0 : 1.0;
	} else {
		for (int t = 0; t < 3; t++) {
			opposing[t] = -slip[t] / size;
		}
	}
	linear->input.tangential[0][lane] += contact->value.gamma * opposing[0];
	linear->input.tangential[1][lane] += contact->value.gamma * opposing[1];
	linear->input.torsion[lane] += contact->value.gamma * radius * opposing[2];
}

/* Sets the friction, per unit of the torsional radius r, of a contact whose radius is 0. If the contact sticks, the
 * friction that tangential friction leaves unused, beta_3, opposes the spin w. Sticking tangential friction then
 * creeps, because (slip, r w) is antiparallel to (beta, beta_3). With the pyramid, all loaded edges slip by r |w|. If
 * the contact slips already, the moment is quadratic in r, and the derivative is 0. */
static void set_first_torsion(AbutContactLinear *linear, int lane)
{
	const AbutContactWork *contact = linear->contact;
	const double *beta = contact->value.beta, most = contact->mu * contact->value.gamma;
	const double w = contact->scale.weight_friction, spin = w * abut_contact_spin(contact), least = w * least_slip;
	const bool pyramid = linear->friction_cone == ABUT_FRICTION_CONE_PYRAMID;
	const double left = pyramid ? most - fabs(beta[0]) - fabs(beta[1])
	                            : sqrt(fmax(most * most - beta[0] * beta[0] - beta[1] * beta[1], 0.0));
	if (hypot(contact->value.slip[0], contact->value.slip[1]) > least || fabs(spin) <= least || left <= 0.0) {
		return;
	}
	linear->input.torsion[lane] -= left * (spin > 0.0 ? 1.0 : -1.0);
	for (int t = 0; t < 2; t++) {
		const double sign = beta[t] > least_slip * most ? 1.0 : beta[t] < -least_slip * most ? -1.0 : 0.0;
		linear->input.creep[t][lane] -= fabs(spin) * (pyramid ? sign : beta[t] / left);
	}
}

static void set_friction(AbutContactLinear *linear, const AbutModel *model, const AbutParameter *p, int lane)
{
	const AbutPair *pair = linear->contact->pair;
	if (p->kind == ABUT_PARAMETER_FRICTION && pair->tail > 0) {
		linear->input.mu[lane] += 1.0;
	} else if (p->kind == ABUT_PARAMETER_TORSIONAL_RADIUS && pair->tail == 3) {
		linear->input.torsional_radius[lane] += 1.0;
	} else if (linear->on_path) {
		return;
	} else if (p->kind == ABUT_PARAMETER_FRICTION) {
		set_first_friction(linear, abut_pair_torsional_radius(model, pair->part[0], pair->part[1]), lane);
	} else {
		set_first_torsion(linear, lane);
	}
}

/* --- all --- */

static void begin_input(AbutContactLinear *linear)
{
	AbutLinearInput *input = &linear->input;
	const AbutContactWork *contact = linear->contact;
	if (linear->has_input) {
		return;
	}
	linear->has_input = true;
	memset(input->material, 0, sizeof input->material);
	memset(input->turn, 0, sizeof input->turn);
	memset(input->mu, 0, sizeof input->mu);
	memset(input->torsional_radius, 0, sizeof input->torsional_radius);
	memset(input->tangential, 0, sizeof input->tangential);
	memset(input->torsion, 0, sizeof input->torsion);
	memset(input->creep, 0, sizeof input->creep);
	memset(input->dH, 0, (size_t)contact->pair->n_z * sizeof *input->dH);
	for (int i = 0; i < 2; i++) {
		memset(input->f[i], 0, (size_t)contact->side[i].rows->width * sizeof *input->f[i]);
	}
}

void abut_contact_linear_set_parameter(AbutContactLinear *linear, const AbutModel *model,
                                       const AbutParameter *parameter, const double *y, const double *z, int lane)
{
	if (!abut_contact_parameter_touches(linear->contact, model, parameter)) {
		return;
	}
	begin_input(linear);
	if (parameter->kind == ABUT_PARAMETER_FRICTION || parameter->kind == ABUT_PARAMETER_TORSIONAL_RADIUS) {
		set_friction(linear, model, parameter, lane);
	}
	const bool rows = parameter->kind == ABUT_PARAMETER_SIZE || parameter->kind == ABUT_PARAMETER_FACE;
	for (int i = 0; i < 2; i++) {
		if (!is_of_side(linear->contact, i, model, parameter)) {
			continue;
		}
		if (rows) {
			set_rows(linear, i, parameter, abut_parameter_unit(model, parameter), y, z, lane);
		} else {
			set_material(linear, i, parameter, lane);
		}
	}
}

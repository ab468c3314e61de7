/* Computes the warm start of a contact that slides over a fixed body, alone in its island. While it slides, its
 * friction is at its limit and opposite to the slip:
 *
 *     beta = -mu gamma slip(beta) / |slip(beta)|.
 *
 * A body on a face does not tilt, so a change of friction dF acts on its motion at once. The velocity changes by dv =
 * dF / m. The contact place moves by dr = -(r_n / N) dF, which keeps the moment about the tangents constant (arm r,
 * inward normal n, force on the body -N n + F). If the body also spins with w_n about the normal, both change the slip:
 *
 *     slip(beta) = slip_last + [m k; -k m] dbeta,
 *
 * where m comes from dv and k from dr. Newton's method solves these two equations. Otherwise friction and place would
 * be wrong by the turn of the slip in one step, and products of the two errors cost an iteration. Tested by
 * tests/dynamics/solve/test_start_landing.c. */
#include "dynamics/solve/start_slide.h"

#include <math.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/solve/tuning.h"

typedef struct Slide {
	const AbutContactWork *contact;
	AbutContactFrame frame;
	double velocity[3], arm[3]; /* of the body's origin; from the origin to the contact place */
	double per_mass, lever; /* dv = -per_mass dF, dr = lever dF, dF = N1 dbeta_1 + N2 dbeta_2; 0: not on a face */
	double slip[3], m, k;   /* slip with the last friction; m and k of its derivative with respect to beta */
} Slide;

/* Returns whether exactly one dual of a polytope is positive. The contact may then be anywhere on that face. */
static bool on_face(const AbutConicRows *rows, const double *lambda)
{
	int positive = 0;
	for (int i = 0; i < rows->n_rows; i++) {
		positive += lambda[i] > 0.0;
	}
	return positive == 1 && abut_conic_rows_flat(rows);
}

/* For a body on a face, sets the tangential velocity to that from its momentum and the last friction, and computes
 * `lever`, `per_mass`, m and k. */
static void ride_on_face(Slide *slide, double gamma, const double *last)
{
	const AbutContactFrame *frame = &slide->frame;
	const AbutBodyWork *body = slide->contact->side[0].body;
	const double soft = abut_dot3(frame->N[0], frame->N[0]);
	slide->lever = abut_dot3(slide->arm, frame->N[0]) / (soft * gamma);
	slide->per_mass = slide->contact->scale.impulse / body->mass;
	double change[3];
	for (int i = 0; i < 3; i++) {
		change[i] = body->momentum[i] / body->mass - body->v[i] -
		            slide->per_mass * (frame->N[1][i] * last[0] + frame->N[2][i] * last[1]);
	}
	const double normal = abut_dot3(change, frame->N[0]) / soft;
	for (int i = 0; i < 3; i++) {
		slide->velocity[i] += change[i] - normal * frame->N[0][i];
	}
	const double weight = slide->contact->scale.weight_friction * soft;
	slide->m = weight * slide->per_mass;
	slide->k = weight * slide->lever * abut_dot3(body->w, frame->N[0]) / sqrt(soft);
}

/* Computes the weighted slip of side 0, as dynamics/contact/evaluate.c does. */
static void slip_at(Slide *slide)
{
	const AbutContactWork *contact = slide->contact;
	const AbutContactFrame *frame = &slide->frame;
	const AbutBodyWork *body = contact->side[0].body;
	const double weight = contact->scale.weight_friction * contact->side[0].sign;
	double velocity[3];
	abut_cross3(body->w, slide->arm, velocity);
	abut_add3(velocity, slide->velocity, velocity);
	slide->slip[0] = weight * abut_dot3(frame->N[1], velocity);
	slide->slip[1] = weight * abut_dot3(frame->N[2], velocity);
	slide->slip[2] = weight * contact->pair->torsional_radius * abut_dot3(frame->N[0], body->w);
}

/* Computes, from the last friction, beta (3) with magnitude `size` = mu gamma and opposite to its slip. Returns false
 * if no change is needed, or if Newton's method does not converge. */
static bool oppose(const Slide *slide, double size, const double last[3], double slip[3], double beta[3])
{
	const double m = slide->m, k = slide->k;
	abut_copy3(last, beta);
	for (int i = 0; i < ABUT_SLIDE_ITERATIONS; i++) {
		const double change[2] = {beta[0] - last[0], beta[1] - last[1]};
		slip[0] = slide->slip[0] + m * change[0] + k * change[1];
		slip[1] = slide->slip[1] - k * change[0] + m * change[1];
		slip[2] = slide->slip[2];
		const double length = abut_norm3(slip);
		if (!(length > 0.0)) {
			return false;
		}
		const double u = slip[0] / length, v = slip[1] / length, rate = size / length;
		const double F = beta[0] + size * u, G = beta[1] + size * v;
		beta[2] = -size * slip[2] / length;
		if (fabs(F) + fabs(G) <= (i == 0 ? ABUT_SLIDE_STRAIGHT : ABUT_SLIDE_GOAL) * size) {
			return i > 0;
		}
		/* Jacobian: I + mu gamma / |slip| (I - s s') [m k; -k m],  s = slip / |slip| */
		const double uu = rate * (1.0 - u * u), uv = -rate * u * v, vv = rate * (1.0 - v * v);
		const double a = 1.0 + uu * m - uv * k, b = uu * k + uv * m;
		const double c = uv * m - vv * k, d = 1.0 + uv * k + vv * m;
		const double determinant = a * d - b * c;
		beta[0] -= (d * F - b * G) / determinant;
		beta[1] -= (a * G - c * F) / determinant;
	}
	return false;
}

static bool applies(const AbutIsland *island)
{
	const AbutContactWork *contact = &island->problem.contacts[0];
	return island->problem.n_contacts == 1 && island->problem.n_joints == 0 && !island->resume &&
	       contact->last.entry->solved && contact->at.n_friction_y == 1 && contact->pair->tail == 3 &&
	       contact->side[1].body->moving < 0;
}

void abut_step_slide(AbutIsland *island)
{
	if (!applies(island)) {
		return;
	}
	const AbutContactWork *contact = &island->problem.contacts[0];
	const AbutBodyWork *body = contact->side[0].body;
	const double dt = island->problem.timestep;
	double *y = &island->iterate.y[contact->at.y], *z = &island->iterate.z[contact->at.z];
	double *last = &z[contact->at.friction_z + 1], *psi = &y[contact->at.psi_y], slip[3], beta[3];
	if (!(*psi > ABUT_SLIDE_LEAST && z[0] > 0.0)) {
		return;
	}
	Slide slide = {.contact = contact};
	abut_contact_frame(contact->last.entry->normal, contact->scale.sigma, contact->reference, &slide.frame);
	abut_copy3(body->v, slide.velocity);
	abut_add_scaled3(y, -dt, body->v, slide.arm);
	if (on_face(contact->side[0].rows, &z[contact->side[0].z])) {
		ride_on_face(&slide, z[0], last);
	}
	slip_at(&slide);
	const double size = contact->pair->mu * z[0];
	if (!oppose(&slide, size, last, slip, beta) || abut_norm3(slip) < ABUT_SLIDE_SHARE * *psi ||
	    abut_dot3(beta, last) < ABUT_SLIDE_SHARE * size * size) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		const double dF = slide.frame.N[1][i] * (beta[0] - last[0]) + slide.frame.N[2][i] * (beta[1] - last[1]);
		island->iterate.y[i] = slide.velocity[i] - slide.per_mass * dF;
		y[i] = slide.arm[i] + slide.lever * dF + dt * island->iterate.y[i];
	}
	z[contact->at.friction_z] = size;
	abut_copy3(beta, last);
	*psi = abut_norm3(slip);
}

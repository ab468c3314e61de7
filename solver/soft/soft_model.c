/* Computes references and weights of soft contact rows from solref and solimp, and their derivatives. */
#include "solver/soft/soft_model.h"

#include <math.h>
#include <string.h>

static double within(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

static double impedance_at_depth(const double solimp[5])
{
	return within(solimp[1], ABUT_SOFT_LEAST_IMPEDANCE, 1.0 - ABUT_SOFT_LEAST_IMPEDANCE);
}

/* Returns y(x) = x^p / m^(p-1) up to the midpoint m, 1 - (1-x)^p / (1-m)^(p-1) above; `slope` is its derivative. */
static double rise(double x, double middle, double power, double *slope)
{
	const bool below = x <= middle;
	const double t = below ? x : 1.0 - x, of = pow(t / (below ? middle : 1.0 - middle), power - 1.0);
	*slope = power * of;
	return below ? t * of : 1.0 - t * of;
}

double abut_soft_impedance(const double solimp[5], double distance, double *slope)
{
	const double least = ABUT_SOFT_LEAST_IMPEDANCE;
	const double d0 = within(solimp[0], least, 1.0 - least), d1 = impedance_at_depth(solimp);
	const double middle = within(solimp[3], least, 1.0 - least), power = solimp[4] > 1.0 ? solimp[4] : 1.0;
	*slope = 0.0;
	if (d0 == d1 || !(solimp[2] > 1e-15)) {
		return 0.5 * (d0 + d1);
	}
	const double x = fabs(distance) / solimp[2];
	if (x >= 1.0) {
		return d1;
	}
	const double y = rise(x, middle, power, slope);
	*slope *= (distance < 0.0 ? d0 - d1 : d1 - d0) / solimp[2];
	return d0 + y * (d1 - d0);
}

void abut_soft_spring(const AbutSoftParameters *parameters, double timestep, double *b, double *k)
{
	const double d1 = impedance_at_depth(parameters->solimp);
	const double *solref = parameters->solref;
	if (solref[0] > 0.0) {
		const double constant = solref[0] > 2.0 * timestep ? solref[0] : 2.0 * timestep;
		const double product = d1 * constant * solref[1];
		*b = 2.0 / (d1 * constant);
		*k = 1.0 / (product * product);
	} else {
		*b = -solref[1] / d1;
		*k = -solref[0] / (d1 * d1);
	}
}

static void make_elliptic(const AbutSoftParameters *parameters, const AbutSoftContact *contact, double R, double b,
                          double pull, AbutSoftPoint *point, AbutSoftRow *rows)
{
	const double first = R / parameters->impratio;
	point->elliptic = contact->n_rows > 1;
	point->mu = contact->friction[0] * sqrt(1.0 / parameters->impratio);
	for (int i = 0; i < contact->n_rows; i++) {
		const double ratio = i > 0 ? contact->friction[0] / contact->friction[i - 1] : 1.0;
		memcpy(rows[i].J, contact->J[i], sizeof rows[i].J);
		rows[i].reference = -b * contact->velocity[i] - (i == 0 ? pull : 0.0);
		rows[i].weight = 1.0 / (i == 0 ? R : first * ratio * ratio);
	}
}

/* Makes the edges J_0 + friction_i J_i and J_0 - friction_i J_i. */
static void make_pyramid(const AbutSoftParameters *parameters, const AbutSoftContact *contact, double R, double b,
                         double pull, AbutSoftPoint *point, AbutSoftRow *rows)
{
	const double mu2 = contact->friction[0] * contact->friction[0];
	const double weight = 1.0 / (2.0 * mu2 / parameters->impratio * (1.0 + mu2) * R);
	point->elliptic = false;
	point->n_rows = 2 * (contact->n_rows - 1);
	for (int edge = 0; edge < point->n_rows; edge++) {
		const int i = 1 + edge / 2;
		const double along = edge % 2 == 0 ? contact->friction[i - 1] : -contact->friction[i - 1];
		for (int k = 0; k < 12; k++) {
			rows[edge].J[k] = contact->J[0][k] + along * contact->J[i][k];
		}
		rows[edge].reference = -b * (contact->velocity[0] + along * contact->velocity[i]) - pull;
		rows[edge].weight = weight;
	}
}

int abut_soft_make(const AbutSoftParameters *parameters, double timestep, bool pyramid, const AbutSoftContact *contact,
                   int first_row, AbutSoftPoint *point, AbutSoftRow *rows)
{
	static const double least = 1e-15; /* smallest R, used between bodies that cannot move */
	double b, k, slope;
	const double d = abut_soft_impedance(parameters->solimp, contact->distance, &slope);
	const double R = fmax(contact->inverse_mass * (1.0 - d) / d, least);
	abut_soft_spring(parameters, timestep, &b, &k);
	*point = (AbutSoftPoint){
	    .first_row = first_row, .n_rows = contact->n_rows, .body = {contact->body[0], contact->body[1]}};
	memcpy(point->friction, contact->friction, sizeof point->friction);
	if (pyramid && contact->n_rows > 1) {
		make_pyramid(parameters, contact, R, b, k * d * contact->distance, point, rows);
	} else {
		make_elliptic(parameters, contact, R, b, k * d * contact->distance, point, rows);
	}
	return point->n_rows;
}

void abut_soft_force_in_frame(const AbutSoftPoint *point, const double *force, double frame[6])
{
	memset(frame, 0, 6 * sizeof *frame);
	if (point->elliptic || point->n_rows == 1) {
		memcpy(frame, force, (size_t)point->n_rows * sizeof *frame);
		return;
	}
	for (int edge = 0; edge < point->n_rows; edge++) {
		const int i = 1 + edge / 2;
		frame[0] += force[edge];
		frame[i] += (edge % 2 == 0 ? point->friction[i - 1] : -point->friction[i - 1]) * force[edge];
	}
}

/* Returns the component of an edge along the frame's direction k. */
static double edge_along(const AbutSoftPoint *point, int edge, int k)
{
	const double sign = edge % 2 == 0 ? 1.0 : -1.0;
	return k == 0 ? 1.0 : k == 1 + edge / 2 ? sign * point->friction[k - 1] : 0.0;
}

void abut_soft_hessian_in_frame(const AbutSoftPoint *point, const double *hessian, int n, double *frame)
{
	const int m = point->n_rows;
	memset(frame, 0, (size_t)n * (size_t)n * sizeof *frame);
	for (int i = 0; i < m; i++) {
		for (int j = 0; j < m; j++) {
			if (point->elliptic || m == 1) {
				frame[i * n + j] = hessian[i * m + j];
				continue;
			}
			for (int r = 0; r < n; r++) {
				for (int c = 0; c < n; c++) {
					frame[r * n + c] +=
					    edge_along(point, i, r) * hessian[i * m + j] * edge_along(point, j, c);
				}
			}
		}
	}
}

/* Differentiates the forces of an elliptic point. With m^2 = friction^2 / impratio, w = D_0 / (1 + m^2) and t the
 * direction of (y_1, y_2, ...), a sliding point has
 *
 *     f_0 = -w q,    f_i = w q friction t_i,    q = y_0 - friction |y_1, y_2 ...|.
 *
 * The forces of a sticking point do not depend on the coefficient. */
static void elliptic_by_friction(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, double *frame)
{
	const double friction = point->friction[0], m2 = point->mu * point->mu;
	double T2 = 0.0;
	for (int i = 1; i < point->n_rows; i++) {
		T2 += y[i] * y[i];
	}
	const double T = sqrt(T2), q = y[0] - friction * T, w = rows[0].weight / (1.0 + m2);
	if (q >= 0.0 || m2 * y[0] + friction * T <= 0.0) {
		return;
	}
	const double dw = -2.0 * m2 / (friction * (1.0 + m2)) * w;
	frame[0] = w * T - dw * q;
	for (int i = 1; i < point->n_rows; i++) {
		frame[i] = (w * q + friction * (dw * q - w * T)) * y[i] / T;
	}
}

/* Differentiates the forces along the edges y_0 +- friction y_i, whose weight is proportional to 1 / (friction^2 (1 +
 * friction^2)). */
static void pyramid_by_friction(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y,
                                const double *force, double *frame)
{
	const double friction = point->friction[0];
	const double heavier = -2.0 / friction - 2.0 * friction / (1.0 + friction * friction);
	for (int edge = 0; edge < point->n_rows; edge++) {
		const int first = edge - edge % 2, i = 1 + edge / 2;
		const double sign = edge % 2 == 0 ? 1.0 : -1.0, along = (y[first] - y[first + 1]) / (2.0 * friction);
		const double change = heavier * force[edge] - (y[edge] < 0.0 ? rows[edge].weight * sign * along : 0.0);
		frame[0] += change;
		frame[i] += sign * (force[edge] + friction * change);
	}
}

void abut_soft_by_friction(const AbutSoftPoint *point, const AbutSoftRow *rows, const double *y, const double *force,
                           double frame[6])
{
	memset(frame, 0, 6 * sizeof *frame);
	if (point->elliptic) {
		elliptic_by_friction(point, rows, y, frame);
	} else if (point->n_rows > 1) {
		pyramid_by_friction(point, rows, y, force, frame);
	}
}

/* Makes the rows of the problem from contact points. The row along a direction d at a point p gives the component along
 * d of the velocity of side 1 relative to side 0. With x_0 and x_1 the bodies' positions at the start of the step:
 *
 *     J = (-d, -(p - x_0) x d, d, (p - x_1) x d),    W = J M^-1. */
#include "dynamics/methods/manifold/rows.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/solve/recovery.h"

void abut_lcp_sides(const AbutModel *model, const AbutPair *pair, const AbutBodyWork *bodies, AbutManifoldSide side[2])
{
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &bodies[pair->body[s]];
		side[s].shape = &model->parts[pair->part[s]].manifold;
		abut_copy3(body->x0, side[s].x);
		memcpy(side[s].R, body->R0, sizeof side[s].R);
	}
}

static void fill_row(const AbutPair *pair, const AbutBodyWork *bodies, const AbutLcpBody *lcp_bodies, const double p[3],
                     const double d[3], AbutLcpRow *row)
{
	for (int s = 0; s < 2; s++) {
		const AbutBodyWork *body = &bodies[pair->body[s]];
		const AbutLcpBody *own = &lcp_bodies[pair->body[s]];
		double *J = &row->J[6 * s], *W = &row->W[6 * s], arm[3];
		const double sign = s == 0 ? -1.0 : 1.0;
		row->body[s] = body->moving;
		abut_scale3(sign, d, J);
		abut_sub3(p, body->x0, arm);
		abut_cross3(arm, J, &J[3]);
		if (body->moving < 0) {
			memset(W, 0, 6 * sizeof(double));
			continue;
		}
		for (int i = 0; i < 3; i++) {
			W[i] = own->inverse_mass[i] * J[i];
		}
		abut_mat3_vec(own->inverse_inertia, &J[3], &W[3]);
	}
}

void abut_lcp_rows(const AbutPair *pair, const AbutBodyWork *bodies, const AbutLcpBody *lcp_bodies,
                   const AbutLcpContact *contact, AbutLcpRow *rows)
{
	for (int i = 0; i < contact->manifold.n; i++) {
		for (int k = 0; k < contact->rows_per_point; k++) {
			fill_row(pair, bodies, lcp_bodies, contact->manifold.points[i].point, contact->axes[k],
			         &rows[i * contact->rows_per_point + k]);
		}
	}
}

static double dot6(const double *a, const double *b)
{
	return abut_dot3(a, b) + abut_dot3(a + 3, b + 3);
}

double abut_lcp_velocity_along(const AbutLcpIsland *island, const AbutLcpRow *row, bool after)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		if (row->body[s] >= 0) {
			const AbutLcpBody *body = &abut_lcp_work(island->w)->bodies[island->moving[row->body[s]]->body];
			sum += dot6(&row->J[6 * s], after ? body->next : body->free);
		}
	}
	return sum;
}

void abut_lcp_matrix(int n, const AbutLcpRow *rows, double *A)
{
	for (int i = 0; i < n; i++) {
		for (int j = 0; j <= i; j++) {
			double sum = 0.0;
			for (int s = 0; s < 2; s++) {
				for (int t = 0; t < 2; t++) {
					if (rows[i].body[s] >= 0 && rows[i].body[s] == rows[j].body[t]) {
						sum += dot6(&rows[i].W[6 * s], &rows[j].J[6 * t]);
					}
				}
			}
			A[(size_t)i * (size_t)n + (size_t)j] = A[(size_t)j * (size_t)n + (size_t)i] = sum;
		}
	}
}

double abut_lcp_gap(const AbutModel *model, const AbutManifold *manifold, int point, int *deepest)
{
	const AbutLcpGap rule = model->options.lcp_gap;
	int lowest = 0;
	for (int i = 1; i < manifold->n; i++) {
		lowest = manifold->points[i].gap < manifold->points[lowest].gap ? i : lowest;
	}
	const double allowed = ABUT_RECOVERY_SPEED * model->timestep, back = -manifold->points[lowest].gap - allowed;
	const bool moved_back = rule == ABUT_LCP_GAP_BOUNDED && back > 0.0;
	if (deepest) {
		*deepest = moved_back ? lowest : -1;
	}
	return rule == ABUT_LCP_GAP_NONE ? 0.0 : manifold->points[point].gap + (moved_back ? back : 0.0);
}

void abut_lcp_mass(const AbutBodyWork *body, double mass[36])
{
	memset(mass, 0, 36 * sizeof *mass);
	for (int i = 0; i < 3; i++) {
		mass[7 * i] = body->mass;
		mass[7 * (3 + i)] = body->inertia[4 * i];
		for (int k = 0; !body->planar && k < 3; k++) {
			mass[6 * (3 + i) + 3 + k] = body->inertia[3 * i + k];
		}
	}
}

/* Computes M^-1. A planar body stays in its plane: it moves along x and z and turns about y. */
void abut_lcp_invert_mass(const AbutBodyWork *body, AbutLcpBody *out)
{
	memset(out->inverse_inertia, 0, sizeof out->inverse_inertia);
	for (int i = 0; i < 3; i++) {
		out->inverse_mass[i] = body->planar && i == 1 ? 0.0 : 1.0 / body->mass;
		const double unit[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
		double column[3];
		abut_sym3_solve(body->inertia, unit, column);
		for (int k = 0; k < 3 && !body->planar; k++) {
			out->inverse_inertia[3 * k + i] = column[k];
		}
	}
	if (body->planar) {
		out->inverse_inertia[4] = 1.0 / body->inertia[4];
	}
}

void abut_lcp_flight_block(const AbutBodyWork *body, double timestep, const double y[6], double D[9])
{
	AbutBodyWork there = *body;
	double J[36];
	abut_body_move(&there, timestep, y);
	abut_body_jacobian(&there, timestep, J);
	for (int i = 0; i < 3; i++) {
		memcpy(&D[3 * i], &J[6 * (3 + i) + 3], 3 * sizeof(double));
	}
}

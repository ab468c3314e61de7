/* Builds the problem of solver/soft/soft_contact.h from an island's contact points. */
#include "dynamics/methods/convex/rows.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/step/workspace.h"

AbutSoftParameters abut_convex_parameters(const AbutModel *model, const AbutPair *pair)
{
	const AbutSoftness *soft = pair->soft;
	const double time = model->units.time;
	const bool direct = soft->solref[0] <= 0.0;
	AbutSoftParameters out = {.impratio = model->options.impratio};
	out.solref[0] = direct ? soft->solref[0] * time * time : soft->solref[0] / time;
	out.solref[1] = direct ? soft->solref[1] * time : soft->solref[1];
	memcpy(out.solimp, soft->solimp, sizeof out.solimp);
	out.solimp[2] /= model->units.length;
	return out;
}

double abut_convex_distance(const AbutModel *model, const AbutPair *pair, double gap)
{
	return gap - pair->soft->margin / model->units.length;
}

/* Fills mass and inertia. A planar body has no rows out of its plane, so its inertia there may have any value. */
static void fill_mass(const AbutBodyWork *body, double mass[36])
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

static void keep_in_plane(double J[6])
{
	J[1] = J[3] = J[5] = 0.0;
}

static double velocity_along(const AbutLcpIsland *island, const int body[2], const double J[12])
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		if (body[s] >= 0) {
			const AbutBodyWork *of = island->moving[body[s]];
			sum += abut_dot3(&J[6 * s], of->v0) + abut_dot3(&J[6 * s + 3], of->w0);
		}
	}
	return sum;
}

static int make_point(const AbutLcpIsland *island, const AbutPair *pair, const AbutLcpContact *contact, int index,
                      int first_row, AbutSoftPoint *point)
{
	const AbutLcpRow *own = &island->room->rows[contact->first_row + index * contact->rows_per_point];
	const AbutModel *model = island->model;
	const AbutSoftParameters parameters = abut_convex_parameters(model, pair);
	double J[ABUT_LCP_POINT_ROWS][12];
	AbutSoftContact soft = {.n_rows = contact->rows_per_point,
	                        .J = (const double(*)[12])J,
	                        .distance = abut_convex_distance(model, pair, contact->manifold.points[index].gap)};
	for (int s = 0; s < 2; s++) {
		soft.body[s] = own->body[s];
		soft.inverse_mass += own->body[s] >= 0 ? 1.0 / island->moving[own->body[s]]->mass : 0.0;
		soft.friction[s] = abut_max(pair->mu, abut_convex_least_friction);
	}
	for (int i = 0; i < soft.n_rows; i++) {
		memcpy(J[i], own[i].J, sizeof J[i]);
		for (int s = 0; s < 2; s++) {
			if (own->body[s] >= 0 && island->moving[own->body[s]]->planar) {
				keep_in_plane(&J[i][6 * s]);
			}
		}
		soft.velocity[i] = velocity_along(island, soft.body, J[i]);
	}
	return abut_soft_make(&parameters, model->timestep, model->options.friction_cone == ABUT_FRICTION_CONE_PYRAMID,
	                      &soft, first_row, point, &abut_convex_room(island->room)->rows[first_row]);
}

AbutSoftProblem abut_convex_problem(AbutLcpIsland *island)
{
	AbutWorkspace *w = island->w;
	AbutConvexRoom *room = abut_convex_room(island->room);
	AbutSoftProblem problem = {.n_bodies = island->n_moving,
	                           .mass = room->mass,
	                           .free = room->free,
	                           .points = room->points,
	                           .rows = room->rows};
	for (int i = 0; i < island->n_moving; i++) {
		fill_mass(island->moving[i], &room->mass[36 * (size_t)i]);
		abut_lcp_invert_mass(island->moving[i], &abut_lcp_work(w)->bodies[island->moving[i]->body]);
	}
	island->n_rows = 0;
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const int candidate = abut_island_candidate(w, island->members, i);
		const AbutPair *pair = &w->pairs.candidates[candidate].pair;
		AbutLcpContact *contact = &abut_lcp_work(w)->contacts[candidate];
		contact->first_row = island->n_rows;
		abut_lcp_rows(pair, w->bodies, abut_lcp_work(w)->bodies, contact, &island->room->rows[island->n_rows]);
		island->n_rows += abut_lcp_contact_rows(contact);
		for (int k = 0; k < contact->manifold.n; k++) {
			problem.n_rows +=
			    make_point(island, pair, contact, k, problem.n_rows, &room->points[problem.n_points]);
			problem.n_points++;
		}
	}
	return problem;
}

void abut_convex_impulses(const AbutLcpIsland *island, const AbutSoftProblem *problem)
{
	double *x = island->room->boxed.x;
	int row = 0;
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		const int n = point->n_rows == 1 ? 1 : ABUT_LCP_POINT_ROWS;
		double frame[6];
		abut_soft_force_in_frame(point, &abut_convex_room(island->room)->soft.force[point->first_row], frame);
		for (int k = 0; k < n; k++) {
			island->room->boxed.set[row] = ABUT_BOXED_IDLE;
			x[row++] = island->model->timestep * frame[k];
		}
	}
}

/* Builds the problem of solver/soft/soft_contact.h from an island's contact points. */
#include "dynamics/methods/convex/rows.h"

#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/convex/convection.h"
#include "dynamics/methods/convex/equality.h"
#include "dynamics/methods/convex/laws.h"
#include "dynamics/methods/manifold/columns.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/step/workspace.h"

AbutSoftParameters abut_convex_parameters(const AbutModel *model, const AbutSoftness *soft)
{
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

static void keep_in_plane(double J[6])
{
	J[1] = J[3] = J[5] = 0.0;
}

double abut_convex_velocity_before(const AbutLcpIsland *island, const int body[2], const double J[12])
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

/* Returns the acceleration of a body's centre of mass per force, which sets how soft its contacts are. */
static double mobility_of(const AbutLcpIsland *island, int body)
{
	const AbutBodyWork *work = island->moving[body];
	const double jointed = island->model->bodies[work->body].mobility[0];
	return jointed > 0.0 ? jointed : 1.0 / work->mass;
}

static int make_point(const AbutLcpIsland *island, const AbutPair *pair, const AbutLcpContact *contact, int index,
                      int first_row, AbutSoftPoint *point)
{
	const AbutLcpRow *own = &island->room->rows[contact->first_row + index * contact->rows_per_point];
	const AbutModel *model = island->model;
	const AbutSoftParameters parameters = abut_convex_parameters(model, pair->soft);
	double J[ABUT_LCP_POINT_ROWS][12];
	AbutSoftContact soft = {.n_rows = contact->rows_per_point,
	                        .J = (const double(*)[12])J,
	                        .distance = abut_convex_distance(model, pair, contact->manifold.points[index].gap)};
	for (int s = 0; s < 2; s++) {
		soft.body[s] = own->body[s];
		soft.inverse_mass += own->body[s] >= 0 ? mobility_of(island, own->body[s]) : 0.0;
		soft.friction[s] = abut_max(pair->mu, abut_convex_least_friction);
	}
	for (int i = 0; i < soft.n_rows; i++) {
		memcpy(J[i], own[i].J, sizeof J[i]);
		for (int s = 0; s < 2; s++) {
			if (own->body[s] >= 0 && island->moving[own->body[s]]->planar) {
				keep_in_plane(&J[i][6 * s]);
			}
		}
		soft.velocity[i] = abut_convex_velocity_before(island, soft.body, J[i]);
	}
	return abut_soft_make(&parameters, model->timestep, model->options.friction_cone == ABUT_FRICTION_CONE_PYRAMID,
	                      &soft, first_row, point, &abut_convex_room(island->room)->rows[first_row]);
}

double abut_convex_free_acceleration(const AbutLcpIsland *island, int body, int k)
{
	const AbutBodyWork *of = island->moving[body];
	const double before = k < 3 ? of->v0[k] : of->w0[k - 3];
	return (abut_lcp_work(island->w)->bodies[of->body].free[k] - before) / island->model->timestep;
}

/* Makes the rows of a joint, which are held as in the linear motion without contact. Returns their number. */
static int make_joint(const AbutLcpIsland *island, int index, int first_row, AbutSoftPoint *point)
{
	const AbutJointWork *joint = &island->jointed->problem.joints[index];
	double S[ABUT_JOINT_ROWS];
	*point = (AbutSoftPoint){.held = true, .first_row = first_row};
	abut_jointed_stiffness(island, index, S);
	for (int s = 0; s < 2; s++) {
		point->body[s] = joint->body[s]->moving;
	}
	for (int i = 0; i < abut_joint_rows(joint->joint); i++) {
		AbutSoftRow *row = &abut_convex_room(island->room)->rows[first_row + point->n_rows];
		*row = (AbutSoftRow){.weight = S[i]};
		for (int k = 0; k < 12; k++) {
			const int body = point->body[k / 6];
			row->J[k] = joint->start[i][abut_joint_column[k / 6] + k % 6];
			row->reference +=
			    body >= 0 ? row->J[k] * abut_convex_free_acceleration(island, body, k % 6) : 0.0;
		}
		point->n_rows += S[i] > 0.0;
	}
	return point->n_rows;
}

/* Adds J c to the references of all points (convection.h). */
static void leave_out_convection(const AbutLcpIsland *island, const AbutSoftProblem *problem)
{
	const AbutConvexRoom *room = abut_convex_room(island->room);
	abut_convex_find_convection(island);
	for (int p = 0; p < problem->n_points; p++) {
		const AbutSoftPoint *point = &room->points[p];
		for (int i = point->first_row; i < point->first_row + point->n_rows; i++) {
			for (int k = 0; k < 12; k++) {
				const int body = point->body[k / 6];
				room->rows[i].reference +=
				    body >= 0 ? room->rows[i].J[k] * room->convection[6 * body + k % 6] : 0.0;
			}
		}
	}
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
		abut_lcp_mass(island->moving[i], &room->mass[36 * (size_t)i]);
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
	if (island->jointed) {
		abut_convex_add_laws(island, &problem);
		abut_convex_add_equalities(island, &problem);
		leave_out_convection(island, &problem);
	}
	return problem;
}

void abut_convex_add_joints(const AbutLcpIsland *island, AbutSoftProblem *problem)
{
	AbutConvexRoom *room = abut_convex_room(island->room);
	for (int i = 0; island->jointed && i < island->jointed->problem.n_joints; i++) {
		if (!island->jointed->problem.joints[i].joint->soft.yields) {
			problem->n_rows += make_joint(island, i, problem->n_rows, &room->points[problem->n_points++]);
		}
	}
}

void abut_convex_impulses(const AbutLcpIsland *island, const AbutSoftProblem *problem)
{
	double *x = island->room->boxed.x;
	int row = 0;
	for (int p = 0; row < island->n_rows; p++) {
		const AbutSoftPoint *point = &problem->points[p];
		const int n = point->n_rows == 1 ? 1 : point->held ? point->n_rows : ABUT_LCP_POINT_ROWS;
		const double *force = &abut_convex_room(island->room)->soft.force[point->first_row];
		double frame[6];
		if (point->held) {
			memcpy(frame, force, (size_t)n * sizeof *force);
		} else {
			abut_soft_force_in_frame(point, force, frame);
		}
		for (int k = 0; k < n; k++) {
			island->room->boxed.set[row] = ABUT_BOXED_IDLE;
			x[row++] = island->model->timestep * frame[k];
		}
	}
}

/* Solves an island of method lcp by a boxed LCP for the impulses of all points (dynamics/methods/manifold/island.h). */
#include "dynamics/methods/lcp/step.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/body/bounds.h"
#include "dynamics/methods/lcp/memory.h"
#include "dynamics/methods/manifold/bounded.h"
#include "dynamics/methods/manifold/columns.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/methods/manifold/jointed.h"
#include "dynamics/methods/manifold/report.h"
#include "dynamics/methods/manifold/rows.h"
#include "dynamics/methods/manifold/step.h"
#include "dynamics/methods/manifold/work.h"
#include "dynamics/step/workspace.h"

/* Returns the largest distance at which points of two surfaces count, in model units. It is the distance that the
 * surfaces may close in the step, plus a small reserve. With `lcp_gap: none` only touching surfaces count, to rounding
 * accuracy. */
static double margin(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair)
{
	static const double room = 0.02, rounding = 1e-9;
	const AbutPart *a = &model->parts[pair->part[0]], *b = &model->parts[pair->part[1]];
	const double size =
	    b->rows.bounded ? abut_min(a->rows.outer_radius, b->rows.outer_radius) : a->rows.outer_radius;
	if (model->options.lcp_gap == ABUT_LCP_GAP_NONE) {
		return rounding * size;
	}
	return room * size + abut_body_way(&w->bodies[a->body], model->timestep, a->reach) +
	       abut_body_way(&w->bodies[b->body], model->timestep, b->reach);
}

static bool always_axes(const AbutModel *model)
{
	(void)model;
	return false;
}

/* Returns J v of a row for the velocities before the step. */
static double velocity_before(const AbutLcpIsland *island, const AbutLcpRow *row)
{
	double sum = 0.0;
	for (int s = 0; s < 2; s++) {
		if (row->body[s] >= 0) {
			const AbutBodyWork *body = island->moving[row->body[s]];
			sum += abut_dot3(&row->J[6 * s], body->v0) + abut_dot3(&row->J[6 * s + 3], body->w0);
		}
	}
	return sum;
}

/* Returns the offset c of a point's normal row. The point bounces if three conditions hold: it approaches, it would
 * meet the other side within the step, and it would then separate faster than its gap requires. A body at rest does not
 * bounce. */
static double ask_of_normal(const AbutLcpIsland *island, const AbutPair *pair, AbutLcpContact *contact, int point,
                            const AbutLcpRow *row)
{
	const AbutModel *model = island->model;
	const double by_gap = abut_lcp_gap(model, &contact->manifold, point, NULL) / model->timestep;
	contact->bounce[point] = contact->late[point] = 0.0;
	if (pair->restitution > 0.0) {
		const double gap = contact->manifold.points[point].gap;
		const double way = model->timestep * abut_lcp_velocity_along(island, row, false), meets = gap + way;
		const double by_bounce = pair->restitution * velocity_before(island, row);
		if (meets < 0.0 && by_bounce < 0.0 && by_bounce < by_gap) {
			contact->bounce[point] = pair->restitution;
			contact->late[point] = gap > 0.0 ? gap / -way : 0.0;
			return by_bounce;
		}
	}
	return by_gap;
}

/* Adds the rows of joints, corrects A, and completes b: with the velocities v_k and the impulses x_k of the joints'
 * solution, b = w_k - A x_k. The rounding of A then vanishes with x - x_k. */
static void complete(AbutLcpIsland *island)
{
	AbutLcpRoom *room = island->room;
	abut_bounded_fill(island);
	abut_secants_correct(&room->columns.secants, abut_lcp_loads(island), island->n_rows, room->A);
	for (int i = 0; i < island->n_rows; i++) {
		double *row = &room->A[(size_t)i * (size_t)island->n_rows];
		row[i] *= 1.0 + room->columns.prox;
		for (int j = 0; j < island->n_rows; j++) {
			room->b[i] -= row[j] * room->columns.x[j];
		}
	}
}

static void fill_problem(AbutLcpIsland *island)
{
	AbutLcpRoom *room = island->room;
	island->n_rows = island->n_inner = 0;
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const int index = abut_island_candidate(island->w, island->members, i);
		const AbutPair *pair = &island->w->pairs.candidates[index].pair;
		AbutLcpContact *contact = &abut_lcp_work(island->w)->contacts[index];
		contact->first_row = island->n_rows;
		abut_lcp_recall(&island->state->store, island->w->pairs.candidates[index].source, contact,
		                &room->guess[island->n_rows]);
		abut_lcp_rows(pair, island->w->bodies, abut_lcp_work(island->w)->bodies, contact,
		              &room->rows[island->n_rows]);
		for (int k = 0; k < abut_lcp_contact_rows(contact); k++) {
			const int row = island->n_rows + k, point = k / contact->rows_per_point;
			const bool normal = k % contact->rows_per_point == 0;
			room->lo[row] = 0.0;
			room->hi[row] = normal ? (double)INFINITY : pair->mu;
			room->friction[row] = normal ? -1 : island->n_rows + point * contact->rows_per_point;
			room->b[row] = island->jointed ? abut_jointed_velocity_along(island, &room->rows[row])
			                               : abut_lcp_velocity_along(island, &room->rows[row], false);
			if (normal) {
				room->b[row] += ask_of_normal(island, pair, contact, point, &room->rows[row]);
			}
		}
		island->n_rows += abut_lcp_contact_rows(contact);
	}
	if (island->jointed) {
		abut_bounded_add(island);
	}
	abut_lcp_island_matrix(island, room->A);
	if (island->jointed) {
		complete(island);
	}
}

static bool solve(AbutLcpIsland *island, AbutStepInfo *info)
{
	static const AbutBoxedMethod methods[] = {[ABUT_LCP_SOLVER_DANTZIG] = ABUT_BOXED_DANTZIG,
	                                          [ABUT_LCP_SOLVER_LEMKE] = ABUT_BOXED_LEMKE,
	                                          [ABUT_LCP_SOLVER_PGS] = ABUT_BOXED_SWEEPS,
	                                          [ABUT_LCP_SOLVER_ONE_PASS] = ABUT_BOXED_ONE_PASS};
	const AbutLcpRoom *room = island->room;
	AbutBoxedReport report = {.pivots = 0};
	fill_problem(island);
	const AbutBoxedLcp problem = {island->n_rows,
	                              room->A,
	                              room->b,
	                              room->lo,
	                              room->hi,
	                              room->friction,
	                              island->model->options.warm_start ? room->guess : NULL,
	                              island->w->stop};
	const AbutBoxedMethod method = methods[island->model->options.lcp_solver];
	abut_boxed_lcp_solve(&problem, method, &island->room->boxed, &report);
	info->iterations = report.pivots;
	info->tries = report.passes;
	info->retried =
	    report.method != method || (report.status == ABUT_BOXED_FROZEN && method != ABUT_BOXED_ONE_PASS);
	info->residual = report.residual / abut_max(1.0, abut_boxed_lcp_scale(&problem));
	for (int i = 0; i < island->n_moving; i++) {
		abut_lcp_work(island->w)->bodies[island->moving[i]->body].frozen = report.status != ABUT_BOXED_SOLVED;
	}
	return report.status != ABUT_BOXED_FAILED;
}

/* Corrects the mean velocities of the step for the impulses of bouncing points, which act late. */
static void delay(const AbutLcpIsland *island)
{
	AbutLcpWork *lcp = abut_lcp_work(island->w);
	for (int i = 0; i < island->members->size.n_contacts; i++) {
		const AbutLcpContact *contact = &lcp->contacts[abut_island_candidate(island->w, island->members, i)];
		for (int k = 0; k < abut_lcp_contact_rows(contact); k++) {
			const AbutLcpRow *row = &island->room->rows[contact->first_row + k];
			const double share = contact->late[k / contact->rows_per_point];
			const double x = island->room->boxed.x[contact->first_row + k];
			for (int s = 0; share > 0.0 && s < 2; s++) {
				for (int c = 0; row->body[s] >= 0 && c < 6; c++) {
					const int body = island->moving[row->body[s]]->body;
					lcp->bodies[body].mean[c] -= share * x * row->W[6 * s + c];
				}
			}
		}
	}
}

static bool is_dense(const AbutModel *model)
{
	(void)model;
	return true;
}

static const AbutPointRule rule = {.margin = margin,
                                   .always_axes = always_axes,
                                   .is_dense = is_dense,
                                   .solve = solve,
                                   .boxed = true,
                                   .velocities = abut_lcp_push,
                                   .delay = delay,
                                   .remember = abut_lcp_remember,
                                   .joint_rows = abut_bounded_most};

AbutStatus abut_lcp_work_create(const AbutModel *model, int n_threads, void **out)
{
	return abut_manifold_work_create(model, &rule, n_threads, out);
}

bool abut_lcp_explain(const AbutModel *model, const AbutStepInfo *info, char *text, size_t size)
{
	(void)model;
	return abut_manifold_explain("pivots", ABUT_BOXED_NEARLY, info, text, size);
}

/* Compares the dense Jacobian of the contact problem, with which tests check the elimination, with central differences
 * of `evaluate`, over real scenes at random interior points. Also tests its regularisation. */
#include "dynamics/body/balance.h"
#include "dynamics/body/body.h"
#include "dynamics/contact_scenes.h"
#include "dynamics/island/island.h"

enum { POINTS = 20 };

/* Two central differences, with steps h and h / 2, are extrapolated. The error of a column is (h / l)^4 for functions
 * that change over a length l, plus 1e-16 |f| / h of rounding. The shortest l is that of the contact frame: |n| times
 * the sine of the angle between n and the reference direction, rarely below 1e-3. */
static const double h = 1e-5;

/* Relative to a column's largest entry. By the estimate above, either kind of error is 1e-8 (|f| reaches 100, columns
 * are 0.1 to 100). A factor of a hundred allows for the rare point with a shorter raw normal. */
static const double tolerance = 1e-6;

static void evaluate_at(AbutIsland *w, int column, double change, double *out)
{
	AbutIterate *it = &w->iterate;
	double *value = column < w->ncp.n_y ? &it->y[column] : &it->z[column - w->ncp.n_y];
	const double kept = *value;
	*value = kept + change;
	w->ncp.ops->evaluate(w->ncp.problem, it->y, it->z, out, out + w->ncp.n_y);
	*value = kept;
}

static void difference(AbutIsland *w, int column, double *work, double *out)
{
	const int n = w->ncp.n_y + w->ncp.n_z;
	static const double steps[4] = {1.0, -1.0, 0.5, -0.5};
	for (int i = 0; i < 4; i++) {
		evaluate_at(w, column, steps[i] * h, &work[i * n]);
	}
	for (int i = 0; i < n; i++) {
		const double coarse = (work[i] - work[n + i]) / (2.0 * h),
		             fine = (work[2 * n + i] - work[3 * n + i]) / h;
		out[i] = fine + (fine - coarse) / 3.0;
	}
}

/* Returns what an entry of [y; z] or [r; H] is, for messages. */
static const char *entry_name(const AbutIsland *w, int entry)
{
	static const char *const parts[] = {"body",  "p",        "alpha",        "eps",   "psi",
	                                    "gamma", "friction", "lambda_alpha", "lambda"};
	if (entry < 6 * w->problem.n_moving) {
		return parts[0];
	}
	const bool dual = entry >= w->ncp.n_y;
	const int place = dual ? entry - w->ncp.n_y : entry;
	for (int i = 0; i < w->problem.n_contacts; i++) {
		const AbutContactWork *c = &w->problem.contacts[i];
		const int own = place - (dual ? c->at.z : c->at.y);
		if (own < 0 || own >= (dual ? c->pair->n_z : c->pair->n_y)) {
			continue;
		}
		if (dual) {
			return parts[own == 0 ? 5 : own < c->at.alpha_z ? 6 : own == c->at.alpha_z ? 7 : 8];
		}
		return parts[own < 3 ? 1 : own == 3 ? 2 : own < c->at.psi_y ? 3 : 4];
	}
	return "?";
}

static void sample_point(ContactFixture *fixture, AbutRng *rng)
{
	AbutIsland *w = fixture->island;
	sample_interior(w->ncp.cones, w->ncp.n_cones, rng, w->iterate.z);
	sample_interior(w->ncp.cones, w->ncp.n_cones, rng, w->iterate.s);
	sample_unknowns(fixture, rng);
}

static void check_point(const ContactScene *scene, ContactFixture *fixture, int seed, int point)
{
	AbutIsland *w = fixture->island;
	AbutIterate *it = &w->iterate;
	const int n = w->ncp.n_y + w->ncp.n_z;
	double *J = calloc((size_t)n * (size_t)(n + 6), sizeof *J);
	double *work = J + (size_t)n * (size_t)n, *fd = work + 4 * n;
	w->ncp.ops->evaluate(w->ncp.problem, it->y, it->z, it->r, it->H);
	w->ncp.ops->jacobian(w->ncp.problem, 0.0, J);
	for (int column = 0; column < n; column++) {
		double largest = 1e-3; /* columns with the smallest entries, dt of a velocity, are about 0.01 */
		difference(w, column, work, fd);
		for (int i = 0; i < n; i++) {
			largest = fmax(largest, fabs(fd[i]));
		}
		for (int i = 0; i < n; i++) {
			const double value = J[i + column * n];
			cr_assert_leq(fabs(value - fd[i]), tolerance * largest,
			              "%s, seed %d, point %d: %s row %d by %s %d is %.10g, differences give %.10g",
			              scene->name, seed, point, i < w->ncp.n_y ? "r" : "H", i, entry_name(w, column),
			              column, value, fd[i]);
		}
	}
	free(J);
}

Test(jacobian, equals_differences_of_evaluate)
{
	for (int scene = 0; scene < CONTACT_SCENES; scene++) {
		for (int seed = 0; seed < 3; seed++) {
			ContactFixture fixture;
			AbutRng rng = {(uint64_t)(100 * scene + seed)};
			contact_fixture_make(&contact_scenes[scene], (uint64_t)seed, &fixture);
			for (int point = 0; point < POINTS; point++) {
				sample_point(&fixture, &rng);
				check_point(&contact_scenes[scene], &fixture, seed, point);
			}
			contact_fixture_destroy(&fixture);
		}
	}
}

/* Includes the offsets that recovery from overlap sets, and a contact weight and impulse scale other than 1. */
Test(jacobian, holds_during_recovery)
{
	for (int scene = 0; scene < CONTACT_SCENES; scene++) {
		ContactFixture fixture;
		AbutRng rng = {(uint64_t)scene};
		contact_fixture_make(&contact_scenes[scene], 7, &fixture);
		for (int i = 0; i < fixture.island->problem.n_contacts; i++) {
			AbutContactWork *contact = &fixture.island->problem.contacts[i];
			contact->overlap.kept = 0.2;
			contact->scale.weight_contact = 1.0;
			contact->scale.impulse = 2.5;
			contact->side[1].shift = -0.1;
			contact->side[1].offset[1] = 0.3;
		}
		sample_point(&fixture, &rng);
		check_point(&contact_scenes[scene], &fixture, 7, 0);
		contact_fixture_destroy(&fixture);
	}
}

/* Includes a turn whose half is close to 0.7, the largest of a step, where the integrator's square root is most curved.
 */
Test(jacobian, holds_for_fast_turns)
{
	for (int scene = 0; scene < CONTACT_SCENES; scene++) {
		ContactFixture fixture;
		AbutRng rng = {(uint64_t)scene};
		contact_fixture_make(&contact_scenes[scene], 3, &fixture);
		sample_point(&fixture, &rng);
		for (int i = 0; i < fixture.model->n_moving; i++) {
			double *w = &fixture.island->iterate.y[6 * i + 3];
			sample_unit(3, &rng, w);
			for (int j = 0; j < 3; j++) {
				w[j] *= 2.0 * 0.8 / fixture.model->timestep;
			}
		}
		check_point(&contact_scenes[scene], &fixture, 3, 0);
		contact_fixture_destroy(&fixture);
	}
}

/* rho regularises (p, alpha, eps). It adds rho times the change of p relative to side 0's material, rho dalpha and rho
 * deps to their rows. The sign keeps the condensed 4 x 4 matrix M + rho I positive definite (docs/formulation.md 4):
 * with dlambda = c - K dH, each of these rows of r changes by +W'KW times its own unknown. Here, differences of the
 * point in side 0's frame give the relative change. Everything is linear in rho, so rho = 1 shows it up to rounding;
 * 1e-6 is the error of the differences. */
Test(jacobian, regularisation_acts_on_the_collision_unknowns)
{
	for (int scene = 0; scene < CONTACT_SCENES; scene++) {
		ContactFixture fixture;
		AbutRng rng = {(uint64_t)(50 + scene)};
		contact_fixture_make(&contact_scenes[scene], 1, &fixture);
		sample_point(&fixture, &rng);
		AbutIsland *w = fixture.island;
		AbutIterate *it = &w->iterate;
		const int n = w->ncp.n_y + w->ncp.n_z;
		double *J = calloc(2 * (size_t)n * (size_t)n + (size_t)n, sizeof *J);
		double *plain = J + (size_t)n * (size_t)n, *work = plain + (size_t)n * (size_t)n;
		w->ncp.ops->evaluate(w->ncp.problem, it->y, it->z, it->r, it->H);
		w->ncp.ops->jacobian(w->ncp.problem, 1.0, J);
		w->ncp.ops->jacobian(w->ncp.problem, 0.0, plain);
		for (int column = 0; column < n; column++) {
			double *expected = work;
			memset(expected, 0, (size_t)n * sizeof *expected);
			for (int c = 0; c < w->problem.n_contacts; c++) {
				const AbutContactWork *contact = &w->problem.contacts[c];
				const AbutContactSide *a = &contact->side[0];
				double point[2][3], R[9], moved[3], values[512];
				cr_assert_leq(n, 512);
				memcpy(R, a->body->R, sizeof R);
				for (int i = 0; i < 2; i++) {
					evaluate_at(w, column, i == 0 ? 1e-5 : -1e-5, values);
					abut_mat3_tvec(a->body->R, a->arm, point[i]);
				}
				for (int j = 0; j < 3; j++) {
					moved[j] = (point[0][j] - point[1][j]) / 2e-5;
				}
				abut_mat3_vec(R, moved, &expected[contact->at.y]);
				w->ncp.ops->evaluate(w->ncp.problem, it->y, it->z, it->r, it->H);
				const int own = column - contact->at.y;
				if (own >= 3 && own < contact->at.psi_y) {
					expected[column] = 1.0;
				}
			}
			for (int i = 0; i < n; i++) {
				cr_assert_float_eq(J[i + column * n] - plain[i + column * n], expected[i], 1e-6,
				                   "%s: row %d by %s %d", contact_scenes[scene].name, i,
				                   entry_name(w, column), column);
			}
		}
		free(J);
		contact_fixture_destroy(&fixture);
	}
}

/* Compares the 6 x 6 Jacobian of a body's momentum balance with differences of its residual, at turns up to the limit.
 */
Test(jacobian, of_a_body_alone)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		AbutBodyWork body = {.mass = sample_log_uniform(&rng, 0.01, 100.0)};
		const double dt = sample_log_uniform(&rng, 1e-3, 1.0);
		double J[36], y[6], R[9], q[4], r[4][6], RJ[9];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, R);
		for (int i = 0; i < 9; i++) {
			RJ[i] = R[i] * (1.0 + (double)(i % 3)); /* principal moments 1, 2, 3 */
		}
		abut_mat3_mul_transposed(RJ, R, body.inertia);
		abut_quat_to_mat3((const double[]){1.0, 0.0, 0.0, 0.0}, body.R0);
		sample_unit(3, &rng, y);
		sample_unit(3, &rng, &y[3]);
		const double half_turn = abut_rng_uniform(&rng, 0.0, 0.9);
		for (int i = 3; i < 6; i++) {
			y[i] *= 2.0 * half_turn / dt;
		}
		abut_body_move(&body, dt, y);
		abut_body_jacobian(&body, dt, J);
		/* w changes on the scale 2 / dt; near the limit the square root changes on 1 - 0.9 of that */
		const double step = 1e-3 / dt;
		for (int column = 0; column < 6; column++) {
			static const double steps[4] = {1.0, -1.0, 0.5, -0.5};
			double largest = 0.0, fd[6];
			for (int i = 0; i < 4; i++) {
				double moved[6];
				memcpy(moved, y, sizeof moved);
				moved[column] += steps[i] * step;
				abut_body_move(&body, dt, moved);
				abut_body_residual(&body, dt, r[i]);
			}
			for (int i = 0; i < 6; i++) {
				const double coarse = (r[0][i] - r[1][i]) / (2.0 * step);
				const double fine = (r[2][i] - r[3][i]) / step;
				fd[i] = fine + (fine - coarse) / 3.0;
				largest = fmax(largest, fabs(fd[i]));
			}
			for (int i = 0; i < 6; i++) {
				cr_assert_float_eq(J[6 * i + column], fd[i], 1e-8 * largest,
				                   "seed %u, half turn %g: entry %d, %d", seed, half_turn, i, column);
			}
		}
	}
}

/* Compares G of a body with the small rotation of the next pose per change of the angular velocity. */
Test(jacobian, of_the_turn)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		AbutRng rng = {seed};
		AbutBodyWork body = {.mass = 1.0};
		const double dt = sample_log_uniform(&rng, 1e-3, 1.0), step = 1e-4 / dt;
		double y[6] = {0.0}, q[4], G[9], R[3][9];
		abut_rng_rotation(&rng, q);
		abut_quat_to_mat3(q, body.R0);
		sample_unit(3, &rng, &y[3]);
		const double half_turn = abut_rng_uniform(&rng, 0.0, 0.9);
		for (int i = 3; i < 6; i++) {
			y[i] *= 2.0 * half_turn / dt;
		}
		abut_body_move(&body, dt, y);
		memcpy(G, body.G, sizeof G);
		memcpy(R[2], body.R, sizeof R[2]);
		for (int column = 0; column < 3; column++) {
			for (int i = 0; i < 2; i++) {
				double moved[6];
				memcpy(moved, y, sizeof moved);
				moved[3 + column] += i == 0 ? step : -step;
				abut_body_move(&body, dt, moved);
				memcpy(R[i], body.R, sizeof R[i]);
			}
			double dR[9], skew[9];
			for (int i = 0; i < 9; i++) {
				dR[i] = (R[0][i] - R[1][i]) / (2.0 * step);
			}
			abut_mat3_mul_transposed(dR, R[2], skew); /* [turn]x = dR R' */
			const double turn[3] = {skew[7], skew[2], skew[3]};
			/* error of central differences: 1e-8 times the third derivative, which grows by (1 - 0.81)^-2.5
			 * near the limit */
			for (int i = 0; i < 3; i++) {
				cr_assert_float_eq(G[3 * i + column], turn[i], 2e-6 * dt, "seed %u, half turn %g", seed,
				                   half_turn);
			}
		}
	}
}

/* Returns the largest half turn of all bodies at y + step dy. */
static double half_turn_at(const ContactFixture *fixture, const double *y, const double *dy, double step)
{
	double worst = 0.0;
	for (int i = 0; i < fixture->model->n_moving; i++) {
		double w[3];
		for (int j = 0; j < 3; j++) {
			w[j] = y[6 * i + 3 + j] + step * dy[6 * i + 3 + j];
		}
		worst = fmax(worst, 0.5 * fixture->model->timestep * abut_norm3(w));
	}
	return worst;
}

/* The documented limit is a half turn of 0.7. step_limit returns the largest step within it, which the test finds by
 * bisection: the legal steps form an interval, since the norm is convex. 1e-12 is the rounding of the bisection and the
 * square root. */
Test(jacobian, step_limit_keeps_the_turn_legal)
{
	ContactFixture fixture;
	contact_fixture_make(&contact_scenes[CONTACT_SCENES - 6], 0, &fixture); /* four moving bodies */
	for (unsigned seed = 0; seed < 500; seed++) {
		AbutRng rng = {seed};
		AbutIsland *w = fixture.island;
		double *y = w->iterate.y, *dy = w->iterate.dy;
		const double fastest = 2.0 * 0.7 / fixture.model->timestep;
		for (int i = 0; i < 6 * fixture.model->n_moving; i++) {
			y[i] = 0.5 * fastest * abut_rng_uniform(&rng, -1.0, 1.0);
			dy[i] = sample_log_uniform(&rng, 1e-3, 10.0) * fastest * abut_rng_normal(&rng);
			if (seed % 7 == 0) {
				dy[i] = seed % 14 == 0 ? 0.0 : 1e-6 * dy[i];
			}
		}
		const double limit = seed % 3 == 0 ? 0.3 : 1.0;
		const double step = w->ncp.ops->step_limit(w->ncp.problem, y, dy, limit);
		double low = 0.0, high = limit;
		if (half_turn_at(&fixture, y, dy, limit) <= 0.7) {
			low = limit;
		}
		for (int i = 0; i < 200 && low < high; i++) {
			const double middle = 0.5 * (low + high);
			*(half_turn_at(&fixture, y, dy, middle) <= 0.7 ? &low : &high) = middle;
		}
		cr_assert_float_eq(step, low, 1e-12 * (1.0 + low), "seed %u: %.17g, bisection %.17g", seed, step, low);
		cr_assert_leq(half_turn_at(&fixture, y, dy, step), 0.7 + 1e-12, "seed %u", seed);
	}
	contact_fixture_destroy(&fixture);
}

/* Solves conic programs by a primal-dual interior point method. Let W be the scaling of Nesterov and Todd, W z = W^-1 s
 * = l. A step solves
 *
 *      G' dz = -rx,     G dx + ds = -rz,     W dz + W^-1 ds = q
 *
 * with the residuals rx = c + G'z and rz = G x + s - h. Here o is the product of the cones' Jordan algebra, \\ its
 * inverse and e its identity. Mehrotra's predictor has q = -l, the corrector q = l \\ (sigma mu e - l o l - (W^-1 ds) o
 * (W dz)). Eliminating dz and ds gives, with H = W^-1 G,
 *
 *      H'H dx = -rx - H'(W^-1 rz + q).
 *
 * This is solved by Householder's QR of H. So the error depends on the condition of H, which grows as 1 / mu, and not
 * on its square. Rows of `trace` times the identity below H keep unknowns in place that no other row determines. Tested
 * in tests/shapes/reach.c and by conic_data/no_point_where_the_program_does_not_end. */
#include "shapes/query/conic_program.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

/* Limits on all steps, and on consecutive steps that do not halve the gap. Once the gap is small enough, such a step
 * counts as `small_counts` steps. */
enum { most_iterations = 100, most_idle = 10, small_counts = 5 };

static const double trace = 1e-9, boundary = 0.99;

/* Data of the iteration. A second-order cone has W = eta [w0, w1'; w1, I + w1 w1' / (1 + w0)] with w0^2 - |w1|^2 = 1.
 */
typedef struct Work {
	AbutConicProgram *p;
	double *w, *l, *q, *rz, *ds, *dz, *t, *u, *rest; /* (m) each */
	double rx[ABUT_PROGRAM_COLUMNS], dx[ABUT_PROGRAM_COLUMNS];
	double etas[ABUT_PROGRAM_ROWS / 2], heads[ABUT_PROGRAM_COLUMNS];
} Work;

static double dot(int n, const double *a, const double *b)
{
	double sum = 0.0;
	for (int i = 0; i < n; i++) {
		sum += a[i] * b[i];
	}
	return sum;
}

static double largest(int n, const double *a)
{
	double most = 0.0;
	for (int i = 0; i < n; i++) {
		most = abut_max(most, fabs(a[i]));
	}
	return most;
}

/* --- second-order cones --- */

static double tail_norm(int dim, const double *a)
{
	return sqrt(dot(dim - 1, &a[1], &a[1]));
}

static double determinant(int dim, const double *a)
{
	const double tail = tail_norm(dim, a);
	return (a[0] - tail) * (a[0] + tail);
}

/* Returns the largest step along d, at most `most`, for which a stays in the cone: neither its determinant nor its head
 * may reach zero on the way. */
static double cone_step(int dim, const double *a, const double *d, double most)
{
	const double aa = determinant(dim, a), ad = a[0] * d[0] - dot(dim - 1, &a[1], &d[1]), dd = determinant(dim, d);
	const double root = ad * ad - aa * dd;
	if (d[0] < 0.0) {
		most = abut_min(most, -a[0] / d[0]);
	}
	if (root >= 0.0 && (dd < 0.0 || ad < 0.0)) {
		/* The smaller positive root of aa + 2 t ad + t^2 dd = 0, without cancellation. */
		const double t = ad <= 0.0 ? aa / (-ad + sqrt(root)) : (ad + sqrt(root)) / -dd;
		most = t > 0.0 ? abut_min(most, t) : most;
	}
	return most;
}

/* Computes w of the scaling from z and s. Returns eta. */
static double scale_cone(int dim, const double *s, const double *z, double *w)
{
	const double size_s = sqrt(determinant(dim, s)), size_z = sqrt(determinant(dim, z));
	const double gamma = sqrt(0.5 * (1.0 + dot(dim, s, z) / (size_s * size_z)));
	double square = 0.0;
	for (int i = 1; i < dim; i++) {
		w[i] = (s[i] / size_s - z[i] / size_z) / (2.0 * gamma);
		square += w[i] * w[i];
	}
	w[0] = sqrt(1.0 + square);
	return sqrt(size_s / size_z);
}

/* Computes out = W a, or W^-1 a if `inverse`; the entries of both vectors are `stride` apart. */
static void apply_cone(int dim, const double *w, double eta, bool inverse, const double *a, double *out, int stride)
{
	const double sign = inverse ? -1.0 : 1.0, scale = inverse ? 1.0 / eta : eta, head = a[0];
	double along = 0.0;
	for (int i = 1; i < dim; i++) {
		along += w[i] * a[i * stride];
	}
	out[0] = scale * (w[0] * head + sign * along);
	const double share = sign * head + along / (1.0 + w[0]);
	for (int i = 1; i < dim; i++) {
		out[i * stride] = scale * (a[i * stride] + share * w[i]);
	}
}

/* --- all cones --- */

double abut_cones_reach(int n_orthant, int n_soc, const int *soc_dim, const double *a, const double *d)
{
	double most = ABUT_CONES_REACH_MAX;
	for (int i = 0; i < n_orthant; i++) {
		most = d[i] < 0.0 ? abut_min(most, -a[i] / d[i]) : most;
	}
	for (int k = 0, row = n_orthant; k < n_soc; row += soc_dim[k++]) {
		most = cone_step(soc_dim[k], &a[row], &d[row], most);
	}
	return most;
}

static double step_limit(const AbutConicProgram *p, const double *a, const double *d)
{
	return abut_cones_reach(p->n_orthant, p->n_soc, p->soc_dim, a, d);
}

static void scale_all(Work *work)
{
	const AbutConicProgram *p = work->p;
	for (int i = 0; i < p->n_orthant; i++) {
		work->w[i] = sqrt(p->s[i] / p->z[i]);
	}
	for (int k = 0, row = p->n_orthant; k < p->n_soc; row += p->soc_dim[k++]) {
		work->etas[k] = scale_cone(p->soc_dim[k], &p->s[row], &p->z[row], &work->w[row]);
	}
}

/* Applies W, or W^-1 if `inverse`, to a matrix with m rows and `columns` columns; may be in place. */
static void apply(const Work *work, bool inverse, int columns, const double *a, double *out)
{
	const AbutConicProgram *p = work->p;
	for (int i = 0; i < p->n_orthant; i++) {
		const double factor = inverse ? 1.0 / work->w[i] : work->w[i];
		for (int j = 0; j < columns; j++) {
			out[i * columns + j] = factor * a[i * columns + j];
		}
	}
	for (int k = 0, row = p->n_orthant; k < p->n_soc; row += p->soc_dim[k++]) {
		for (int j = 0; j < columns; j++) {
			apply_cone(p->soc_dim[k], &work->w[row], work->etas[k], inverse, &a[row * columns + j],
			           &out[row * columns + j], columns);
		}
	}
}

/* Computes q = l \\ (mu e - l o l - a o b); may overwrite a and b (m). */
static void corrector(Work *work, double mu, const double *a, const double *b)
{
	const AbutConicProgram *p = work->p;
	const double *l = work->l;
	double *q = work->q;
	for (int i = 0; i < p->n_orthant; i++) {
		q[i] = (mu - a[i] * b[i]) / l[i] - l[i];
	}
	for (int k = 0, row = p->n_orthant; k < p->n_soc; row += p->soc_dim[k++]) {
		const int dim = p->soc_dim[k];
		const double *lk = &l[row], *ak = &a[row], *bk = &b[row];
		double *r = &q[row];
		r[0] = mu - dot(dim, ak, bk);
		for (int i = 1; i < dim; i++) {
			r[i] = -ak[0] * bk[i] - bk[0] * ak[i];
		}
		/* Multiply by the inverse of the arrow matrix of l. */
		const double along = dot(dim - 1, &lk[1], &r[1]), det = determinant(dim, lk);
		const double head = (lk[0] * r[0] - along) / det;
		for (int i = 1; i < dim; i++) {
			r[i] = (r[i] - head * lk[i]) / lk[0] - lk[i];
		}
		r[0] = head - lk[0];
	}
}

/* --- the linear system --- */

/* Computes Householder's QR of H with the rows of `trace` below it, (m + n) x n. The vectors stay below the diagonal;
 * their heads are stored separately. */
static void factorise(Work *work)
{
	AbutConicProgram *p = work->p;
	const int n = p->n, rows = p->m + n;
	double *F = p->factor;
	apply(work, true, n, p->G, F);
	memset(&F[p->m * n], 0, (size_t)n * (size_t)n * sizeof *F);
	for (int j = 0; j < n; j++) {
		F[(p->m + j) * n + j] = trace;
	}
	for (int j = 0; j < n; j++) {
		double square = 0.0;
		for (int i = j; i < rows; i++) {
			square += F[i * n + j] * F[i * n + j];
		}
		const double norm = copysign(sqrt(square), F[j * n + j]), head = F[j * n + j] + norm;
		work->heads[j] = head;
		for (int k = j + 1; k < n; k++) {
			double sum = head * F[j * n + k];
			for (int i = j + 1; i < rows; i++) {
				sum += F[i * n + j] * F[i * n + k];
			}
			sum /= norm * head;
			F[j * n + k] -= sum * head;
			for (int i = j + 1; i < rows; i++) {
				F[i * n + k] -= sum * F[i * n + j];
			}
		}
		F[j * n + j] = -norm;
	}
}

/* Solves R x = -R^-T r - y. */
static void solve(const Work *work, const double *r, const double *y, double *x)
{
	const int n = work->p->n;
	const double *F = work->p->factor;
	for (int j = 0; j < n; j++) {
		double sum = r[j];
		for (int i = 0; i < j; i++) {
			sum -= F[i * n + j] * x[i];
		}
		x[j] = sum / F[j * n + j];
	}
	for (int j = n - 1; j >= 0; j--) {
		double sum = -x[j] - y[j];
		for (int i = j + 1; i < n; i++) {
			sum -= F[j * n + i] * x[i];
		}
		x[j] = sum / F[j * n + j];
	}
}

/* Refines the solution once for the residual G' dz + rx, which no later step corrects. Computes a change of dx with the
 * same factors, then the changes of ds and dz. */
static void refine(Work *work)
{
	static const double none[ABUT_PROGRAM_COLUMNS] = {0.0};
	AbutConicProgram *p = work->p;
	double rest[ABUT_PROGRAM_COLUMNS], more[ABUT_PROGRAM_COLUMNS];
	double *change = work->rest;
	memcpy(rest, work->rx, (size_t)p->n * sizeof *rest);
	for (int i = 0; i < p->m; i++) {
		for (int j = 0; j < p->n; j++) {
			rest[j] += p->G[i * p->n + j] * work->dz[i];
		}
	}
	solve(work, rest, none, more);
	for (int j = 0; j < p->n; j++) {
		work->dx[j] += more[j];
	}
	for (int i = 0; i < p->m; i++) {
		change[i] = -dot(p->n, &p->G[i * p->n], more);
		work->ds[i] += change[i];
	}
	apply(work, true, 1, change, change);
	for (int i = 0; i < p->m; i++) {
		work->u[i] += change[i];
		work->t[i] -= change[i];
		change[i] = -change[i];
	}
	apply(work, true, 1, change, change);
	for (int i = 0; i < p->m; i++) {
		work->dz[i] += change[i];
	}
}

/* Computes dx, ds and dz for the right-hand side q. dx solves R dx = -R^-T rx - Q'(W^-1 rz + q). */
static void direction(Work *work)
{
	AbutConicProgram *p = work->p;
	const int m = p->m, n = p->n;
	const double *F = p->factor;
	double *y = work->t, foot[ABUT_PROGRAM_COLUMNS] = {0.0};
	apply(work, true, 1, work->rz, y);
	for (int i = 0; i < m; i++) {
		y[i] += work->q[i];
	}
	for (int j = 0; j < n; j++) { /* Compute Q' y; `foot` holds the rows of the trace. */
		double sum = work->heads[j] * y[j];
		for (int i = j + 1; i < m + n; i++) {
			sum += F[i * n + j] * (i < m ? y[i] : foot[i - m]);
		}
		sum /= -F[j * n + j] * work->heads[j];
		y[j] -= sum * work->heads[j];
		for (int i = j + 1; i < m + n; i++) {
			*(i < m ? &y[i] : &foot[i - m]) -= sum * F[i * n + j];
		}
	}
	solve(work, work->rx, y, work->dx);
	/* Compute ds from its own equation, and W dz = q - W^-1 ds. */
	for (int i = 0; i < m; i++) {
		work->ds[i] = -work->rz[i] - dot(n, &p->G[i * n], work->dx);
	}
	apply(work, true, 1, work->ds, work->u);
	for (int i = 0; i < m; i++) {
		work->t[i] = work->q[i] - work->u[i];
	}
	apply(work, true, 1, work->t, work->dz);
	refine(work);
}

/* --- the iteration --- */

static void residuals(Work *work)
{
	AbutConicProgram *p = work->p;
	memcpy(work->rx, p->c, (size_t)p->n * sizeof *work->rx);
	for (int i = 0; i < p->m; i++) {
		const double *row = &p->G[i * p->n];
		work->rz[i] = dot(p->n, row, p->x) + p->s[i] - p->h[i];
		for (int j = 0; j < p->n; j++) {
			work->rx[j] += row[j] * p->z[i];
		}
	}
	p->value = dot(p->n, p->c, p->x);
	p->gap = dot(p->m, p->s, p->z) + largest(p->n, work->rx) + largest(p->m, work->rz);
}

/* Starts with s = h - G x, moved inside the cones if necessary, and z = e. */
static void begin(Work *work)
{
	AbutConicProgram *p = work->p;
	double depth = HUGE_VAL, size = 0.0;
	for (int i = 0; i < p->m; i++) {
		p->s[i] = p->h[i] - dot(p->n, &p->G[i * p->n], p->x);
		p->z[i] = i < p->n_orthant ? 1.0 : 0.0;
		depth = i < p->n_orthant ? abut_min(depth, p->s[i]) : depth;
		size = abut_max(size, fabs(p->s[i]));
	}
	for (int k = 0, row = p->n_orthant; k < p->n_soc; row += p->soc_dim[k++]) {
		p->z[row] = 1.0;
		depth = abut_min(depth, p->s[row] - tail_norm(p->soc_dim[k], &p->s[row]));
	}
	const double least = 0.1 * abut_max(size, 0.1), lift = depth < least ? least - depth : 0.0;
	for (int i = 0; i < p->m; i++) {
		p->s[i] += lift * p->z[i];
	}
}

static int degree(const AbutConicProgram *p)
{
	return p->n_orthant + p->n_soc;
}

static void advance(Work *work)
{
	AbutConicProgram *p = work->p;
	const double mu = dot(p->m, p->s, p->z) / degree(p);
	scale_all(work);
	apply(work, false, 1, p->z, work->l);
	factorise(work);
	for (int i = 0; i < p->m; i++) {
		work->q[i] = -work->l[i];
	}
	direction(work);
	const double reach = abut_min(step_limit(p, p->s, work->ds), step_limit(p, p->z, work->dz));
	const double affine = abut_min(1.0, reach), left = 1.0 - affine;
	/* here u is W^-1 ds and t is W dz */
	corrector(work, left * left * left * mu, work->u, work->t);
	direction(work);
	const double far = abut_min(step_limit(p, p->s, work->ds), step_limit(p, p->z, work->dz));
	const double step = abut_min(1.0, boundary * far);
	for (int j = 0; j < p->n; j++) {
		p->x[j] += step * work->dx[j];
	}
	for (int i = 0; i < p->m; i++) {
		p->s[i] += step * work->ds[i];
		p->z[i] += step * work->dz[i];
	}
}

static bool is_inside(const AbutConicProgram *p, const double *a)
{
	bool inside = true;
	for (int i = 0; i < p->n_orthant; i++) {
		inside = inside && a[i] > 0.0;
	}
	for (int k = 0, row = p->n_orthant; k < p->n_soc; row += p->soc_dim[k++]) {
		inside = inside && a[row] > 0.0 && determinant(p->soc_dim[k], &a[row]) > 0.0;
	}
	return inside;
}

bool abut_conic_program_solve(AbutConicProgram *p, double tolerance)
{
	static const double goal = 1e-14;
	Work work = {.p = p};
	double best_x[ABUT_PROGRAM_COLUMNS], best_z[ABUT_PROGRAM_ROWS], best = HUGE_VAL;
	double **const vectors[] = {&work.w,  &work.l, &work.q, &work.rz,  &work.ds,
	                            &work.dz, &work.t, &work.u, &work.rest};
	for (int i = 0; i < 9; i++) {
		*vectors[i] = &p->inside[i * ABUT_PROGRAM_ROWS];
	}
	begin(&work);
	residuals(&work);
	int idle = 0;
	for (p->iterations = 0; p->iterations < most_iterations && idle < most_idle; p->iterations++) {
		advance(&work);
		if (!is_inside(p, p->s) || !is_inside(p, p->z)) {
			break;
		}
		residuals(&work);
		idle = p->gap < 0.5 * best ? 0 : idle + (best < tolerance ? small_counts : 1);
		if (p->gap < best) {
			best = p->gap;
			memcpy(best_x, p->x, (size_t)p->n * sizeof *best_x);
			memcpy(best_z, p->z, (size_t)p->m * sizeof *best_z);
		}
		if (!(best > goal)) {
			break;
		}
	}
	if (best < HUGE_VAL) {
		memcpy(p->x, best_x, (size_t)p->n * sizeof *best_x);
		memcpy(p->z, best_z, (size_t)p->m * sizeof *best_z);
		p->value = dot(p->n, p->c, p->x);
		p->gap = best;
	}
	return best <= tolerance;
}

/* A shape as the solver's kernels read it: the conic inequality of abut/shape.h as one matrix,
 *
 *     H = h + W u,    u = (p, alpha, eps),    W = [ -A  d  -B ]      (n_rows x width, row-major, width = 4 + n_eps)
 *
 * in the body's frame, about its centre of mass, in the model's unit of length; the rows of a bounded shape are divided
 * by its outer radius, or by that of the shape that it was before a change. */
#ifndef COLLISION_ROWS_CONIC_ROWS_H
#define COLLISION_ROWS_CONIC_ROWS_H

#include "abut/shape.h"
#include "solver/cones/cones.h"

/* C of the exact law for the duals of the collision problem (docs/formulation.md 4). */
#define ABUT_EXACT_WEIGHT_COLLISION 0.1

/* The rows of a smooth shape, whose H and W are those of functions at a point (collision/rows/smooth_rows.h). */
typedef struct AbutSmoothRows AbutSmoothRows;

typedef struct AbutConicRows {
	int n_rows, n_eps, n_orthant, n_soc, width;
	const int *soc_dim;    /* (n_soc) */
	const double *W, *h;   /* (n_rows x width), (n_rows); of a smooth shape W at the last evaluation, no h */
	double centre[3];      /* scaling centre */
	double outer_radius;   /* about the centre; 0 for a halfspace */
	double divisor;        /* m, that the rows are divided by */
	double inner_radius;   /* of a sphere about the centre inside the shape; 0 for a halfspace */
	bool bounded;          /* false for a halfspace */
	bool box;              /* six orthant rows, i and i + 3 of p_i and alpha alone: most scenes are made of these */
	const double *columns; /* of a polytope of many faces, W by columns (collision/rows/many_faces.h); else NULL */
	AbutSmoothRows *smooth; /* NULL for constant matrices */
	/* What the rows are of: a point p of the shape is (p - origin) / unit here. The shape outlives its rows. */
	const AbutShape *shape;
	double origin[3], unit;
	void *memory;
} AbutConicRows;

/* Halfspaces alone, without auxiliary variables: every positive dual is that of a face. */
static inline bool abut_conic_rows_flat(const AbutConicRows *rows)
{
	return rows->n_soc == 0 && rows->n_eps == 0 && !rows->smooth;
}

static inline int abut_conic_rows_cone_count(const AbutConicRows *rows)
{
	return (rows->n_orthant > 0 ? 1 : 0) + rows->n_soc;
}

/* Takes the matrices of `shape`, which must outlive them, with points moved by -origin (3) and lengths divided by
 * `unit`. */
AbutStatus abut_conic_rows_create(const AbutShape *shape, const double origin[3], double unit, AbutConicRows *out);
/* The same with rows divided by `divisor` (m) in the place of the outer radius; of a halfspace by nothing (0). */
AbutStatus abut_conic_rows_create_divided(const AbutShape *shape, const double origin[3], double unit, double divisor,
                                          AbutConicRows *out);
/* The rows of a bounded shape given by planes alone, A p <= b, in a unit of 1, as the single-level paper has them, but
 * for their length, which is 1: not divided by the shape's size, and alpha b in the place of alpha d + h, so that the
 * shape is scaled about the origin of its frame, which must lie in it. Others stay as they are. */
void abut_conic_rows_as_given(const AbutShape *shape, const double origin[3], AbutConicRows *rows);
void abut_conic_rows_destroy(AbutConicRows *rows);

/* Rows for one contact: those of a smooth shape are evaluated at a point, and each contact has its own. Returns `rows`
 * itself for constant matrices, otherwise a copy in `memory` (doubles, of the size that the other function tells). */
int abut_conic_rows_place_size(const AbutConicRows *rows);
const AbutConicRows *abut_conic_rows_place(const AbutConicRows *rows, double *memory);

/* AbutNcp.caution of a problem with such rows: a smooth shape may be curved nowhere along its face, and inside it. */
static inline double abut_conic_rows_caution(const AbutConicRows *a, const AbutConicRows *b)
{
	return a->smooth || b->smooth ? 0.1 : 0.0;
}

/* Whether a function of a smooth shape has given a value that is not finite since its rows were placed. */
bool abut_conic_rows_broken(const AbutConicRows *rows);

/* Appends the cones of the rows (weight C of the exact law), with z entries from `offset` and law coefficients from
 * *law on; returns the number of cones. `cones` may be NULL to count. */
int abut_conic_rows_cones(const AbutConicRows *rows, int offset, double weight, int *law, AbutCone *cones);

/* H (n_rows) at point p (own frame), alpha, eps; and g = A' lambda (3), d' lambda, B' lambda (n_eps). */
void abut_conic_rows_evaluate(const AbutConicRows *rows, const double p[3], double alpha, const double *eps,
                              const double *lambda, double shift, double *H, double g[3], double *d_lambda,
                              double *B_lambda);

/* Changes the duals of a polytope that are positive as little as possible so that A' lambda becomes g, as far as their
 * faces allow, and none becomes negative; duals of other shapes stay. */
void abut_conic_rows_turn(const AbutConicRows *rows, const double g[3], double *lambda);

/* The condensed shape (C of a smooth one: collision/rows/smooth_rows.h): what is left of its rows and its eps under a
 * law, as a stiffness on (p, alpha),
 *
 *     d(W4' lambda) = k[0] + w k[1] - Q d(p, alpha),        W4' lambda = (-A' lambda, d' lambda)
 *     d eps = map (4 columns) d(p, alpha) + map column 4 + w map column 5
 *
 * Nothing outside this file and its users knows what a shape is made of. */
typedef struct AbutShapeStiffness {
	double Q[16]; /* row-major */
	double k[2][4];
} AbutShapeStiffness;

/* `cones` are those of abut_conic_rows_cones; `B_lambda` (n_eps) from the evaluation; `eps_map` (n_eps x 6) is written;
 * scratch of abut_conic_rows_scratch doubles. False when the eps block is singular. */
bool abut_conic_rows_condense(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law,
                              const double *B_lambda, double *scratch, AbutShapeStiffness *out, double *eps_map);
int abut_conic_rows_scratch(const AbutConicRows *rows);

/* d eps from d(p, alpha), then dH and d lambda of all rows. */
void abut_conic_rows_recover(const AbutConicRows *rows, const AbutCone *cones, const AbutConeLaw *law, double weight,
                             const double *eps_map, const double d_point[4], double *d_eps, double *d_lambda,
                             double *dH);

#endif

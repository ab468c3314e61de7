/* Defines the data of a derivative of method lcp, shared by the files that compute it
 * (dynamics/methods/lcp/gradient_step.c). */
#pragma once

#include "abut/lcp.h"
#include "base/vec3.h"
#include "dynamics/body/body.h"
#include "dynamics/body/tangent.h"
#include "dynamics/methods/manifold/island.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/step/workspace.h"

/* The derivative of one island during its computation. */
typedef struct AbutLcpDerivative {
	const AbutModel *model;
	const AbutWorkspace *w;
	const AbutIslandMembers *members;
	int n_bodies, n_columns, n_rows; /* of the island; n_rows: rows of its contact problem */
	AbutLcpRoom room;
	double *velocity; /* (6 n_bodies x n_columns) velocity change: first at fixed impulses, finally dv+ */
	double *turned;   /* (n_rows x n_columns) dJ v+ + dc, the rows' change at fixed velocities */
	double *late;     /* (6 n_bodies x n_columns) change of (v+ minus mean velocity) due to delayed impulses */
	double *when;     /* (n_rows x n_columns) change of `share`; normal rows only */
	double *share;    /* (n_rows) share of the step by which the impulse is delayed; 0: not delayed */
	double *right;    /* (n_clamped x n_columns) column-major right sides, then scratch of twice that size */
	const double *
	    loss; /* the sets follow this loss (dynamics/methods/lcp/gradient_sets.c); NULL: they follow the solution */
	double *out;
	const AbutPair *refused; /* a pair whose points have no derivative; NULL: none */
	void *memory;
} AbutLcpDerivative;

static inline const AbutBodyWork *abut_derivative_body_of(const AbutLcpDerivative *g, int i)
{
	return g->w->partition.moving[g->members->first_body + i];
}

static inline const AbutLcpBody *abut_derivative_lcp_body_of(const AbutLcpDerivative *g, int i)
{
	return &abut_lcp_work(g->w)->bodies[abut_derivative_body_of(g, i)->body];
}

static inline double *abut_derivative_velocity_row(const AbutLcpDerivative *g, int body, int row)
{
	return &g->velocity[(size_t)(6 * body + row) * (size_t)g->n_columns];
}

/* Returns whether the body can move along the world's axis. */
static inline bool abut_derivative_moves_along(const AbutBodyWork *body, int axis)
{
	return !body->planar || axis != 1;
}

static inline double *abut_derivative_late_row(const AbutLcpDerivative *g, int body, int row)
{
	return &g->late[(size_t)(6 * body + row) * (size_t)g->n_columns];
}

/* Adds a change of velocity, times `velocity`, to a column of the body's velocity and, times `late`, to its delayed
 * part. For a planar body only components in its plane are added. */
static inline void abut_derivative_add_shared(const AbutLcpDerivative *g, int body, int column, const double linear[3],
                                              const double angular[3], double velocity, double late)
{
	const bool planar = abut_derivative_body_of(g, body)->planar;
	for (int i = 0; i < 3; i++) {
		const double dv = planar && i == 1 ? 0.0 : linear[i], dw = planar && i != 1 ? 0.0 : angular[i];
		abut_derivative_velocity_row(g, body, i)[column] += velocity * dv;
		abut_derivative_velocity_row(g, body, 3 + i)[column] += velocity * dw;
		abut_derivative_late_row(g, body, i)[column] += late * dv;
		abut_derivative_late_row(g, body, 3 + i)[column] += late * dw;
	}
}

static inline void abut_derivative_add_velocity(const AbutLcpDerivative *g, int body, int column,
                                                const double linear[3], const double angular[3])
{
	abut_derivative_add_shared(g, body, column, linear, angular, 1.0, 0.0);
}

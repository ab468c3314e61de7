/* Defines the data of method lcp. It finds contact points at the start of the step, and solves one boxed linear
 * complementarity problem per island for the velocities at its end (docs/formulation.md 12):
 *
 *     v+ = v* + M^-1 J' x,    w = J v+ + c,    normal rows:   0 <= x  complementary to  w >= 0
 *                                              friction rows: -mu x_n <= x <= mu x_n, w against x at a bound
 *
 * v* is free flight, as in the other methods. x are the impulses, x_n the normal one of the same point. J has three
 * rows at each point of the manifolds: the normal and two tangents. c is gap / dt, as the option `lcp_gap` says. At a
 * point that bounces with restitution e, it is e J v, with v the velocities before the step.
 *
 *     gather -> candidates -> manifolds -> partition -> for each island: free flight, rows, boxed LCP, keep -> commit
 *
 * The stages of the single-level method after the partition are not used. */
#pragma once

#include "abut/model.h"
#include "base/lanes.h"
#include "collision/manifold/manifold_parts.h"
#include "dynamics/body/body.h"
#include "dynamics/methods/manifold/secant.h"
#include "dynamics/pairs/islands.h"
#include "dynamics/state/memory.h"
#include "dynamics/step/workspace.h"
#include "solver/lcp/boxed_lcp.h"

/* Rows of a point: its normal and two tangents, or only the normal without friction. */
enum { ABUT_LCP_POINT_ROWS = 3, ABUT_LCP_MOST_ROWS = ABUT_LCP_POINT_ROWS * ABUT_MANIFOLD_POINTS };

/* The points of a candidate in a step. */
typedef struct AbutLcpContact {
	AbutManifold manifold;
	double axes[3][3];                   /* normal, t1, t2; world */
	double reference[3];                 /* t1 is its part orthogonal to the normal */
	int first_row;                       /* index of its first row in the island's problem */
	int rows_per_point;                  /* 1 or 3 */
	double bounce[ABUT_MANIFOLD_POINTS]; /* coefficient of restitution, 0 for a point that does not bounce */
	double late[ABUT_MANIFOLD_POINTS];   /* share of the step before a bouncing point meets the other side */
	double x[ABUT_LCP_MOST_ROWS];
	AbutBoxedSet set[ABUT_LCP_MOST_ROWS];
	bool unknown; /* the derivative of the step found that a clamped point has none */
} AbutLcpContact;

static inline int abut_lcp_contact_rows(const AbutLcpContact *contact)
{
	return contact->manifold.n * contact->rows_per_point;
}

/* A moving body: M^-1 in the world's axes at the start of the step, and the velocities at its end. */
typedef struct AbutLcpBody {
	double inverse_mass[3]; /* 0 across a planar body's plane */
	double inverse_inertia[9];
	double free[6], next[6]; /* velocities at the end of the step without and with contact */
	double mean[6];          /* mean over the step: equal to `next`, unless impulses of bouncing points act late */
	bool frozen;             /* the island's problem is solved only with fixed bounds (boxed_lcp.h) */
} AbutLcpBody;

/* A row of J and the same row of J M^-1: linear and angular part on side 0, then on side 1. */
typedef struct AbutLcpRow {
	int body[2]; /* index among the island's moving bodies; negative: static */
	double J[12], W[12];
} AbutLcpRow;

/* Memory for islands with joints (dynamics/methods/manifold/jointed.h). */
typedef struct AbutLcpColumns {
	double *at; /* (n_at) columns H^-1 J', one for each row */
	AbutLanes *lanes;
	double *x;   /* impulses that act in the joints' solution */
	double *s;   /* their last change */
	double *off; /* velocities along the rows, less those for which the last impulses were found */
	int n_at, n_lanes, n_x, n_s, n_off;
	/* Of rules with a boxed problem: whether the joints are rigid in A; the share of its diagonal that is added to
	 * it, so that impulses stay near x; and corrections. */
	bool rigid;
	double prox;
	AbutSecants secants;
} AbutLcpColumns;

/* A thread's memory for one island's problem. */
typedef struct AbutLcpRoom {
	int capacity; /* number of rows */
	void *own;    /* the rule's own memory; NULL: none. If not NULL, A to guess and most of `boxed` are unused */
	AbutLcpRow *rows;
	double *A, *b, *lo, *hi;
	int *friction;
	AbutBoxedSet *guess;
	AbutBoxedRoom boxed;
	AbutLcpColumns columns;
	void *memory;
} AbutLcpRoom;

/* An island in a step. */
typedef struct AbutLcpIsland {
	const AbutModel *model;
	const AbutState *state;
	AbutWorkspace *w;
	AbutIslandMembers *members;
	AbutLcpRoom *room;
	AbutBodyWork **moving; /* (n_moving) */
	int n_moving, n_rows;
	AbutIsland *jointed; /* its bodies and joints; NULL: it has no joints */
	int n_inner; /* rows at the end that act between its joints' bodies; the joints' solution has their impulses */
} AbutLcpIsland;

/* Returns the number of rows whose impulses load the joints. */
static inline int abut_lcp_loads(const AbutLcpIsland *island)
{
	return island->n_rows - island->n_inner;
}

/* The functions in which the methods on contact points differ. */
typedef struct AbutPointRule {
	/* Returns the distance up to which the points of a pair count, in model units. */
	double (*margin)(const AbutModel *model, const AbutWorkspace *w, const AbutPair *pair);
	/* Returns whether a point without friction has rows along its tangents too. */
	bool (*always_axes)(const AbutModel *model);
	/* Returns whether the rows of an island make a dense matrix. */
	bool (*is_dense)(const AbutModel *model);
	/* Computes the impulses of all points, in boxed.x of the room. Returns false if there is no solution. */
	bool (*solve)(AbutLcpIsland *island, AbutStepInfo *info);
	bool
	    boxed; /* `solve` solves a boxed LCP: it takes rows of joints (bounded.h) and corrections of A (secant.h) */
	/* Computes the velocities `next` from the impulses. */
	void (*velocities)(const AbutLcpIsland *island);
	/* Corrects `mean` for impulses that act late in the step. NULL: all impulses act from its start. */
	void (*delay)(const AbutLcpIsland *island);
	/* Stores a solved contact for the next step. NULL: nothing is stored. */
	void (*remember)(const AbutLcpContact *contact, double scaling, int entry, AbutContactStore *store);
	/* Returns the most rows of joint laws that add_joint_rows appends; it appends those of an island after its
	 * rows, increases their number, and prepares couplings. keep_joint_rows stores what they did in the memory of
	 * the joints. NULL: the joints themselves have all laws. */
	int (*joint_rows)(const AbutModel *model, int n_joints);
	void (*add_joint_rows)(AbutLcpIsland *island);
	void (*keep_joint_rows)(const AbutLcpIsland *island);
	/* Creates, enlarges and destroys room->own. NULL: there is none. */
	AbutStatus (*room_create)(const AbutModel *model, AbutLcpRoom *room);
	AbutStatus (*room_reserve)(AbutLcpRoom *room, int n_bodies, int rows, int n_blocks);
	void (*room_destroy)(AbutLcpRoom *room);
} AbutPointRule;

/* A workspace's memory for the methods lcp and convex; other methods do not have it. */
typedef struct AbutLcpWork {
	const AbutPointRule *rule;
	int capacity;             /* number of contacts */
	AbutLcpContact *contacts; /* by candidate */
	AbutLcpBody *bodies;      /* (n_bodies) */
	AbutLcpRoom *rooms;       /* (n_threads) */
	int n_rooms;
	bool solved; /* the last step was solved */
} AbutLcpWork;

/* Returns the workspace's memory for the methods lcp and convex. */
static inline AbutLcpWork *abut_lcp_work(const AbutWorkspace *w)
{
	return w->method;
}

/* Queries of two shapes, of all pairs of kinds: their times, beside those of other libraries. */
#ifndef EXPERIMENTS_QUERIES_QUERIES_H
#define EXPERIMENTS_QUERIES_QUERIES_H

#include "abut/collide.h"
#include "base/vec3.h"

/* --- another library --- */

/* Where a shape's own frame, M and x in its body, is in the world with the body at a pose. */
static inline void abut_query_place(const double M[9], const double x[3], const AbutPose *pose, double R_out[9],
                                    double x_out[3])
{
	double R[9];
	abut_quat_to_mat3(pose->orientation, R);
	abut_mat3_mul(R, M, R_out);
	abut_mat3_vec(R, x, x_out);
	for (int i = 0; i < 3; i++) {
		x_out[i] += pose->position[i];
	}
}

typedef struct AbutQueryPair AbutQueryPair; /* a library's own: two shapes made ready */

typedef struct AbutQueryPeer {
	const char *name;
	const char *computes;                                                     /* what a call does */
	AbutQueryPair *(*create)(const AbutShape *a, const AbutShape *b);         /* NULL: not for such shapes */
	void (*destroy)(AbutQueryPair *pair);                                     /* NULL is fine */
	double (*ask)(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b); /* whatever the library answers */
} AbutQueryPeer;

/* All that a library offers; empty when Abut was built without it. */
typedef struct AbutQueryFamily {
	int count;
	const AbutQueryPeer *peers; /* (count) */
} AbutQueryFamily;

extern const AbutQueryFamily abut_query_ccd, abut_query_fcl;

/* --- the table --- */

enum { ABUT_QUERY_PEERS_MAX = 4, ABUT_QUERY_ROWS_MAX = 40 };

/* Means over random poses near touching, of which some half overlap; us. Poses are asked in blocks, five times each,
 * and the mean is that of the blocks' least times. What derivatives cost from nothing is relaxed + gradient. */
typedef struct AbutQueryRow {
	AbutShapeKind a, b;
	double cold;     /* exact, each from nothing */
	double warm;     /* exact, b moving by two millimetres between queries */
	double relaxed;  /* at kappa 1e-6, from nothing */
	double gradient; /* of the relaxed query, on top of it */
	double supports; /* of an exact query from cold: evaluations, factorisations */
	double exact_share;
	long failed;
	double peer[ABUT_QUERY_PEERS_MAX]; /* NaN where a library has no such shape */
} AbutQueryRow;

#endif

/* Queries of two shapes, for all pairs of kinds: their times, compared with those of other libraries. */
#pragma once

#include "abut/collide.h"
#include "base/vec3.h"

/* --- another library --- */

/* Computes where the frame of a shape, M and x in its body, is in the world with the body at a pose. */
static inline void abut_query_place(const double M[9], const double x[3], const AbutPose *pose, double R_out[9],
                                    double x_out[3])
{
	double R[9];
	abut_quat_to_mat3(pose->orientation, R);
	abut_mat3_mul(R, M, R_out);
	abut_mat3_vec(R, x, x_out);
	abut_add3(x_out, pose->position, x_out);
}

typedef struct AbutQueryPair AbutQueryPair; /* a library's own: two shapes made ready */

typedef struct AbutQueryPeer {
	const char *name;
	const char *computes;                                                     /* what a call does */
	AbutQueryPair *(*create)(const AbutShape *a, const AbutShape *b);         /* NULL: shapes not supported */
	void (*destroy)(AbutQueryPair *pair);                                     /* NULL is fine */
	double (*ask)(AbutQueryPair *pair, const AbutPose *a, const AbutPose *b); /* whatever the library answers */
} AbutQueryPeer;

/* The queries of a library; empty when Abut was built without it. */
typedef struct AbutQueryFamily {
	int count;
	const AbutQueryPeer *peers; /* (count) */
} AbutQueryFamily;

extern const AbutQueryFamily abut_query_ccd, abut_query_fcl;

/* --- the table --- */

enum { ABUT_QUERY_PEERS_MAX = 4, ABUT_QUERY_ROWS_MAX = 40 };

/* Mean times (us) over random poses near contact, about half of which overlap. Poses run in blocks, five times each;
 * the mean is that of the blocks' least times. A derivative from a cold start costs relaxed + gradient. */
typedef struct AbutQueryRow {
	AbutShapeKind a, b;
	double cold;     /* exact, each from a cold start */
	double warm;     /* exact, warm: b moves by 2 mm between queries */
	double relaxed;  /* at kappa 1e-6, from a cold start */
	double gradient; /* additional time of the derivative of the relaxed query */
	double supports; /* of an exact query from cold: evaluations, factorisations */
	double exact_share;
	long failed;
	double peer[ABUT_QUERY_PEERS_MAX]; /* NaN where a library has no such shape */
} AbutQueryRow;

/* The pieces of C that have been met on the way to the answer, and Newton's equations of those that meet there:
 * (1) of collision/growth/newton.c. */
#ifndef COLLISION_GROWTH_PIECES_H
#define COLLISION_GROWTH_PIECES_H

#include <stdbool.h>

#include "collision/growth/ray.h"

/* C along a direction m with h_C(m) = 1. */
typedef struct AbutView {
	double m[3], bound; /* bound of alpha, m.D */
	double round[2][3]; /* the points of the round parts that are furthest along m, world */
	double bend[2][6];  /* how they change with m: symmetric [xx, xy, xz, yy, yz, zz] */
	AbutCorner corner;  /* along m */
} AbutView;

typedef struct AbutMember {
	AbutPieces pieces;
	double centre[3]; /* of the first less that of the second, about the shapes' centres, world */
	double s[3];      /* its point that is furthest along the m of a view */
	double v;         /* its share in D */
} AbutMember;

enum { ABUT_MEMBERS = 8 };

typedef struct AbutPieceSet {
	int count, total;                /* the first `count` are held for active, the rest is kept */
	int last;                        /* that has made room */
	AbutMember member[ABUT_MEMBERS]; /* (total) */
	double caution;                  /* share of a ball in Q where nothing is curved; 1 at first */
	bool cautious;                   /* the last step was one */
	double dm[3];                    /* the last step */
} AbutPieceSet;

/* The members' points s along the direction of the view. */
void abut_pieces_look(AbutPieceSet *set, const AbutView *view);

/* Whether the pieces are a member. */
bool abut_pieces_know(const AbutPieceSet *set, const AbutPieces *pieces);

/* Makes them one that is held for active, if they are not; with a share given, or none. */
void abut_pieces_admit(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutPieces *pieces, double v);

/* The same with the corner as a mere point, which does not move with m. */
void abut_pieces_admit_point(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutCorner *corner);

/* Solves (1) at the view for dm and v. Members with a negative share cease to be active, others that it leaves outside
 * become it. False when there is no solution, or none is found. */
bool abut_pieces_step(AbutPieceSet *set, const AbutRay *ray, const AbutView *view);

#endif

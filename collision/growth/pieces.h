/* The pieces of C met so far, and Newton's equations of those that meet in the answer: (1) of
 * collision/growth/newton.c. */
#ifndef COLLISION_GROWTH_PIECES_H
#define COLLISION_GROWTH_PIECES_H

#include <stdbool.h>

#include "collision/growth/ray.h"

/* A view of C along a direction m with h_C(m) = 1. */
typedef struct AbutView {
	double m[3], bound; /* bound of alpha, m.D */
	double round[2][3]; /* points of the round parts furthest along m, world */
	double bend[2][6];  /* their derivative by m: symmetric [xx, xy, xz, yy, yz, zz] */
	AbutCorner corner;  /* along m */
} AbutView;

typedef struct AbutMember {
	AbutPieces pieces;
	double centre[3]; /* centre of the first piece minus that of the second, about the shapes' centres, world */
	double s[3];      /* its point furthest along the m of a view */
	double v;         /* its share in D */
} AbutMember;

enum { ABUT_MEMBERS = 8 };

typedef struct AbutPieceSet {
	int count, total;                /* the first `count` are active, the others are kept */
	int last;                        /* last member replaced */
	AbutMember member[ABUT_MEMBERS]; /* (total) */
	double caution;                  /* share of a ball in Q if nothing is curved; 1 at first */
	bool cautious;                   /* the last step used that ball */
	double dm[3];                    /* the last step */
} AbutPieceSet;

/* Moves the members' points s to the direction of the view. */
void abut_pieces_look(AbutPieceSet *set, const AbutView *view);

/* Returns whether the pieces are a member. */
bool abut_pieces_know(const AbutPieceSet *set, const AbutPieces *pieces);

/* Makes the pieces an active member, if they are not one already, with the share v. */
void abut_pieces_admit(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutPieces *pieces, double v);

/* Does the same with the corner as a mere point, which does not move with m. */
void abut_pieces_admit_point(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutCorner *corner);

/* Solves (1) at the view for dm and v. Members with a negative share become inactive, members that it leaves outside
 * active. Returns false if there is no solution, or none is found. */
bool abut_pieces_step(AbutPieceSet *set, const AbutRay *ray, const AbutView *view);

#endif

/* Defines the set of pieces of C found so far, and solves Newton's equations for the active ones: (1) of
 * collision/growth/newton.c. */
#pragma once

#include <stdbool.h>

#include "collision/growth/ray.h"

/* The support of C along a direction m with h_C(m) = 1. */
typedef struct AbutView {
	double m[3], bound; /* m: 1/m, world; bound: lower bound m.D of alpha */
	double round[2][3]; /* for each side, the point of its round part furthest along m (side 0) or -m (side 1),
	                       world, m */
	double bend[2][6];  /* their derivatives with respect to m: symmetric [xx, xy, xz, yy, yz, zz] */
	AbutCorner corner;  /* the corner of C along m */
} AbutView;

typedef struct AbutMember {
	AbutPieces pieces;
	double centre[3]; /* centre of the first piece minus that of the second, each relative to its shape's centre,
	                     world, m */
	double s[3];      /* point of these pieces furthest along the m of the last view, world, m */
	double v;         /* its share in D (newton.c) */
} AbutMember;

enum { ABUT_MEMBERS = 8 };

typedef struct AbutPieceSet {
	int count, total;                /* members in all; the first `count` are active */
	int last;                        /* index of the inactive member that was replaced last */
	AbutMember member[ABUT_MEMBERS]; /* (total) */
	double caution;                  /* fraction of a ball's curvature that is added to a singular Q; 1 at first */
	bool cautious;                   /* the last step used this curvature */
	double dm[3];                    /* the last step of m */
} AbutPieceSet;

/* Updates the points s of all members to the direction of the view. */
void abut_pieces_look(AbutPieceSet *set, const AbutView *view);

/* Returns whether these pieces are already a member. */
bool abut_pieces_know(const AbutPieceSet *set, const AbutPieces *pieces);

/* Makes the pieces an active member with the share v. If they are active already, nothing changes. */
void abut_pieces_admit(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutPieces *pieces, double v);

/* Adds the corner as an active member that is a single point, which does not move with m. */
void abut_pieces_admit_point(AbutPieceSet *set, const AbutRay *ray, const AbutView *view, const AbutCorner *corner);

/* Solves (1) at the view for dm and v. Members with a negative share become inactive, and members that the step
 * violates become active. Returns false if no solution is found. */
bool abut_pieces_step(AbutPieceSet *set, const AbutRay *ray, const AbutView *view);

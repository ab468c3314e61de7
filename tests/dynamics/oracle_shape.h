/* Computes the oracle's geometry: certificates by support functions, and membership by the rows of (1) in
 * docs/formulation.md. */
#pragma once

#include "abut/abut.h"

typedef struct OraclePose {
	double x[3], R[9]; /* of the body frame, world */
} OraclePose;

typedef struct OracleCertificate {
	double alpha; /* at which a plane of normal n touches both scaled shapes */
	double gap;   /* m, of the shapes along n, from a to b */
} OracleCertificate;

OracleCertificate oracle_certificate(const AbutShape *const shape[2], const OraclePose pose[2], const double n[3]);

/* Returns how far (m) p is outside the shape scaled by alpha, by the rows; <= 0 inside. `sign * n` is the outward
 * normal of the shape at p, which gives the auxiliary variables of capsule and padded polytope. */
double oracle_outside(const AbutShape *shape, const OraclePose *pose, double alpha, const double p[3],
                      const double n[3], double sign);

/* Searches for the nearest points of the two shapes. Returns the largest distance (m) of two planes normal to a
 * direction of this search, with the shapes on their outer sides. It is a lower bound of the distance of the shapes: if
 * positive, they are apart; if they overlap, it is never positive. */
double oracle_separation(const AbutShape *const shape[2], const OraclePose pose[2]);

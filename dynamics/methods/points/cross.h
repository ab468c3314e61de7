/* Finds contact points where lines of two bodies cross: edges of hulls and axes of capsules. The lines have first ends
 * a, b, and u, v point to their second ends. With r_0, r_1 the radii, and r = a + s u and q = b + t v the nearest
 * points of the two lines,
 *
 *     n = +-(u x v) / |u x v|,     gap = n.(q - r) - r_0 - r_1 + release(h_0) + release(h_1)
 *
 * where h_0 and h_1 say how far r and q are beyond the ends of their lines. Beyond them the gap grows as for a corner
 * beside a face (dynamics/methods/points/face.h). The lines and the sign are chosen at the start of a step. Tested with
 * finite differences in tests/dynamics/methods/points/test_point_ncp_directions.c, and in test_point_ncp_lines.c. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/set.h"

typedef struct AbutPointCrossing {
	double ends[2][6]; /* both ends of each side's line; body axes */
	double sign;       /* sign of u x v that makes the normal point from side 0 to side 1 */
} AbutPointCrossing;

/* Returns a bound of how far two points of the bodies move relative to each other in a step, at the velocities before
 * it. */
double abut_point_way(AbutBodyWork *const body[2], double timestep);

/* Finds crossings of lines that separate two sets at their present poses and that a step may close. Takes at most
 * `most`, those with the smallest gaps, and returns their number. */
int abut_point_crossings(const AbutPointSet *const set[2], AbutBodyWork *const body[2], double timestep, int most,
                         AbutPointCrossing *out);

/* The lines at an iterate, in world axes: u and v (`along`), q - r (`way`), and the shares s and t. */
typedef struct AbutPointLines {
	double along[2][3], way[3], share[2];
	double across[3], length; /* +-(u x v), and its length */
} AbutPointLines;

/* Computes shares, way and normal of the lines. `first` holds the first ends from their bodies' positions; `apart`
 * points from side 0's body to side 1's. */
void abut_point_lines_place(double sign, const double first[2][3], const double apart[3], AbutPointLines *lines);

/* Returns the release added to the gap beyond the ends of both lines, and computes its derivatives with respect to the
 * shares. */
double abut_point_lines_release(const AbutPointLines *lines, const AbutPointSet *const set[2], double slope[2]);

/* Computes the change of `across` and of the shares, as the bodies turn (by `turn`) and r and q, fixed on their lines,
 * separate by `parting`. */
void abut_point_lines_push(const AbutPointLines *lines, double sign, const double turn[2][3], const double parting[3],
                           double across[3], double share[2]);

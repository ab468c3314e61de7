/* Contact of two bodies across lines: edges of hulls and axes of capsules. With r = a + s u and q = b + t v the points
 * of the two lines nearest to each other,
 *
 *     n = +-(u x v) / |u x v|,     gap = n.(q - r) - r_0 - r_1 + release(h_0) + release(h_1)
 *
 * where h_i is the distance of r or q beyond the ends of its line: there it is released like a corner beside a face
 * (dynamics/methods/points/face.h). The lines, and the sign, are chosen at the start of a step. Tested with finite
 * differences in tests/dynamics/methods/points/test_point_ncp_directions.c, and in test_point_ncp_lines.c. */
#pragma once

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/set.h"

typedef struct AbutPointCrossing {
	double ends[2][6]; /* of the lines, by side; body axes */
	double sign;       /* of the normal along u x v, from side 0 to side 1 */
} AbutPointCrossing;

/* Returns the largest relative motion of two points of the bodies in a step at the velocities before it. */
double abut_point_way(AbutBodyWork *const body[2], double timestep);

/* Finds the crossings of lines that separate two sets at their places, and that a step may close: those nearest to
 * contact, at most `most`. Returns how many. */
int abut_point_crossings(const AbutPointSet *const set[2], AbutBodyWork *const body[2], double timestep, int most,
                         AbutPointCrossing *out);

/* The lines at an iterate: u and v (world, from end to end), q - r, and the shares s and t. */
typedef struct AbutPointLines {
	double along[2][3], way[3], share[2];
	double across[3], length; /* +-(u x v), its length */
} AbutPointLines;

/* Places the lines: `first` holds the first ends relative to the bodies' places, `apart` points from side 0's body to
 * side 1's. */
void abut_point_lines_place(double sign, const double first[2][3], const double apart[3], AbutPointLines *lines);

/* Returns the addition to the gap if a share is beyond the ends of its line, and computes its slope by the share. */
double abut_point_lines_release(const AbutPointLines *lines, const AbutPointSet *const set[2], double slope[2]);

/* Computes the change of `across` and of the shares, as the bodies turn (by `turn`) and r and q, fixed on their lines,
 * separate by `parting`. */
void abut_point_lines_push(const AbutPointLines *lines, double sign, const double turn[2][3], const double parting[3],
                           double across[3], double share[2]);

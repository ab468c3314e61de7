/* Where two bodies meet across lines: edges of hulls and axes of capsules. With r = a + s u and q = b + t v the points
 * of the two lines that are nearest to each other,
 *
 *     n = +-(u x v) / |u x v|,     gap = n.(q - r) - r_0 - r_1 + release(h_0) + release(h_1)
 *
 * where h_i is how far r or q is beyond the ends of its line: there it is let go like a corner beside a face
 * (dynamics/methods/points/face.h). Which lines, and the sign, are chosen at the start of a step. Tested by differences
 * in tests/dynamics/methods/points/test_point_ncp_directions.c, and in test_point_ncp_lines.c. */
#ifndef DYNAMICS_METHODS_POINTS_CROSS_H
#define DYNAMICS_METHODS_POINTS_CROSS_H

#include "dynamics/body/body.h"
#include "dynamics/contact/contact.h"
#include "dynamics/methods/points/set.h"

typedef struct AbutPointCrossing {
	double ends[2][6]; /* of the lines, by side; body axes */
	double sign;       /* of the normal along u x v, from side 0 to side 1 */
} AbutPointCrossing;

/* How far two points of the bodies move along each other in a step at the velocities before it, at most. */
double abut_point_way(AbutBodyWork *const body[2], double timestep);

/* The crossings of lines that keep two sets apart where they are, and that a step may close: those nearest to contact,
 * at most `most`. Returns how many. */
int abut_point_crossings(const AbutPointSet *const set[2], AbutBodyWork *const body[2], double timestep, int most,
                         AbutPointCrossing *out);

/* The lines at an iterate: u and v (world, from end to end), q - r, and the shares s and t. */
typedef struct AbutPointLines {
	double along[2][3], way[3], share[2];
	double across[3], length; /* +-(u x v), its length */
} AbutPointLines;

/* `first` holds the first ends from the bodies' places, `apart` leads from side 0's body to side 1's. */
void abut_point_lines_place(double sign, const double first[2][3], const double apart[3], AbutPointLines *lines);

/* What is added to the gap where a share is beyond the ends of its line; and the slope of that by the share. */
double abut_point_lines_release(const AbutPointLines *lines, const AbutPointSet *const set[2], double slope[2]);

/* How `across` changes, and the shares, as the bodies turn (by `turn`) and r and q, held on their lines, come apart by
 * `parting`. */
void abut_point_lines_push(const AbutPointLines *lines, double sign, const double turn[2][3], const double parting[3],
                           double across[3], double share[2]);

#endif

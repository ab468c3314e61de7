/* Helpers of the constructors of composed shapes and conic data. */
#ifndef SHAPES_COMPOSED_COMPOSITE_H
#define SHAPES_COMPOSED_COMPOSITE_H

#include "abut/shape.h"

/* Positions of the parts' rows in the whole shape: first the orthants, part by part, then the second-order cones.
 * `places` starts at the first orthant and the first cone. abut_row_place returns the position of a row of the current
 * part; abut_row_places_next moves on to the next part. */
typedef struct AbutRowPlaces {
	int orthant, soc; /* positions of the next rows */
} AbutRowPlaces;
int abut_row_place(const AbutShape *part, const AbutRowPlaces *places, int row);
void abut_row_places_next(const AbutShape *part, AbutRowPlaces *places);

/* Allocates a shape with space for the rows of all parts, their cones in order, and `n_eps` auxiliary variables. */
AbutStatus abut_composite_allocate(AbutShapeKind kind, int n, const AbutShape *const *parts, int n_eps, int n_vertices,
                                   AbutShape **out, AbutError *error);

/* Refuses more rows or auxiliary variables than conic programs can have. `where`, here and below, is the key for
 * errors. */
AbutStatus abut_composite_check_size(const AbutShape *shape, const char *where, AbutError *error);

/* Integrates the mass of a shape with complete rows, a centre inside and an outer radius of the right magnitude. States
 * the error, which may be as large as `harmless` m^3 (0: as small as the time allows). */
AbutStatus abut_composite_weigh(AbutShape *shape, double harmless, const char *where, AbutError *error);
/* Integrates the mass, makes the centre of mass the scaling centre, and computes the radii around it. */
AbutStatus abut_composite_finish(AbutShape *shape, const char *where, AbutError *error);

/* Refuses inner and outer radii outside the range of lengths (shapes/core/inputs.h). */
AbutStatus abut_composite_check_radii(double inner, double outer, const char *where, AbutError *error);

/* Largest ratio of outer to inner radius that the solver handles (docs/performance.md). */
#define ABUT_COMPOSITE_THIN 3500.0

/* Makes the centre of mass of a shape its scaling centre, and computes both radii along many directions. */
AbutStatus abut_composite_recentre(AbutShape *shape, const char *where, AbutError *error);

/* Result of the search for a set. */
typedef enum AbutPlace {
	ABUT_PLACE_SOLID,
	ABUT_PLACE_EMPTY,
	ABUT_PLACE_FLAT,      /* no deeper than `depth`, which is too close to rounding for a solid */
	ABUT_PLACE_UNBOUNDED, /* along the axis `unbounded`: 0 to 5 for x, -x, y, -y, z, -z */
	ABUT_PLACE_UNSOLVED,  /* the programs did not converge */
} AbutPlace;

/* Searches a point inside a set. For a solid set, centre and outer radius become good enough for abut_composite_weigh.
 * `size` is a typical length of the data. */
AbutPlace abut_composite_place(AbutShape *shape, double size, double *depth, int *unbounded);
/* Searches a point inside a set, and refuses a set that is not solid. */
AbutStatus abut_composite_locate(AbutShape *shape, double size, const char *where, AbutError *error);

#endif

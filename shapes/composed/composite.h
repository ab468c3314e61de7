/* Helps to construct composed shapes and shapes from conic data. */
#pragma once

#include "abut/shape.h"
#include "base/stop.h"

/* How a shape is constructed. */
typedef struct AbutComposing {
	const char *where; /* the key that error messages name */
	AbutStopper *stop; /* ends a long construction early with ABUT_ERROR_STOPPED; NULL: nothing */
	long *work;        /* work left for rays, of about 5 ns each (shapes/composed/reach.h), reduced by what was
	                      done; rays end when it is below 0. NULL: no limit */
} AbutComposing;

/* Positions of the parts' rows in the whole shape: the orthant rows of all parts come first, then their second-order
 * cones. Both positions start with the first part. abut_row_place returns the position of a row of the current part;
 * abut_row_places_next advances to the next part. */
typedef struct AbutRowPlaces {
	int orthant, soc; /* positions of the next rows */
} AbutRowPlaces;
int abut_row_place(const AbutShape *part, const AbutRowPlaces *places, int row);
void abut_row_places_next(const AbutShape *part, AbutRowPlaces *places);

/* Allocates a shape with space for the rows of all parts, their cones in order, and `n_eps` auxiliary variables. */
AbutStatus abut_composite_allocate(AbutShapeKind kind, int n, const AbutShape *const *parts, int n_eps, int n_vertices,
                                   AbutShape **out, AbutError *error);

/* Refuses more rows or auxiliary variables than conic programs support. Here and below, `where` is the key that error
 * messages name. */
AbutStatus abut_composite_check_size(const AbutShape *shape, const char *where, AbutError *error);

/* Integrates the mass of a shape with complete rows, a centre inside, and an outer radius of the right magnitude. Sets
 * mass_error. An error of `harmless` m^3 is sufficient; 0: as accurate as the limits on time allow. */
AbutStatus abut_composite_weigh(AbutShape *shape, double harmless, const AbutComposing *how, AbutError *error);
/* Integrates the mass, makes the centre of mass the scaling centre, and computes the radii about it. */
AbutStatus abut_composite_finish(AbutShape *shape, const AbutComposing *how, AbutError *error);

/* Refuses inner and outer radii outside the range of lengths (shapes/core/inputs.h). */
AbutStatus abut_composite_check_radii(double inner, double outer, const char *where, AbutError *error);

/* Largest ratio of outer to inner radius that the solver supports (docs/performance.md). */
#define ABUT_COMPOSITE_THIN 3500.0

/* Makes the centre of mass of a shape its scaling centre, and computes both radii along many directions. */
AbutStatus abut_composite_recentre(AbutShape *shape, const AbutComposing *how, AbutError *error);

/* Result of the search for a point inside a set. */
typedef enum AbutPlace {
	ABUT_PLACE_SOLID,
	ABUT_PLACE_EMPTY,
	ABUT_PLACE_FLAT,      /* `depth` is too close to rounding for a solid set */
	ABUT_PLACE_UNBOUNDED, /* along the axis `unbounded`: 0 to 5 for x, -x, y, -y, z, -z */
	ABUT_PLACE_UNSOLVED,  /* a program did not converge */
} AbutPlace;

/* Searches for a point inside a set. `size` is a typical length of the data (m). If the set is solid, the centre and
 * the outer radius are then good enough for abut_composite_weigh. `depth` receives the depth of the point (m). */
AbutPlace abut_composite_place(AbutShape *shape, double size, double *depth, int *unbounded);
/* Searches for a point inside a set. Refuses a set that is not solid. */
AbutStatus abut_composite_locate(AbutShape *shape, double size, const char *where, AbutError *error);

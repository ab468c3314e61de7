/* Shapes that are made of others, or of nothing but rows: what their constructors share. */
#ifndef SHAPES_COMPOSED_COMPOSITE_H
#define SHAPES_COMPOSED_COMPOSITE_H

#include "abut/shape.h"

/* Rows of all parts stand in the whole with the orthants first, part by part, then the second-order cones: the place of
 * a part's row there. `places` begins at the first orthant and the first cone, and _next moves it past a part. */
typedef struct AbutRowPlaces {
	int orthant, soc; /* where the next part's rows go */
} AbutRowPlaces;
int abut_row_place(const AbutShape *part, const AbutRowPlaces *places, int row);
void abut_row_places_next(const AbutShape *part, AbutRowPlaces *places);

/* Room for rows of all parts, with `n_eps` auxiliary variables, their cones in order. */
AbutStatus abut_composite_allocate(AbutShapeKind kind, int n, const AbutShape *const *parts, int n_eps, int n_vertices,
                                   AbutShape **out, AbutError *error);

/* Refuses more rows or auxiliary variables than programs take. `where`, here and below, is a key, for errors. */
AbutStatus abut_composite_check_size(const AbutShape *shape, const char *where, AbutError *error);

/* Of a shape whose rows are complete, whose centre lies inside and whose outer radius is of the right size: mass by
 * integration, with its stated error, which need not be less than `harmless` m^3 (0: as little as there is time for).
 */
AbutStatus abut_composite_weigh(AbutShape *shape, double harmless, const char *where, AbutError *error);
/* The same, then its centre of mass as scaling centre, and radii about it. */
AbutStatus abut_composite_finish(AbutShape *shape, const char *where, AbutError *error);

/* Refuses radii of balls in and about a shape that are not those of lengths in range (shapes/core/conic.h). */
AbutStatus abut_composite_check_radii(double inner, double outer, const char *where, AbutError *error);

/* Most that the outer radius may be of the inner one: what the solver steps (docs/performance.md). */
#define ABUT_COMPOSITE_THIN 3500.0

/* A shape whose mass is known is scaled about its centre; both radii by directions. */
AbutStatus abut_composite_recentre(AbutShape *shape, const char *where, AbutError *error);

/* What a set of unknown place is. */
typedef enum AbutPlace {
	ABUT_PLACE_SOLID,
	ABUT_PLACE_EMPTY,
	ABUT_PLACE_FLAT,      /* no deeper than `depth`, of which too few digits are known for a solid */
	ABUT_PLACE_UNBOUNDED, /* along the axis `unbounded`: 0 to 5 for x, -x, y, -y, z, -z */
	ABUT_PLACE_UNSOLVED,  /* the programs that tell do not end */
} AbutPlace;

/* Searches a set for a point inside; of a solid one the centre and the outer radius become right for
 * abut_composite_weigh. `size` is a length of the data. */
AbutPlace abut_composite_place(AbutShape *shape, double size, double *depth, int *unbounded);
/* The same, and refuses what is not solid. */
AbutStatus abut_composite_locate(AbutShape *shape, double size, const char *where, AbutError *error);

/* What n >= 2 bounded shapes have in common, with its mass, for nothing but to be weighed and to be intersected again:
 * its scaling centre is some point inside. `*out` is NULL, and the status ABUT_OK, where that is empty, or so thin that
 * its volume is at most `*missed` (m^3). `harmless` as above. ABUT_ERROR_NUMERICAL where nothing can be told. */
AbutStatus abut_shape_common(int n, const AbutShape *const *parts, double harmless, AbutShape **out, double *missed,
                             AbutError *error);

#endif

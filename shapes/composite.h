/* Shapes that are made of others, or of nothing but rows: what their constructors share. */
#ifndef SHAPES_COMPOSITE_H
#define SHAPES_COMPOSITE_H

#include "abut/shape.h"

/* Gives the shape copies of its parts, which stay in the shape's own frame whatever moves it. */
AbutStatus abut_composite_take_parts(AbutShape *shape, int n, const AbutShape *const *parts, AbutError *error);
/* The part of abut_shape_clone, _destroy and _scale that is about parts. A copy's parts are still the original's
 * before; those of a shape that cannot be scaled stay as they are. */
AbutStatus abut_composite_clone_parts(AbutShape *copy, AbutError *error);
void abut_composite_destroy_parts(AbutShape *shape);
AbutStatus abut_composite_scale_parts(AbutShape *shape, double factor, AbutError *error);

/* Writes the rows of part i of n at their places among those of the whole, orthants first: for each row of a part its
 * place. `first_orthant` and `first_soc` are moved on. */
typedef struct AbutRowPlaces {
	int orthant, soc; /* where the next part's rows go */
} AbutRowPlaces;
int abut_row_place(const AbutShape *part, const AbutRowPlaces *places, int row);
void abut_row_places_next(const AbutShape *part, AbutRowPlaces *places);

/* Room for rows of all parts, with `n_eps` auxiliary variables, their cones in order. */
AbutStatus abut_composite_allocate(AbutShapeKind kind, int n, const AbutShape *const *parts, int n_eps, int n_vertices,
                                   AbutShape **out, AbutError *error);

/* Of a shape whose rows are complete, whose centre lies inside and whose outer radius is of the right size: mass by
 * integration, its centre as scaling centre, radii about it. `where` is a key, for errors. */
AbutStatus abut_composite_finish(AbutShape *shape, const char *where, AbutError *error);

/* Most that the outer radius may be of the inner one: what the solver steps (docs/performance.md). */
#define ABUT_COMPOSITE_THIN 3500.0

/* A shape whose mass is known is scaled about its centre; both radii by directions. */
AbutStatus abut_composite_recentre(AbutShape *shape, const char *where, AbutError *error);

/* Searches a set of unknown place for a point inside, and refuses one that is empty, flat or unbounded; the centre and
 * the outer radius become right for abut_composite_finish. `size` is a length of the data. */
AbutStatus abut_composite_locate(AbutShape *shape, double size, const char *where, AbutError *error);

#endif

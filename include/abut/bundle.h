/* Convex bundles: solids that are the union of convex shapes, in one frame. Where parts overlap or touch they are one
 * solid: its mass counts once what several parts hold, and parts of one body never collide with each other. A body
 * takes a bundle's parts as they stand (AbutBodyDef.parts). */
#ifndef ABUT_BUNDLE_H
#define ABUT_BUNDLE_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read-only to its users. The parts belong to the bundle and live as long as it does; what it is appended to, moved and
 * scaled by are the functions below, of which abut_bundle_append may move the array. */
typedef struct AbutBundle {
	int n_parts;                   /* convex shapes */
	const AbutShape *const *parts; /* (n_parts) */
	bool mass_given;               /* `mass` is that of what the parts stand for, by abut_bundle_set_mass */
	AbutMassProperties mass;       /* at density 1; zero unless it was given */
} AbutBundle;

enum {
	/* Of what a sum or an intersection of unions comes to, (A u B) + (C u D) being the union of four sums. */
	ABUT_BUNDLE_PARTS_MAX = 1000
};

/* Of copies of `n` >= 0 shapes. On anything but ABUT_OK `*out` is NULL. */
ABUT_API AbutStatus abut_bundle_create(int n, const AbutShape *const *shapes, AbutBundle **out, AbutError *error);
/* A deep copy. */
ABUT_API AbutStatus abut_bundle_clone(const AbutBundle *bundle, AbutBundle **out, AbutError *error);
ABUT_API void abut_bundle_destroy(AbutBundle *bundle); /* NULL is fine */

/* Adds copies of `n` shapes as the last parts; a mass that was given is no more. On anything but ABUT_OK, here and
 * below, the bundle stays as it was. */
ABUT_API AbutStatus abut_bundle_append(AbutBundle *bundle, int n, const AbutShape *const *shapes, AbutError *error);
/* As abut_shape_move, all parts: p -> rotation p + translation (rotation row-major, orthonormal to 1e-9; translation
 * m). */
ABUT_API AbutStatus abut_bundle_move(AbutBundle *bundle, const double rotation[9], const double translation[3],
                                     AbutError *error);
/* As abut_shape_scale, all parts: multiplies every length by `factor` > 0. */
ABUT_API AbutStatus abut_bundle_scale(AbutBundle *bundle, double factor, AbutError *error);

/* In place of the parts' own, as abut_shape_set_mass: of a mesh, say, of which they are hulls. */
ABUT_API AbutStatus abut_bundle_set_mass(AbutBundle *bundle, const AbutMassProperties *mass, AbutError *error);

/* As abut_shape_support, of the convex hull of the parts: the largest of theirs along `direction`, reached at `point`
 * (3, may be NULL). -INFINITY without parts. */
ABUT_API double abut_bundle_support(const AbutBundle *bundle, const double direction[3], double *point);
/* The box along the axes that holds all parts, from `lower` to `upper` (m); infinite where one is a halfspace, lower >
 * upper without parts. */
ABUT_API void abut_bundle_bounds(const AbutBundle *bundle, double lower[3], double upper[3]);

/* `out`: mass properties of the union, at density 1: what was given, or else what several parts hold counted once
 * (docs/interface.md says how).
 * `mass_error` (may be NULL) receives the stated relative error, as AbutShape.mass_error. Halfspaces have no mass.
 * Refused where so many parts overlap that their common parts number more than 20000. */
ABUT_API AbutStatus abut_bundle_mass(const AbutBundle *bundle, AbutMassProperties *out, double *mass_error,
                                     AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

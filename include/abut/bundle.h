/* Convex bundles: solids that are the union of convex shapes in one frame. Parts that overlap or touch form one solid:
 * its mass counts a common volume once, and the parts of one body never collide with each other. A body uses the parts
 * of a bundle directly (AbutBodyDef.parts). */
#ifndef ABUT_BUNDLE_H
#define ABUT_BUNDLE_H

#include "abut/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A union of shapes; read-only to its users. The parts belong to the bundle and live as long. Only the functions below
 * change it; abut_bundle_append may move the array. */
typedef struct AbutBundle {
	int n_parts;                   /* number of convex shapes */
	const AbutShape *const *parts; /* (n_parts) */
	bool mass_given;               /* `mass` was set by abut_bundle_set_mass */
	AbutMassProperties mass;       /* the given mass, at density 1; otherwise zero */
} AbutBundle;

enum {
	/* The most parts of a sum or intersection of unions; (A u B) + (C u D) is the union of four sums. */
	ABUT_BUNDLE_PARTS_MAX = 1000
};

/* Creates a bundle of copies of the `n` >= 0 `shapes`. `*out` is NULL unless the status is ABUT_OK. */
ABUT_API AbutStatus abut_bundle_create(int n, const AbutShape *const *shapes, AbutBundle **out, AbutError *error);
/* Makes a deep copy. */
ABUT_API AbutStatus abut_bundle_clone(const AbutBundle *bundle, AbutBundle **out, AbutError *error);
ABUT_API void abut_bundle_destroy(AbutBundle *bundle); /* Frees the bundle; accepts NULL. */

/* Appends copies of the `n` `shapes` and discards a given mass. This function and those below leave the bundle
 * unchanged unless the status is ABUT_OK. */
ABUT_API AbutStatus abut_bundle_append(AbutBundle *bundle, int n, const AbutShape *const *shapes, AbutError *error);
/* Moves all parts, like abut_shape_move: p -> rotation p + translation (`rotation` row-major, orthonormal to 1e-9;
 * `translation` in m). */
ABUT_API AbutStatus abut_bundle_move(AbutBundle *bundle, const double rotation[9], const double translation[3],
                                     AbutError *error);
/* Multiplies every length of all parts by `factor` > 0, like abut_shape_scale. */
ABUT_API AbutStatus abut_bundle_scale(AbutBundle *bundle, double factor, AbutError *error);

/* Replaces the mass of the parts by `mass`, like abut_shape_set_mass: for example by that of the mesh whose hulls they
 * are. */
ABUT_API AbutStatus abut_bundle_set_mass(AbutBundle *bundle, const AbutMassProperties *mass, AbutError *error);

/* Returns the support function of the convex hull of the parts along `direction`, and in `point` (3, may be NULL) where
 * it is reached, like abut_shape_support. Returns -INFINITY without parts. */
ABUT_API double abut_bundle_support(const AbutBundle *bundle, const double direction[3], double *point);
/* Computes the axis-aligned box of all parts, from `lower` to `upper` (m). It is infinite if a part is a halfspace;
 * lower > upper without parts. */
ABUT_API void abut_bundle_bounds(const AbutBundle *bundle, double lower[3], double upper[3]);

/* Computes the mass properties of the union at density 1 to `out`: the given mass, or the union with common volumes
 * counted once (docs/interface.md describes how). `mass_error` (may be NULL) receives the stated relative error, as
 * AbutShape.mass_error. Refuses halfspaces, which have no mass, and parts with more than 20000 common
 * parts, or with curved ones that would take minutes. */
ABUT_API AbutStatus abut_bundle_mass(const AbutBundle *bundle, AbutMassProperties *out, double *mass_error,
                                     AbutError *error);

#ifdef __cplusplus
}
#endif

#endif

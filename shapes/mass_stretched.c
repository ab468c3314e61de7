/* Mass of a thin shape by rays: with p = c + M y (shapes/extent.h) the rows are h + alpha d - A c - A M y - B eps,
 * those of a shape that is as thick as long, and
 *
 *     int 1 = det M int_y 1,     int (p - c) = det M M int_y y,     int (p - c)(p - c)' = det M M int_y y y' M'.
 *
 * Seen from the middle of a thin shape nearly all of it lies near its rim, where few rays go. Tested by
 * composition/thin_lenses. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "shapes/conic.h"
#include "shapes/extent.h"
#include "shapes/mass.h"

/* The longest extent over the shortest from which on a shape is stretched. */
static const double thin = 10.0;

/* A copy of its rows about the centre, stretched. */
static AbutStatus stretch(const AbutShape *shape, const AbutExtent *extent, AbutShape **out)
{
	const int n = shape->n_rows;
	const AbutStatus status = abut_shape_allocate(ABUT_SHAPE_CONIC, shape->n_orthant, shape->n_soc, shape->soc_dim,
	                                              shape->n_eps, 0, out, NULL);
	if (status != ABUT_OK) {
		return status;
	}
	double *A = abut_shape_edit((*out)->A), *h = abut_shape_edit((*out)->h);
	memcpy(abut_shape_edit((*out)->B), shape->B, (size_t)n * (size_t)shape->n_eps * sizeof(double));
	memcpy(abut_shape_edit((*out)->d), shape->d, (size_t)n * sizeof(double));
	for (int i = 0; i < n; i++) {
		const double *row = &shape->A[3 * i];
		h[i] = shape->h[i] - abut_dot3(row, shape->centre);
		abut_mat3_vec(extent->axes, row, &A[3 * i]);
		for (int k = 0; k < 3; k++) {
			A[3 * i + k] *= extent->half[k];
		}
	}
	(*out)->outer_radius = 1.0; /* of y, about */
	return ABUT_OK;
}

/* From y to p. */
static AbutMassProperties unstretch(const AbutMassProperties *mass, const AbutExtent *extent, const double centre[3])
{
	const double *half = extent->half, det = half[0] * half[1] * half[2];
	const double *c = mass->centre_of_mass, *I = mass->inertia;
	const double trace = 0.5 * (I[0] + I[4] + I[8]);
	AbutMoments moments = {.volume = det * mass->volume};
	double own[9], turned[9];
	for (int i = 0; i < 3; i++) {
		moments.first[i] = det * mass->volume * half[i] * c[i];
		for (int j = 0; j < 3; j++) {
			const double central = (i == j ? trace : 0.0) - I[3 * i + j];
			own[3 * i + j] = det * half[i] * half[j] * (central + mass->volume * c[i] * c[j]);
		}
	}
	abut_mat3_tvec(extent->axes, moments.first, moments.first);
	abut_mat3_transposed_mul(extent->axes, own, turned);
	abut_mat3_mul(turned, extent->axes, moments.second);
	AbutMassProperties out = abut_mass_from_moments(&moments);
	for (int i = 0; i < 3; i++) {
		out.centre_of_mass[i] += centre[i];
	}
	return out;
}

bool abut_mass_by_stretched_rays(const AbutShape *shape, AbutMassProperties *out, double *relative_error)
{
	static const double middle[3] = {0.0, 0.0, 0.0};
	AbutExtent extent;
	AbutShape *round = NULL;
	if (!abut_shape_extent(shape, &extent) || extent.half[0] <= thin * fmin(extent.half[1], extent.half[2]) ||
	    stretch(shape, &extent, &round) != ABUT_OK) {
		return abut_mass_by_rays(shape, shape->centre, out, relative_error);
	}
	AbutMassProperties mass;
	const bool solved = abut_mass_by_rays(round, middle, &mass, relative_error);
	abut_shape_destroy(round);
	*out = unstretch(&mass, &extent, shape->centre);
	return solved;
}

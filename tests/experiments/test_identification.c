/* Tests friction and corners from recordings. Compares the derivative of a segment with differences, the corners with a
 * box, and the result with the truth. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "experiments/identification/fit.h"
#include "experiments/identification/segment.h"
#include "experiments/identification/toss.h"

enum { FRAMES = 60, STEPS = 8, ROWS = 6 * (STEPS + 1), MOST_TOSSES = 24 };

static const AbutTossedBox truth = {{0.05, 0.06, 0.04}, 0.02, 0.4, 0.25, 0.01};
static const AbutTossNoise noise = {2e-4, 2e-3};

static AbutModel *make_model(const AbutTossedBox *box)
{
	AbutModel *model;
	AbutError error = {0};
	cr_assert_eq(abut_toss_model(box, truth.half, &model, &error), ABUT_OK, "%s", error.message);
	return model;
}

static AbutFit make_fit(double kappa)
{
	AbutFit fit = {.body = ABUT_TOSS_BOX,
	               .steps = STEPS,
	               .position_noise = noise.position,
	               .rotation_noise = noise.rotation,
	               .kappa = kappa};
	fit.parameters[fit.n_parameters++] = (AbutParameter){ABUT_PARAMETER_FRICTION, 0, ABUT_TOSS_BOX, -1, 0};
	for (int i = 0; i < 4 * ABUT_TOSS_FACES; i++) {
		if (i % 4 < 3) {
			fit.parameters[fit.n_parameters++] =
			    (AbutParameter){ABUT_PARAMETER_FACE, ABUT_TOSS_BOX, -1, 0, i};
		}
	}
	return fit;
}

static void record(const AbutModel *model, int tosses, AbutBodyState *seen)
{
	static AbutBodyState clean[FRAMES];
	AbutError error = {0};
	for (int i = 0; i < tosses; i++) {
		AbutRng rng = abut_rng_stream(11, (uint64_t)i);
		cr_assert_eq(abut_toss_record(model, &noise, &rng, FRAMES, clean, &seen[i * FRAMES], &error), ABUT_OK,
		             "%s", error.message);
	}
}

/* Without lean the corners are those of a box. Bit k of a corner's number is its side of axis k. */
Test(identification, corners_of_a_box)
{
	AbutTossedBox box = truth;
	double corners[3 * ABUT_TOSS_CORNERS];
	box.skew = 0.0;
	AbutModel *model = make_model(&box);
	cr_assert(abut_toss_corners(model, corners));
	for (int i = 0; i < 3 * ABUT_TOSS_CORNERS; i++) {
		const double side = (i / 3 >> i % 3) % 2 ? 1.0 : -1.0;
		cr_expect_float_eq(corners[i], side * box.half[i % 3], 1e-12, "corner %d, axis %d: %g", i / 3, i % 3,
		                   corners[i]);
	}
	abut_model_destroy(model);
}

/* Computes the residuals of a segment in a copy of the model with one parameter changed. */
static void residual_at(const AbutFit *fit, const AbutModel *model, const AbutFitSegment *segment, int parameter,
                        double h, double *out)
{
	double value;
	AbutModel *changed;
	AbutFitRows rows = {.residual = out};
	cr_assert_eq(abut_parameter_get(model, &fit->parameters[parameter], &value, NULL), ABUT_OK);
	value += h;
	cr_assert_eq(abut_model_create_changed(model, 1, &fit->parameters[parameter], &value, &changed, NULL), ABUT_OK);
	cr_assert_eq(abut_fit_segment(fit, changed, segment, &rows, NULL), ABUT_OK);
	cr_assert(rows.solved);
	abut_model_destroy(changed);
}

/* If differences at h and 2 h agree, no contact opens or slips between them, and they must equal the derivative. */
static int check_segment(const AbutFit *fit, const AbutModel *model, const AbutFitSegment *segment, int index)
{
	static double residual[ROWS], by_start[ROWS * ABUT_FIT_STATE], by_parameter[ROWS * ABUT_FIT_MOST];
	AbutFitRows rows = {residual, by_start, by_parameter, false};
	int checked = 0;
	cr_assert_eq(abut_fit_segment(fit, model, segment, &rows, NULL), ABUT_OK);
	for (int p = 0; rows.solved && p < fit->n_parameters; p++) {
		double d[4][ROWS], largest = 0.0, apart = 0.0, off = 0.0;
		for (int k = 0; k < 4; k++) {
			residual_at(fit, model, segment, p, (k < 2 ? 1e-6 : 2e-6) * (k % 2 ? -1.0 : 1.0), d[k]);
		}
		for (int r = 0; r < ROWS; r++) {
			const double near = (d[0][r] - d[1][r]) / 2e-6, far = (d[2][r] - d[3][r]) / 4e-6;
			largest = fmax(largest, fabs(near));
			apart = fmax(apart, fabs(near - far));
			off = fmax(off, fabs(near - by_parameter[r * fit->n_parameters + p]));
		}
		if (largest > 10.0 && apart < 1e-4 * largest) {
			checked++;
			cr_expect_lt(off, 2e-3 * largest, "segment %d, parameter %d: %g of %g", index, p, off, largest);
		}
	}
	return checked;
}

Test(identification, segments_are_differentiated_as_differences_say)
{
	static AbutBodyState seen[4 * FRAMES];
	AbutModel *model = make_model(&truth);
	AbutFit fit = make_fit(0.0);
	int checked = 0;
	record(model, 4, seen);
	cr_assert_eq(abut_fit_open(&fit, model, 4, FRAMES, seen, NULL), ABUT_OK);
	for (int i = 0; i < fit.n_segments; i++) {
		checked += check_segment(&fit, model, &fit.segments[i], i);
	}
	cr_expect_gt(checked, 60, "%d", checked);
	abut_fit_close(&fit);
	abut_model_destroy(model);
}

/* From a guess that is off by 8 mm and 60 %. */
Test(identification, friction_and_corners_are_found)
{
	static AbutBodyState seen[MOST_TOSSES * FRAMES];
	AbutTossedBox guess = truth;
	double found[3 * ABUT_TOSS_CORNERS], expected[3 * ABUT_TOSS_CORNERS];
	AbutFit fit = make_fit(1e-4);
	bool done = false;
	guess.half[0] += 0.004;
	guess.half[1] -= 0.003;
	guess.half[2] += 0.003;
	guess.skew = 0.0;
	guess.friction = 0.4;
	AbutModel *model = make_model(&truth), *other = make_model(&guess);
	record(model, MOST_TOSSES, seen);
	cr_assert_eq(abut_fit_open(&fit, other, MOST_TOSSES, FRAMES, seen, NULL), ABUT_OK);
	for (int i = 0; i < 20 && !done; i++) {
		cr_assert_eq(abut_fit_iterate(&fit, &done, NULL), ABUT_OK);
	}
	cr_expect_float_eq(fit.values[0], 0.25, 0.02 * 0.25, "friction %g", fit.values[0]);
	cr_assert(abut_toss_corners(model, expected) && abut_toss_corners(fit.model, found));
	for (int i = 0; i < ABUT_TOSS_CORNERS; i++) {
		const double *f = &found[3 * i], *e = &expected[3 * i];
		const double off = hypot(hypot(f[0] - e[0], f[1] - e[1]), f[2] - e[2]);
		cr_expect_lt(off, 2e-3, "corner %d: %g m", i, off);
	}
	abut_fit_close(&fit);
	abut_model_destroy(model);
	abut_model_destroy(other);
}

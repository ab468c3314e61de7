/* Estimates derivatives by randomised smoothing. */
#include "experiments/smoothing/randomised.h"

AbutStatus abut_randomised_by_values(AbutPushedBox *box, double force, double sigma, int samples, AbutRng *rng,
                                     double *slope)
{
	double base, sum = 0.0;
	AbutStatus status = abut_pushed_box_step(box, force, &base);
	for (int i = 0; status == ABUT_OK && i < samples; i++) {
		const double draw = abut_rng_normal(rng);
		double value;
		status = abut_pushed_box_step(box, force + sigma * draw, &value);
		sum += (value - base) * draw / sigma;
	}
	*slope = sum / samples;
	return status;
}

AbutStatus abut_randomised_by_derivatives(AbutPushedBox *box, double force, double sigma, int samples, AbutRng *rng,
                                          double *slope, AbutError *error)
{
	double sum = 0.0;
	AbutStatus status = ABUT_OK;
	for (int i = 0; status == ABUT_OK && i < samples; i++) {
		double value, derivative = 0.0;
		status = abut_pushed_box_differentiate(box, force + sigma * abut_rng_normal(rng), &value, &derivative,
		                                       error);
		sum += derivative;
	}
	*slope = sum / samples;
	return status;
}

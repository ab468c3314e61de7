/* Lists the published figures. Rows are rates, columns are kappas. */
#include "experiments/setting/published.h"

#include <math.h>

typedef double Table[ABUT_PUBLISHED_RATES][ABUT_PUBLISHED_KAPPAS];

const double abut_published_rates[ABUT_PUBLISHED_RATES] = {10.0, 20.0, 30.0, 50.0, 70.0, 100.0};
const double abut_published_kappas[ABUT_PUBLISHED_KAPPAS] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10};

/* clang-format off */
static const Table failed[2] = {
    {{0.01}},
    {{0.90, 0.87, 0.90, 0.89, 0.90, 0.90}, {0.80, 0.81, 0.76, 0.77, 0.80, 0.81}, {0.75, 0.70, 0.69, 0.69, 0.68, 0.70},
     {0.78, 0.65, 0.60, 0.59, 0.57, 0.57}, {0.66, 0.54, 0.53, 0.54, 0.51, 0.52}, {0.57, 0.55, 0.53, 0.49, 0.50, 0.50}}};

static const Table iterations[2] = {
    {{8.21, 9.33, 10.0, 10.8, 12.4, 13.9}, {8.40, 9.55, 10.4, 11.1, 12.6, 14.1}, {8.57, 9.82, 10.8, 11.4, 13.0, 14.6},
     {8.72, 10.1, 11.0, 11.8, 13.3, 14.9}, {8.78, 10.3, 11.3, 12.0, 13.6, 15.1}, {8.89, 10.5, 11.8, 12.6, 13.9, 15.6}},
    {{15.4, 15.0, 16.1, 16.5, 17.6, 19.1}, {11.5, 12.3, 12.7, 13.1, 14.6, 15.9}, {11.2, 11.4, 11.8, 12.4, 14.0, 15.2},
     {9.72, 10.6, 11.1, 11.7, 13.3, 14.8}, {9.14, 10.2, 10.5, 11.1, 13.1, 14.6}, {8.66, 10.5, 11.1, 11.7, 13.3, 14.9}}};

static const Table violation[2] = {
    {{0.00183, 0, 0, 0, 0, 0},
     {0.00179, 0, 0, 0, 0, 0},
     {0.00175, 0, 0, 0, 0, 0},
     {0.00172, 0, 0, 0, 0, 0},
     {0.00167, 0, 0, 0, 0, 0},
     {0.00165, 0, 0, 0, 0, 0}},
    {{0.138, 0.128, 0.14, 0.139, 0.153, 0.153},
     {0.0363, 0.0431, 0.0435, 0.0376, 0.0445, 0.0376},
     {0.0186, 0.0176, 0.0185, 0.0173, 0.0173, 0.0169},
     {0.00535, 0.00904, 0.00856, 0.00798, 0.0068, 0.00696},
     {0.00179, 0.0025, 0.0035, 0.00314, 0.00382, 0.00385},
     {0.000395, 0.000818, 0.00174, 0.0012, 0.00119, 0.00117}}};

static const Table linear[2] = {
    {{0.00091, 6.83e-05, 6.47e-06, 6.42e-07, 6.40e-09, 6.41e-11}, {0.00235, 0.000181, 1.68e-05, 1.66e-06, 1.66e-08, 1.66e-10},
     {0.00416, 0.000302, 2.73e-05, 2.68e-06, 2.68e-08, 2.68e-10}, {0.0112, 0.00061, 4.97e-05, 4.76e-06, 4.76e-08, 4.75e-10},
     {0.0251, 0.00103, 7.45e-05, 6.93e-06, 7.00e-08, 6.93e-10},   {0.0618, 0.00215, 0.00012, 1.03e-05, 1.01e-07, 1.02e-09}},
    {{0.218, 0.169, 0.174, 0.129, 0.138, 0.132},                  {0.0407, 0.0309, 0.0275, 0.0389, 0.0298, 0.0217},
     {0.0197, 0.0108, 0.00684, 0.00407, 0.00254, 0.000221},       {0.01, 0.00136, 0.000196, 0.000225, 0.000228, 0.00023},
     {0.0159, 0.000705, 0.000312, 0.000347, 0.000358, 0.000355},  {0.039, 0.00129, 0.000325, 0.000336, 0.000357, 0.000365}}};

static const Table angular[2] = {
    {{0.00111, 8.49e-05, 8.07e-06, 8.01e-07, 7.99e-09, 7.99e-11}, {0.0015, 9.55e-05, 8.20e-06, 8.01e-07, 7.99e-09, 7.99e-11},
     {0.00187, 0.000106, 8.42e-06, 8.04e-07, 7.99e-09, 7.99e-11}, {0.00246, 0.000136, 9.05e-06, 8.12e-07, 8.00e-09, 7.99e-11},
     {0.00307, 0.000174, 9.70e-06, 8.24e-07, 8.00e-09, 7.99e-11}, {0.00476, 0.000248, 1.10e-05, 8.47e-07, 8.00e-09, 7.99e-11}},
    {{0.0704, 0.0268, 0.0381, 0.0189, 0.02, 0.0234},              {0.00751, 0.00582, 0.00467, 0.0099, 0.00555, 0.0061},
     {0.00293, 0.00174, 0.00104, 0.000706, 0.000578, 0.000148},   {0.00108, 0.000303, 0.000146, 0.000146, 0.000146, 0.000149},
     {0.000238, 0.000244, 0.000239, 0.000237, 0.00024, 0.00024},  {0.000372, 0.00029, 0.000276, 0.000256, 0.00026, 0.000274}}};
/* clang-format on */

static AbutPublished figures_of(AbutMethod method, int rate, int kappa)
{
	const int i = method == ABUT_METHOD_BILEVEL;
	return (AbutPublished){.failed = failed[i][rate][kappa],
	                       .iterations = iterations[i][rate][kappa],
	                       .violation = violation[i][rate][kappa],
	                       .linear = linear[i][rate][kappa],
	                       .angular = angular[i][rate][kappa]};
}

/* Returns the index of `value` in the list, up to rounding; -1 if it is missing. */
static int find(const double *list, int n, double value)
{
	for (int i = 0; i < n; i++) {
		if (fabs(list[i] - value) <= 1e-9 * list[i]) {
			return i;
		}
	}
	return -1;
}

bool abut_published_find(AbutMethod method, double rate, double kappa, AbutPublished *out)
{
	const int row = find(abut_published_rates, ABUT_PUBLISHED_RATES, rate);
	const int column = find(abut_published_kappas, ABUT_PUBLISHED_KAPPAS, kappa);
	if (row < 0 || column < 0 || (method != ABUT_METHOD_SINGLE_LEVEL && method != ABUT_METHOD_BILEVEL)) {
		return false;
	}
	*out = figures_of(method, row, column);
	return true;
}

/* The studies of the experiment `formulations`: each fills its tables of the report, and the columns of the table over
 * all methods that are its own. */
#ifndef EXPERIMENTS_FORMULATIONS_STUDIES_H
#define EXPERIMENTS_FORMULATIONS_STUDIES_H

#include <math.h>

#include "experiments/formulations/lone_body.h"
#include "experiments/suite/experiment.h"

enum { ABUT_MOST_RATES = 8, ABUT_MOST_ANGLES = 32 };

typedef struct AbutFormulationSettings {
	AbutLoneBody box; /* at rest on the floor */
	double speed;     /* m/s, with which it slides */
	int n_angles, n_rates, forces, rounds;
	double angles[ABUT_MOST_ANGLES]; /* degrees from x */
	double rates[ABUT_MOST_RATES];   /* Hz, of the shipped scenes */
	double largest_force;            /* N, of the push */
	double spin_duration;            /* s */
	const char *scenes;              /* the folder of the shipped ones */
	unsigned long long seed;
} AbutFormulationSettings;

/* What the table over all methods says of a variant; NaN: nothing. */
typedef struct AbutFormulationRow {
	double drift;         /* m, sideways of a sliding box, the largest over the angles */
	double way;           /* of the closed form: the largest relative error of its way, or NaN */
	double creep;         /* m/s, on the incline below the limit, at 100 Hz */
	double penetration;   /* m, the most of the cube's drop, at 100 Hz */
	double time_us;       /* of a step of the stack of four, at 100 Hz */
	double spin_energy;   /* relative drift */
	double push;          /* m/s, the largest difference from Coulomb's law */
	double peak;          /* weights, the largest force on a ball that falls */
	double gradient;      /* relative error of a derivative against differences */
	double gradient_time; /* of a step with its derivative over one without */
} AbutFormulationRow;

typedef AbutStatus AbutFormulationStudy(const AbutFormulationSettings *settings, AbutFormulationRow *rows,
                                        AbutReport *report, AbutError *error);

/* The larger one; what is not a number stays. */
static inline double abut_study_worst(double worst, double value)
{
	return isnan(worst) || value <= worst ? worst : value;
}

#endif

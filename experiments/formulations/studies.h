/* Defines what the studies of the experiment `formulations` share: settings, the row of the table over all methods, and
 * their function type. Each study makes its own tables, and may also fill columns of the table that
 * compares all methods. */
#pragma once

#include <math.h>

#include "experiments/formulations/lone_body.h"
#include "experiments/suite/experiment.h"

enum { ABUT_MOST_RATES = 8, ABUT_MOST_ANGLES = 32 };

typedef struct AbutFormulationSettings {
	AbutLoneBody box; /* at rest on the floor */
	double speed;     /* m/s, initial speed of the slide */
	int n_angles, n_rates, forces, rounds;
	double angles[ABUT_MOST_ANGLES]; /* degrees from x, of the slide */
	double rates[ABUT_MOST_RATES];   /* Hz, of the shipped scenes */
	double largest_force;            /* N, of the push */
	double spin_duration;            /* s */
	const char *scenes;              /* the folder of the shipped scenes */
	unsigned long long seed;
} AbutFormulationSettings;

/* A row of the table over all methods; NaN: no value. */
typedef struct AbutFormulationRow {
	double drift;         /* m, largest sideways drift of the sliding box over all angles */
	double way;           /* largest relative error of its sliding distance, against the closed form */
	double creep;         /* m/s, on the incline below the friction limit, at 100 Hz */
	double penetration;   /* m, largest during the drop of the cube, at 100 Hz */
	double time_us;       /* us, of a step of the stack of four, at 100 Hz */
	double spin_energy;   /* relative drift of the energy */
	double push;          /* m/s, largest difference from Coulomb's law */
	double peak;          /* weights, largest force on the falling ball */
	double gradient;      /* relative error of a derivative, against differences */
	double gradient_time; /* time of a step with its derivative, divided by that of a step */
} AbutFormulationRow;

typedef AbutStatus AbutFormulationStudy(const AbutFormulationSettings *settings, AbutFormulationRow *rows,
                                        AbutReport *report, AbutError *error);

/* Returns the larger value; NaN if one of them is NaN. */
static inline double abut_study_worst(double worst, double value)
{
	return isnan(worst) || value <= worst ? worst : value;
}

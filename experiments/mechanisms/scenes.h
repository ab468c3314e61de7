/* Makes the mechanisms of the experiment. */
#pragma once

#include "abut/abut.h"

enum { MECHANISM_LINKS = 100, MECHANISM_GEARS = 4 };

typedef struct Mechanism {
	AbutSceneDef def;
	AbutBodyDef bodies[MECHANISM_LINKS];
	AbutJointDef joints[MECHANISM_LINKS + 1];
	AbutCouplingDef couplings[MECHANISM_GEARS];
	const AbutShape *parts[MECHANISM_LINKS];
	AbutShape *shapes[MECHANISM_LINKS]; /* owned */
	char names[MECHANISM_LINKS + 1][16];
	double swing;      /* J: sum of m g |r| over the centres of mass, r from the first joint */
	double precession; /* rad/s: steady rate of the gyroscope; 0: none */
	double fall;       /* m/s^2: acceleration of the weight of the gear train; 0: none */
	AbutStatus status;
	AbutError *error;
} Mechanism;

typedef struct MechanismKind {
	const char *name, *what;
	void (*make)(Mechanism *);
} MechanismKind;

extern const MechanismKind abut_mechanism_kinds[];
extern const int abut_mechanism_kind_count;

/* Makes a mechanism; free it in either case. */
AbutStatus abut_mechanism_make(const MechanismKind *kind, double timestep, Mechanism *out, AbutError *error);
void abut_mechanism_free(Mechanism *mechanism);

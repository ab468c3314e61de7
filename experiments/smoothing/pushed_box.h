/* A pushed box at rest on a plane: how the velocity after one step depends on the force, from stick to slip, from rest
 * to lift-off, from standing to tipping. */
#pragma once

#include "abut/gradient.h"
#include "base/rng.h"
#include "experiments/setting/world.h"

typedef enum AbutPushKind {
	ABUT_PUSH_SLIP, /* along x, through the centre: the velocity along x */
	ABUT_PUSH_LIFT, /* upwards: the velocity along z */
	ABUT_PUSH_TIP,  /* along x, at the upper edge: the angular velocity about y */
	ABUT_PUSH_KINDS
} AbutPushKind;

typedef struct AbutPush {
	AbutPushKind kind;
	double half[3];  /* m, along x, y and z */
	double mass;     /* kg */
	double timestep; /* s */
	double friction;
	double largest; /* N: forces go from 0 to it */
} AbutPush;

typedef struct AbutPushedBox {
	AbutPush push;
	AbutWorld world;
	AbutState *start;
	AbutGradient *gradient; /* at kappa */
	double kappa;           /* 0: exact */
} AbutPushedBox;

const char *abut_push_name(AbutPushKind kind);
/* Return, in closed form, the force (N) at which the motion begins and its slope there, (m/s)/N or (rad/s)/N; for slip
 * and lift-off the slope holds for all larger forces. Tested in tests/experiments/test_smoothing.c. */
double abut_push_threshold(const AbutPush *push);
double abut_push_slope(const AbutPush *push);

/* Opens the box; close it also after a failure. */
AbutStatus abut_pushed_box_open(AbutPushedBox *box, const AbutPush *push, double kappa, AbutError *error);
void abut_pushed_box_close(AbutPushedBox *box);

/* Computes the observed velocity (m/s or rad/s) after the exact step from rest; NaN where the step fails. */
AbutStatus abut_pushed_box_step(AbutPushedBox *box, double force, double *value);
/* Computes the observed velocity at the kappa of the box, and its derivative by the force; NaN where there is none to
 * working precision. */
AbutStatus abut_pushed_box_differentiate(AbutPushedBox *box, double force, double *value, double *slope,
                                         AbutError *error);

/* Both estimate d/df E[y(f + sigma e)], e normal, from `samples` draws: by values, the mean of (y(f + sigma e) - y(f))
 * e / sigma; by derivatives (the box's are at kappa 0), the mean of y'(f + sigma e). */
AbutStatus abut_randomised_by_values(AbutPushedBox *box, double force, double sigma, int samples, AbutRng *rng,
                                     double *slope);
AbutStatus abut_randomised_by_derivatives(AbutPushedBox *box, double force, double sigma, int samples, AbutRng *rng,
                                          double *slope, AbutError *error);

/* Steps a pushed box that rests on a plane: how its velocity after one step depends on the force, from stick to slip,
 * from rest to lift-off, and from standing to tipping. */
#pragma once

#include "abut/gradient.h"
#include "experiments/setting/world.h"

typedef enum AbutPushKind {
	ABUT_PUSH_SLIP, /* force along x through the centre; observes the velocity along x */
	ABUT_PUSH_LIFT, /* force upwards; observes the velocity along z */
	ABUT_PUSH_TIP,  /* force along x at the upper edge; observes the angular velocity about y */
	ABUT_PUSH_KINDS
} AbutPushKind;

typedef struct AbutPush {
	AbutPushKind kind;
	double half[3];  /* half extents along x, y and z, m */
	double mass;     /* kg */
	double timestep; /* s */
	double friction;
	double largest; /* largest force, N; the smallest is 0 */
} AbutPush;

typedef struct AbutPushedBox {
	AbutPush push;
	AbutWorld world;
	AbutState *start;
	AbutGradient *gradient; /* derivative at kappa */
	double kappa;           /* 0: exact */
} AbutPushedBox;

const char *abut_push_name(AbutPushKind kind);
/* Return, in closed form, the force (N) at which the motion begins, and the slope of the velocity there, (m/s)/N or
 * (rad/s)/N. For slip and lift-off the slope is the same for all larger forces. Tested in
 * tests/experiments/test_smoothing.c. */
double abut_push_threshold(const AbutPush *push);
double abut_push_slope(const AbutPush *push);

/* Opens the box. Close it even after a failure. */
AbutStatus abut_pushed_box_open(AbutPushedBox *box, const AbutPush *push, double kappa, AbutError *error);
void abut_pushed_box_close(AbutPushedBox *box);

/* Computes the observed velocity (m/s or rad/s) after the exact step from rest; NaN if the step fails. */
AbutStatus abut_pushed_box_step(AbutPushedBox *box, double force, double *value);
/* Computes the observed velocity at the kappa of the box, and its derivative with respect to the force. Both are NaN if
 * there is none to working precision. */
AbutStatus abut_pushed_box_differentiate(AbutPushedBox *box, double force, double *value, double *slope,
                                         AbutError *error);

/* Computes the lift of a cam. The cam turns on a plane without friction, at a constant rate because of a flywheel's
 * inertia, and so lifts its axis; the plane is its flat follower. The cam is a union of an ellipsoid about its axis and
 * a ball, its nose, and moves in the plane of x and z.
 *
 * The lift is the support function of the union: with the cam turned by t about y,
 *
 *      h(t) = max( sqrt(a^2 sin^2 t + c^2 cos^2 t),  r + x sin t - z cos t )
 *
 * Tested in tests/experiments/test_shape_optimisation.c. */
#pragma once

#include "abut/model.h"

/* Sizes, m: radii of the ellipsoid, a along x and c along z; radius and position of the nose. */
enum { ABUT_CAM_A, ABUT_CAM_C, ABUT_CAM_R, ABUT_CAM_X, ABUT_CAM_Z, ABUT_CAM_SIZES };

typedef struct AbutCam {
	double rate;     /* rad/s */
	double timestep; /* s */
	int falling;     /* first steps, which do not count: the cam falls on the plane */
	int counted;     /* steps after these */
	double kappa;    /* of derivatives; 0: exact */
} AbutCam;

double abut_cam_lift(const double sizes[ABUT_CAM_SIZES], double angle);
/* Returns the angle of the cam after step `step`, from 1. */
double abut_cam_angle(const AbutCam *cam, int step);

AbutStatus abut_cam_model(const AbutCam *cam, const double sizes[ABUT_CAM_SIZES], AbutModel **out, AbutError *error);

/* Rolls a model out: `lift` (counted) is the height of the axis after each counted step, m. */
AbutStatus abut_cam_run(const AbutCam *cam, const AbutModel *model, double *lift, AbutError *error);
/* Computes the mean square of the difference between lift and wanted lift, m^2. Computes its derivative by the sizes
 * backward through the steps (abut/rollout.h). */
AbutStatus abut_cam_cost(const AbutCam *cam, const AbutModel *model, const double *wanted, double *cost,
                         double by_size[ABUT_CAM_SIZES], AbutError *error);

/* Abut: collision and contact between convex shapes. Includes the whole public interface. */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include "abut/arrays.h"
#include "abut/batch.h"
#include "abut/bundle.h"
#include "abut/collide.h"
#include "abut/convex.h"
#include "abut/decompose.h"
#include "abut/gradient.h"
#include "abut/io.h"
#include "abut/joint.h"
#include "abut/lcp.h"
#include "abut/linear.h"
#include "abut/log.h"
#include "abut/mesh.h"
#include "abut/model.h"
#include "abut/parameter.h"
#include "abut/robot.h"
#include "abut/rollout.h"
#include "abut/scene.h"
#include "abut/sensor.h"
#include "abut/shape.h"
#include "abut/shape_check.h"
#include "abut/shape_types.h"
#include "abut/smooth.h"
#include "abut/snapshot.h"
#include "abut/status.h"
#include "abut/stop.h"
#include "abut/version.h"

#endif

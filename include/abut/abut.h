/* Abut: collision and contact between convex shapes. Includes the whole public interface. */
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include "abut/batch.h"
#include "abut/collide.h"
#include "abut/io.h"
#include "abut/lcp.h"
#include "abut/log.h"
#include "abut/model.h"
#include "abut/scene.h"
#include "abut/shape.h"
#include "abut/status.h"
#include "abut/version.h"

#endif

/* Foxglove's messages that a run is told in, and one of our own, with their descriptor. */
#ifndef IO_EXPORT_FOXGLOVE_H
#define IO_EXPORT_FOXGLOVE_H

#include "io/export/proto.h"
#include "io/export/run_meshes.h"

/* A FileDescriptorSet with all messages and what they are made of. */
void abut_foxglove_describe(AbutBytes *out);

/* foxglove.FrameTransforms: where the bodies that move (all: static ones too) are in a frame of the run, in the
 * coordinate frame `world`. */
void abut_foxglove_transforms(AbutBytes *out, const AbutRunRecord *record, long frame, const char *world, bool all);
/* foxglove.SceneUpdate: the triangles of every body, each in its body's coordinate frame, with which they move. */
void abut_foxglove_bodies(AbutBytes *out, const AbutRunRecord *record, const AbutBodyMesh *meshes);
/* foxglove.SceneUpdate: an entity "contacts" that takes the place of the last one: an arrow at each contact of the
 * frame that pushes, along its impulse on the second body, `scale` m for each N s; `size` m is large. */
void abut_foxglove_contacts(AbutBytes *out, const AbutRunRecord *record, long frame, const char *world, double scale,
                            double size);
/* abut.Step: the columns of steps.csv that are numbers. */
void abut_foxglove_step(AbutBytes *out, const AbutRunStep *step);

#endif

/* Reports what became of the elements of a model. Tested in tests/cli/scene/import.c. */
#include "io/import/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/robot/model_parts.h"
#include "io/text/words.h"

typedef struct Counting {
	int n, capacity;
	AbutImportElement *elements;
	bool full; /* memory ran out */
} Counting;

/* Returns the entry of a tag, which is added in alphabetical order if there is none; NULL: out of memory. */
static AbutImportElement *entry(Counting *counting, const char *tag)
{
	int at = 0;
	while (at < counting->n && strcmp(counting->elements[at].tag, tag) < 0) {
		at++;
	}
	if (at < counting->n && strcmp(counting->elements[at].tag, tag) == 0) {
		return &counting->elements[at];
	}
	if (!abut_grow(&counting->elements, &counting->capacity, counting->n + 1, sizeof *counting->elements)) {
		counting->full = true;
		return NULL;
	}
	for (int i = counting->n++; i > at; i--) {
		counting->elements[i] = counting->elements[i - 1];
	}
	counting->elements[at] = (AbutImportElement){.tag = tag};
	return &counting->elements[at];
}

/* Returns whether the importers read elements of this tag. */
static bool is_read(const char *tag)
{
	static const char *const tags[] = {
	    "compiler", "option", "flag", "worldbody", "body", "frame", "replicate", "attach", "geom", "joint",
	    "freejoint", "inertial", "site", "contact", "exclude", "pair", "tendon", "fixed", "spatial", "equality",
	    "connect", "weld", "actuator", "motor", "position", "velocity", "general", "keyframe", "key", "sensor",
	    /* URDF */
	    "link", "loop_joint", "origin", "mass", "inertia", "collision", "visual", "geometry", "box", "sphere",
	    "cylinder", "capsule", "mesh", "axis", "parent", "child", "limit", "dynamics", "mimic", "lateral_friction",
	    "link1", "link2"};
	return abut_text_index(tag, tags, sizeof tags / sizeof *tags) >= 0;
}

/* Returns whether the element is in a section in which the importers read or note every element. */
static bool is_listed(const AbutXml *element)
{
	static const char *const sections[] = {"actuator", "sensor", "equality", "tendon"};
	return element->parent &&
	       abut_text_index(element->parent->name, sections, sizeof sections / sizeof *sections) >= 0;
}

/* Counts the elements within `element`. Those that are not read are left out. */
static void count(Counting *counting, const AbutXml *element)
{
	static const char *const passed[] = {"default", "asset", "visual", "statistic", "size", "include", "material"};
	static const char *const whole[] = {"custom",   "extension", "deformable", "skin",        "composite",
	                                    "flexcomp", "plugin",    "gazebo",     "transmission"};
	for (const AbutXml *at = element->child; at && !counting->full; at = at->next) {
		const bool is_display = abut_text_index(at->name, passed, sizeof passed / sizeof *passed) >= 0;
		if (is_display && !(strcmp(at->name, "visual") == 0 && strcmp(element->name, "link") == 0)) {
			continue;
		}
		AbutImportElement *own = entry(counting, at->name);
		if (own) {
			own->n++;
			own->left_out += !is_read(at->name) && !is_listed(at);
		}
		if (abut_text_index(at->name, whole, sizeof whole / sizeof *whole) < 0) {
			count(counting, at);
		}
	}
}

AbutStatus abut_import_elements(const AbutImport *import, AbutImportElement **out, int *n)
{
	static const char left_out[] = "left out";
	Counting counting = {.n = 0};
	for (int i = 0; i < import->n_trees; i++) {
		count(&counting, import->trees[i]);
	}
	for (int i = 0; i < import->n_notes && !counting.full; i++) {
		const AbutImportNote *note = &import->notes[i];
		AbutImportElement *own = entry(&counting, note->element);
		if (own) {
			const bool is_out = strncmp(note->text, left_out, sizeof left_out - 1) == 0;
			int *const which = is_out ? &own->left_out : &own->approximated;
			*which = *which + note->count < own->n ? *which + note->count : own->n;
		}
	}
	*out = counting.elements;
	*n = counting.n;
	return counting.full ? ABUT_ERROR_MEMORY : ABUT_OK;
}

AbutImportCounts abut_import_counts(const AbutImport *import)
{
	AbutImportCounts counts = {.bodies = import->n_bodies,
	                           .joints = import->n_joints,
	                           .couplings = import->n_couplings,
	                           .sites = import->sensing.n_sites,
	                           .sensors = import->sensing.n_sensors};
	for (int i = 0; i < import->n_joints; i++) {
		const AbutImportJoint *joint = &import->joints[i];
		counts.loops += joint->closes;
		for (int k = 0; k < joint->n_laws; k++) {
			counts.motors += joint->law[k].axis.motor.type != ABUT_MOTOR_NONE;
		}
	}
	return counts;
}

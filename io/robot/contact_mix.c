/* Combines the contact parameters of two geometries. Tested in tests/io/import_springs.c. */
#include "io/robot/contact_mix.h"

#include <math.h>
#include <stddef.h>

#include "base/differ.h"

static void mix_springs(const AbutGeom *a, const AbutGeom *b, double share, AbutJointSpring *out)
{
	const double *r = a->spring.solref, *s = b->spring.solref;
	const bool standard = r[0] > 0.0 && s[0] > 0.0;
	for (int i = 0; i < 2; i++) {
		out->solref[i] = standard ? share * r[i] + (1.0 - share) * s[i] : fmin(r[i], s[i]);
	}
	for (int i = 0; i < 5; i++) {
		out->solimp[i] = share * a->spring.solimp[i] + (1.0 - share) * b->spring.solimp[i];
	}
}

AbutContactMix abut_contact_mix(const AbutGeom *a, const AbutGeom *b)
{
	const AbutGeom *one = a->priority > b->priority ? a : a->priority < b->priority ? b : NULL;
	const double total = a->mix + b->mix;
	const int dimensions = one ? one->dimensions : a->dimensions > b->dimensions ? a->dimensions : b->dimensions;
	AbutContactMix out = {.friction = one ? one->friction : fmax(a->friction, b->friction),
	                      .torsion = one ? one->torsion : fmax(a->torsion, b->torsion),
	                      .spring = one ? one->spring : a->spring};
	if (!one && a->spring.has_solref && b->spring.has_solref) {
		mix_springs(a, b, total > 0.0 ? a->mix / total : 0.5, &out.spring);
	}
	out.spring.margin = fmax(fmax(a->spring.margin, b->spring.margin) - fmax(a->gap, b->gap), 0.0);
	out.spring.has_margin = out.spring.margin > 0.0;
	if (dimensions == 1) {
		out.friction = 0.0;
	}
	if (dimensions > 0 && dimensions < 4) {
		out.torsion = 0.0;
	}
	return out;
}

bool abut_springs_differ(const AbutJointSpring *a, const AbutJointSpring *b)
{
	return abut_differ(2, a->solref, b->solref) || abut_differ(5, a->solimp, b->solimp) ||
	       abut_differ(1, &a->margin, &b->margin);
}

bool abut_spring_is_special(const AbutJointSpring *spring)
{
	static const AbutJointSpring usual = ABUT_MJCF_SPRING;
	return spring->has_solref && abut_springs_differ(spring, &usual);
}

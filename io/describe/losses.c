/* Notes what is lost of an element of a scene. Tested in tests/io/describe.c and describe_urdf.c. */
#include "io/describe/losses.h"

#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

void abut_lose(AbutLosses *losses, bool lost, const char *what)
{
	const size_t length = strlen(losses->list);
	if (lost) {
		snprintf(losses->list + length, sizeof losses->list - length, "%s%s", losses->n++ > 0 ? ", " : "",
		         what);
	}
}

void abut_describe_losses(const AbutDescribing *d, const char *element, const char *name, const AbutLosses *losses)
{
	if (losses->n > 0) {
		abut_describe_note(d, ABUT_LEFT_OUT, element, name, "of %s \"%.60s\": %s", element, name, losses->list);
	}
}

void abut_lose_of_body(const AbutDescribing *d, int body, AbutLosses *losses)
{
	const AbutBodyDef *def = &d->def->bodies[body];
	abut_lose(losses, abut_norm3(def->force) > 0.0 || abut_norm3(def->torque) > 0.0, "constant force or torque");
	abut_lose(losses, def->planar_xz && d->tree.joint[body] >= 0, "\"planar\"");
}

void abut_describe_lost_sensors(const AbutDescribing *d)
{
	for (int i = 0; i < d->def->n_sensors; i++) {
		const char *name = d->def->sensors[i].name;
		abut_describe_note(d, ABUT_LEFT_OUT, "sensor", name, "sensor \"%.60s\"", name);
	}
}

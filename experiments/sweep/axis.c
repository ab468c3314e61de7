#include "experiments/sweep/axis.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/text/words.h"

bool abut_sweep_add_override(AbutSweepOverrides *overrides, char *text, char *place)
{
	if (!text || !place ||
	    !abut_grow(&overrides->items, &overrides->capacity, overrides->count + 1, sizeof *overrides->items)) {
		free(text);
		free(place);
		return false;
	}
	overrides->items[overrides->count++] = (AbutSweepOverride){text, place};
	return true;
}

void abut_sweep_free_overrides(AbutSweepOverrides *overrides)
{
	for (int i = 0; i < overrides->count; i++) {
		free(overrides->items[i].text);
		free(overrides->items[i].place);
	}
	free(overrides->items);
}

AbutSweepValue *abut_sweep_add_value(AbutSweepAxis *axis, char *label)
{
	if (!abut_grow(&axis->values, &axis->capacity, axis->count + 1, sizeof *axis->values)) {
		return NULL;
	}
	AbutSweepValue *value = &axis->values[axis->count++];
	*value = (AbutSweepValue){.label = NULL};
	value->label = label;
	return value;
}

AbutSweepValue *abut_sweep_find_value(const AbutSweepAxis *axis, const char *label)
{
	for (int i = 0; i < axis->count; i++) {
		if (strcmp(axis->values[i].label, label) == 0) {
			return &axis->values[i];
		}
	}
	return NULL;
}

AbutSweepAxis *abut_sweep_add_axis(AbutSweep *sweep, const char *name)
{
	char *const copy = abut_text_format("%s", name);
	if (!copy || !abut_grow(&sweep->axes, &sweep->axis_capacity, sweep->n_axes + 1, sizeof *sweep->axes)) {
		free(copy);
		return NULL;
	}
	AbutSweepAxis *axis = &sweep->axes[sweep->n_axes++];
	*axis = (AbutSweepAxis){.name = copy};
	return axis;
}

AbutSweepScene *abut_sweep_add_scene(AbutSweep *sweep)
{
	if (!abut_grow(&sweep->scenes, &sweep->scene_capacity, sweep->n_scenes + 1, sizeof *sweep->scenes)) {
		return NULL;
	}
	AbutSweepScene *scene = &sweep->scenes[sweep->n_scenes++];
	*scene = (AbutSweepScene){.path = NULL};
	return scene;
}

void abut_sweep_free_parts(AbutSweep *sweep)
{
	for (int i = 0; i < sweep->n_axes; i++) {
		AbutSweepAxis *axis = &sweep->axes[i];
		for (int j = 0; j < axis->count; j++) {
			free(axis->values[j].label);
			abut_sweep_free_overrides(&axis->values[j].overrides);
		}
		free(axis->values);
		free(axis->name);
	}
	free(sweep->axes);
	for (int i = 0; i < sweep->n_scenes; i++) {
		free(sweep->scenes[i].path);
		free(sweep->scenes[i].text);
		abut_sweep_free_draws(&sweep->scenes[i].random);
	}
	free(sweep->scenes);
	abut_sweep_free_overrides(&sweep->overrides);
	abut_sweep_free_draws(&sweep->random);
}

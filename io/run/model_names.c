/* Makes the tables of a model's bodies, joints and sensors by name. */
#include "io/run/model_names.h"

/* Makes the table of the model's n names; false: out of memory. */
static bool names_of(const AbutModel *model, int n, const char *(*name)(const AbutModel *, int), AbutNames *names)
{
	if (!abut_names_init(names, n)) {
		return false;
	}
	for (int i = 0; i < n; i++) {
		abut_names_add(names, name(model, i), i);
	}
	abut_names_finish(names);
	return true;
}

bool abut_body_names(const AbutModel *model, AbutNames *names)
{
	return names_of(model, abut_model_body_count(model), abut_model_body_name, names);
}

bool abut_joint_names(const AbutModel *model, AbutNames *names)
{
	return names_of(model, abut_model_joint_count(model), abut_model_joint_name, names);
}

bool abut_sensor_names(const AbutModel *model, AbutNames *names)
{
	return names_of(model, abut_model_sensor_count(model), abut_model_sensor_name, names);
}

/* Chooses how the joints of a run are drawn. */
#include "io/export/run_joints.h"

#include "abut/shape.h"
#include "base/error.h"
#include "base/vec3.h"
#include "dynamics/model/model.h"
#include "io/mesh/mesh.h"

/* The mark is as large as half the bounding ball of the joint's moving body, the child if both move. */
AbutJointMark abut_run_joint_mark(const AbutRunRecord *record, int joint)
{
	const AbutModel *model = record->model;
	const AbutJointDef *def = &abut_scene_def(record->scene)->joints[joint];
	const int body = abut_model_body_is_static(model, def->child) ? def->parent : def->child;
	AbutJointMark mark = {.has_axis = def->type == ABUT_JOINT_HINGE || def->type == ABUT_JOINT_SLIDE ||
	                                  def->type == ABUT_JOINT_CYLINDRICAL || def->type == ABUT_JOINT_PLANAR,
	                      .size = 0.5 * model->bodies[body].radius * model->units.length};
	double R[9];
	abut_quat_to_mat3(def->parent_frame.orientation, R);
	for (int i = 0; mark.has_axis && i < 3; i++) {
		mark.axis[i] = R[3 * i + 2];
	}
	return mark;
}

AbutStatus abut_run_joint_meshes(AbutShapeMesh marks[2], AbutError *error)
{
	for (int i = 0; i < 2; i++) {
		AbutShape *shape = NULL;
		AbutStatus status = i == 0 ? abut_shape_create_sphere(0.1, &shape, error)
		                           : abut_shape_create_capsule(0.05, 2.0, &shape, error);
		ABUT_THEN(status, abut_shape_mesh_create(shape, &marks[i], error));
		abut_shape_destroy(shape);
		ABUT_TRY(status);
	}
	return ABUT_OK;
}

/* Computes the sizes of a contact from the cones of its shapes. */
#include "dynamics/contact/size.h"

#include "dynamics/contact/contact.h"

void abut_contact_size(const AbutModel *model, AbutPair *pair)
{
	const AbutFrictionCone cone = model->options.friction_cone;
	int n_rows = 0, law = 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1); /* gamma and lambda_alpha */
	pair->n_cones = 2 + abut_friction_cones(cone, pair->tail, 0, &law, NULL);
	int n_eps = 0;
	pair->n_side = 0;
	for (int i = 0; i < 2; i++) {
		const AbutPart *part = &model->parts[pair->part[i]];
		n_rows += part->rows.n_rows;
		n_eps += part->rows.n_eps;
		pair->n_side += abut_side_memory(&part->rows);
		pair->n_cones += part->n_cones;
		law += part->law_size;
	}
	pair->n_law = law;
	pair->n_y = 4 + n_eps + abut_friction_n_y(cone, pair->tail);
	pair->n_z = 2 + n_rows + abut_friction_n_z(cone, pair->tail);
}

AbutRoom abut_contact_room(const AbutModel *model, int contacts)
{
	const AbutFrictionCone cone = model->options.friction_cone;
	int eps = 0, side = 0, rows = 0, part_law = 0, part_cones = 0; /* maxima over all parts */
	for (int i = 0; i < model->n_parts; i++) {
		const AbutPart *part = &model->parts[i];
		eps = part->rows.n_eps > eps ? part->rows.n_eps : eps;
		const int memory = abut_side_memory(&part->rows);
		side = memory > side ? memory : side;
		rows = part->rows.n_rows > rows ? part->rows.n_rows : rows;
		part_law = part->law_size > part_law ? part->law_size : part_law;
		part_cones = part->n_cones > part_cones ? part->n_cones : part_cones;
	}
	int law = 2 * abut_cone_law_size(ABUT_CONE_ORTHANT, 1);
	const int cones = 2 + abut_friction_cones(cone, 3, 0, &law, NULL);
	return (AbutRoom){.contacts = contacts,
	                  .n_y = abut_room_total(contacts, 4 + 2 * eps + abut_friction_n_y(cone, 3)),
	                  .n_z = abut_room_total(contacts, 2 + 2 * rows + abut_friction_n_z(cone, 3)),
	                  .n_law = abut_room_total(contacts, law + 2 * part_law),
	                  .n_cones = abut_room_total(contacts, cones + 2 * part_cones),
	                  .n_side = abut_room_total(contacts, 2 * side)};
}

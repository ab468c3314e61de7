/* Computes the steps of a contact's unknowns from the steps of its bodies, the rows stored by
 * dynamics/contact/condense.c, and the laws of its cones. */
#include "dynamics/contact/recover.h"

#include "base/clones.h"
#include "base/vec3.h"
#include "collision/rows/shape_kernel.h"

/* Computes the values of the rows [delta (3), dalpha, dslip (3)] from the bodies' steps. `weight` multiplies the second
 * right-hand side. */
ALWAYS_INLINE void row_values(int width, const AbutContactWork *contact, double weight, const double *dy_bodies,
                              double values[7])
{
	double step[ABUT_ROW] = {0.0};
	for (int i = 0; i < width / ABUT_SIDE_1; i++) {
		const double *dy = &dy_bodies[6 * contact->side[i].body->moving];
		for (int c = 0; c < 6; c++) {
			step[i * ABUT_SIDE_1 + c] = dy[c];
		}
		step[i * ABUT_SIDE_1 + ABUT_LANE] = i == 0 ? 1.0 : 0.0;
		step[i * ABUT_SIDE_1 + ABUT_LANE + 1] = i == 0 ? weight : 0.0;
	}
	/* The columns of both bodies are added in a fixed order, so that all machines round alike. */
	for (int i = 0; i < 7; i++) {
		const double *row = contact->rows[i];
		double sum[ABUT_SIDE_1];
		for (int c = 0; c < ABUT_SIDE_1; c++) {
			sum[c] = row[c] * step[c];
		}
		for (int c = ABUT_SIDE_1; c < width; c++) {
			sum[c - ABUT_SIDE_1] += row[c] * step[c];
		}
		for (int c = 0; c < 4; c++) {
			sum[c] += sum[c + 4];
		}
		values[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
	}
}

ABUT_CLONES void abut_contact_recover(const AbutContactWork *contact, const AbutEdgeRoom *room, const AbutConeLaw *law,
                                      double weight, const double *dy_bodies, double *dy, double *dz, double *dH)
{
	const AbutContactSide *a = &contact->side[0], *b = &contact->side[1];
	double values[7];
	if (b->body->moving >= 0) {
		row_values(ABUT_ROW, contact, weight, dy_bodies, values);
	} else {
		row_values(ABUT_SIDE_1, contact, weight, dy_bodies, values);
	}
	double point[2][4] = {{values[0], values[1], values[2], values[3]}, {0.0, 0.0, 0.0, values[3]}};
	double d_world[3], material[2][3] = {{0.0}};
	abut_mat3_vec(a->body->R, values, d_world);
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		if (side->body->moving < 0) {
			continue;
		}
		double turn[3];
		const double *d = &dy_bodies[6 * side->body->moving];
		abut_mat3_vec(side->body->G, &d[3], turn);
		abut_cross3(turn, side->arm, material[i]);
		abut_add_scaled3(material[i], room->timestep, d, material[i]);
	}
	abut_add3(d_world, material[0], dy);
	abut_sub3(dy, material[1], d_world);
	dy[3] = values[3];
	abut_mat3_tvec(b->body->R, d_world, point[1]);
	dH[0] = contact->scale.weight_contact * values[3];
	abut_cone_apply_law(&contact->cones[0], law, weight, &dH[0], &dz[0]);
	dH[contact->at.alpha_z] = values[3];
	abut_cone_apply_law(contact->alpha_cone, law, weight, &dH[contact->at.alpha_z], &dz[contact->at.alpha_z]);
	const AbutFriction friction = abut_contact_friction(contact, room->friction_cone);
	abut_friction_recover(&friction, law, weight, dz[0], &values[4], &dy[contact->at.psi_y],
	                      &dz[contact->at.friction_z], &dH[contact->at.friction_z]);
	for (int i = 0; i < 2; i++) {
		const AbutContactSide *side = &contact->side[i];
		const AbutRowsStep step = {point[i], &dy[side->y], &dz[side->z], &dH[side->z]};
		abut_conic_rows_recover(side->rows, side->cones, law, weight, side->eps_map, &step);
	}
}

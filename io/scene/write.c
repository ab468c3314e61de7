/* Writes a definition as a scene file, key by key in the order of docs/interface.md. */
#include "io/scene/write.h"
#include "abut/smooth.h"

#include "abut/io.h"
#include "base/error.h"
#include "io/scene/write_joints.h"
#include "io/scene/write_sensors.h"
#include "io/scene/write_shapes.h"
#include "io/text/number.h"
#include "io/text/output_target.h"

static void write_if(FILE *file, bool given, const char *key, double value)
{
	if (given) {
		abut_scene_write_number(file, key, value);
	}
}

static void write_solver(FILE *file, const AbutSolverOptions *solver)
{
	fprintf(file, ",\n  \"solver\": {\"preset\": \"%s\", \"method\": \"%s\"", abut_preset_name(solver->preset),
	        abut_method_name(solver->method));
	abut_scene_write_number(file, "kappa", solver->kappa);
	fprintf(file, ", \"finish\": \"%s\"", abut_finish_name(solver->finish));
	write_if(file, solver->tolerance != 0.0, "tolerance", solver->tolerance);
	fprintf(file, ", \"max_iterations\": %d, \"friction_cone\": \"%s\"", solver->max_iterations,
	        abut_friction_cone_name(solver->friction_cone));
	fprintf(file,
	        ", \"retry\": %s, \"warm_start\": %s, \"warm_start_rule\": \"%s\", \"linear_solver\": \"%s\", "
	        "\"lcp_gap\": \"%s\", \"lcp_solver\": \"%s\", \"convex_model\": \"%s\"",
	        solver->retry ? "true" : "false", solver->warm_start ? "true" : "false",
	        abut_warm_rule_name(solver->warm_start_rule), abut_linear_solver_name(solver->linear_solver),
	        abut_lcp_gap_name(solver->lcp_gap), abut_lcp_solver_name(solver->lcp_solver),
	        abut_convex_model_name(solver->convex_model));
	write_if(file, solver->collision_kappa != 0.0, "collision_kappa", solver->collision_kappa);
	abut_scene_write_vector(file, "solref", solver->solref, 2);
	abut_scene_write_vector(file, "solimp", solver->solimp, 5);
	abut_scene_write_number(file, "impratio", solver->impratio);
	abut_scene_write_number(file, "margin", solver->margin);
	write_if(file, solver->kappa_gradient != 0.0, "kappa_gradient", solver->kappa_gradient);
	fputs("}", file);
}

static void write_mass(FILE *file, const AbutBodyDef *body)
{
	write_if(file, body->mass != 0.0, "mass", body->mass);
	write_if(file, body->density != 0.0, "density", body->density);
	if (body->has_inertia) {
		abut_scene_write_matrix(file, "inertia", body->inertia, 3, 3);
	}
	if (body->has_centre_of_mass) {
		abut_scene_write_vector(file, "centre_of_mass", body->centre_of_mass, 3);
	}
}

static void write_body(FILE *file, const AbutBodyDef *body)
{
	fputs("{\"name\": ", file);
	abut_json_write_string(file, body->name);
	fprintf(file, ", \"static\": %s, \"shape\": ", body->is_static ? "true" : "false");
	abut_scene_write_parts(file, body->n_parts, body->parts, body->parts_mass);
	write_mass(file, body);
	abut_scene_write_vector(file, "position", body->position, 3);
	abut_scene_write_vector(file, "orientation", body->orientation, 4);
	abut_scene_write_vector(file, "linear_velocity", body->linear_velocity, 3);
	abut_scene_write_vector(file, "angular_velocity", body->angular_velocity, 3);
	if (body->planar_xz) {
		fputs(", \"planar\": \"xz\"", file);
	}
	write_if(file, body->friction >= 0.0, "friction", body->friction);
	fputs(", \"input\": {\"force\": ", file);
	abut_json_write_numbers(file, ", ", body->force, 3);
	abut_scene_write_vector(file, "torque", body->torque, 3);
	fputs("}}", file);
}

static void write_contacts(FILE *file, const AbutSceneDef *def)
{
	fputs(",\n  \"contacts\": [", file);
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *pair = &def->pairs[i];
		fputs(i > 0 ? ",\n    {\"pair\": " : "\n    {\"pair\": ", file);
		abut_scene_write_pair(file, def->bodies[pair->body_a].name, def->bodies[pair->body_b].name);
		if (pair->has_parts) {
			fprintf(file, ", \"parts\": [%d, %d]", pair->part_a, pair->part_b);
		}
		write_if(file, pair->friction >= 0.0, "friction", pair->friction);
		write_if(file, pair->torsional_radius >= 0.0, "torsional_radius", pair->torsional_radius);
		write_if(file, pair->restitution >= 0.0, "restitution", pair->restitution);
		if (pair->has_solref) {
			abut_scene_write_vector(file, "solref", pair->solref, 2);
		}
		if (pair->has_solimp) {
			abut_scene_write_vector(file, "solimp", pair->solimp, 5);
		}
		write_if(file, pair->has_margin, "margin", pair->margin);
		fputc('}', file);
	}
	fprintf(file, "%s%s]", def->n_pairs > 0 && def->all_pairs ? ", " : "", def->all_pairs ? "\"all\"" : "");
	if (def->all_pairs && def->n_exclude > 0) {
		fputs(",\n  \"exclude\": [", file);
		for (int i = 0; i < def->n_exclude; i++) {
			fputs(i > 0 ? ", " : "", file);
			abut_scene_write_pair(file, def->bodies[def->exclude[i][0]].name,
			                      def->bodies[def->exclude[i][1]].name);
		}
		fputc(']', file);
	}
}

static AbutStatus check_parts(const AbutSceneDef *def, int body, AbutError *error)
{
	for (int p = 0; p < def->bodies[body].n_parts; p++) {
		const AbutShape *shape = def->bodies[body].parts[p];
		double radii[3], exponents[2];
		if (shape->kind == ABUT_SHAPE_SMOOTH && !abut_shape_is_superellipsoid(shape, radii, exponents)) {
			char where[64];
			snprintf(where, sizeof where, "bodies[%d].shape", body);
			return abut_error_set(
			    error, ABUT_ERROR_UNSUPPORTED, where,
			    "body '%s' has a shape that a program defines by functions; a scene file cannot store it",
			    def->bodies[body].name);
		}
	}
	return ABUT_OK;
}

AbutStatus abut_scene_write(FILE *file, const AbutSceneDef *def, AbutError *error)
{
	for (int i = 0; i < def->n_bodies; i++) {
		ABUT_TRY(check_parts(def, i, error));
	}
	fputs("{\n  \"abut\": 1", file);
	if (def->name) {
		fputs(",\n  \"name\": ", file);
		abut_json_write_string(file, def->name);
	}
	fputs(",\n  \"gravity\": ", file);
	abut_json_write_numbers(file, ", ", def->gravity, 3);
	abut_scene_write_number(file, "timestep", def->timestep);
	abut_scene_write_number(file, "duration", def->duration);
	abut_scene_write_number(file, "friction", def->friction);
	abut_scene_write_number(file, "restitution", def->restitution);
	fprintf(file, ", \"quasi_static\": %s", def->quasi_static ? "true" : "false");
	write_solver(file, &def->solver);
	fputs(",\n  \"bodies\": [", file);
	for (int i = 0; i < def->n_bodies; i++) {
		fputs(i > 0 ? ",\n    " : "\n    ", file);
		write_body(file, &def->bodies[i]);
	}
	fputs("\n  ]", file);
	abut_scene_write_joints(file, def);
	abut_scene_write_sensors(file, def);
	write_contacts(file, def);
	fputs("\n}\n", file);
	return ABUT_OK;
}

AbutStatus abut_scene_save(const AbutSceneDef *def, const char *path, AbutError *error)
{
	AbutTarget target = {NULL};
	AbutStatus status = abut_target_open(&target, NULL, path, error);
	ABUT_THEN(status, abut_scene_write(target.file, def, error));
	return abut_target_end(&target, status, error);
}

/* Compares pairs with the rules of include/abut/scene.h, implemented again here: which parts may touch, which body is
 * the user's a, friction and torsion, and the number of pairs. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "dynamics/model/pair.h"
#include "dynamics/world.h"

enum { MOST_BODIES = 10, MOST_PARTS = 3, MOST_RULES = 10 * MOST_BODIES * MOST_BODIES };

typedef struct Scene {
	World world;
	const AbutShape *parts[MOST_BODIES][MOST_PARTS];
	AbutPairDef pairs[MOST_RULES];
	int exclude[2 * MOST_RULES][2];
} Scene;

static int pick(AbutRng *rng, int n)
{
	return (int)(abut_rng_next(rng) % (uint64_t)n);
}

static void add_bodies(Scene *scene, const AbutShape *const *pool, AbutRng *rng)
{
	const int n = 1 + pick(rng, MOST_BODIES);
	for (int i = 0; i < n; i++) {
		const bool fixed = pick(rng, 4) == 0;
		AbutBodyDef *body = world_add(&scene->world, make_sphere(0.1), fixed ? 0.0 : 1.0, 2.0 * i, 0.0, 0.0);
		body->n_parts = 1 + pick(rng, MOST_PARTS);
		body->parts = scene->parts[i];
		if (!fixed) { /* parts may overlap at random, so their mass is given */
			body->has_centre_of_mass = body->has_inertia = true;
			body->inertia[0] = body->inertia[4] = body->inertia[8] = 0.1;
		}
		body->friction = pick(rng, 3) == 0 ? -1.0 : pick(rng, 4) == 0 ? 0.0 : abut_rng_uniform(rng, 0.1, 1.0);
		for (int j = 0; j < body->n_parts; j++) { /* the last shape of the pool is a halfspace */
			scene->parts[i][j] = pool[pick(rng, WORLD_SHAPES + (fixed ? 1 : 0))];
		}
	}
}

/* Adds entries for some of the parts of two bodies. */
static void add_part_rules(Scene *scene, int a, int b, AbutRng *rng)
{
	AbutSceneDef *def = &scene->world.def;
	for (int i = 0; i < def->bodies[a].n_parts; i++) {
		for (int k = 0; k < def->bodies[b].n_parts; k++) {
			const int swap = pick(rng, 2), springs = pick(rng, 2);
			if (pick(rng, 2) == 0) {
				scene->pairs[def->n_pairs++] =
				    (AbutPairDef){.body_a = swap ? a : b,
				                  .body_b = swap ? b : a,
				                  .friction = 0.3 * (pick(rng, 4) - 1.0),
				                  .torsional_radius = 0.15 * (pick(rng, 3) - 1.0),
				                  .restitution = -1.0,
				                  .has_solref = springs,
				                  .solref = {0.03 + 0.01 * pick(rng, 9), 1.0},
				                  .has_parts = true,
				                  .part_a = swap ? i : k,
				                  .part_b = swap ? k : i};
			}
		}
	}
}

static void add_rules(Scene *scene, AbutRng *rng)
{
	AbutSceneDef *def = &scene->world.def;
	def->pairs = scene->pairs;
	def->exclude = (const int(*)[2])scene->exclude;
	def->all_pairs = pick(rng, 2) == 0;
	for (int a = 0; a < def->n_bodies; a++) {
		for (int b = 0; b < a; b++) {
			const int swap = pick(rng, 2), kind = pick(rng, 4);
			const bool fixed = def->bodies[a].is_static && def->bodies[b].is_static;
			if (kind == 0 && !fixed) {
				scene->pairs[def->n_pairs++] =
				    (AbutPairDef){.body_a = swap ? a : b,
				                  .body_b = swap ? b : a,
				                  .friction = pick(rng, 3) - 1.0,
				                  .torsional_radius = 0.2 * (pick(rng, 3) - 1.0),
				                  .has_solref = pick(rng, 2),
				                  .solref = {0.02 + 0.01 * pick(rng, 9), 1.0}};
			}
			if ((kind == 0 || kind == 2) && !fixed && pick(rng, 2)) {
				add_part_rules(scene, a, b, rng);
			}
			for (int k = 0; kind == 1 && def->all_pairs && k <= pick(rng, 2); k++) { /* once or twice */
				const int turn = k == 0 ? swap : 1 - swap;
				scene->exclude[def->n_exclude][0] = turn ? a : b;
				scene->exclude[def->n_exclude++][1] = turn ? b : a;
			}
		}
	}
}

static const AbutPairDef *listed(const AbutSceneDef *def, int a, int b)
{
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *p = &def->pairs[i];
		if (!p->has_parts && ((p->body_a == a && p->body_b == b) || (p->body_a == b && p->body_b == a))) {
			return p;
		}
	}
	return NULL;
}

/* Returns the entry of two parts of the bodies a and b, given by their indices there; the first one if part_a < 0. */
static const AbutPairDef *listed_parts(const AbutSceneDef *def, int a, int b, int part_a, int part_b)
{
	const AbutPairDef *found = NULL;
	for (int i = 0; i < def->n_pairs; i++) {
		const AbutPairDef *p = &def->pairs[i];
		const bool same = p->body_a == a && p->body_b == b, other = p->body_a == b && p->body_b == a;
		const int of_a = same ? p->part_a : p->part_b, of_b = same ? p->part_b : p->part_a;
		if (p->has_parts && (same || other) &&
		    (part_a < 0 ? !found || same : of_a == part_a && of_b == part_b)) {
			found = p;
		}
	}
	return found;
}

static bool excluded(const AbutSceneDef *def, int a, int b)
{
	for (int i = 0; i < def->n_exclude; i++) {
		const int *p = def->exclude[i];
		if ((p[0] == a && p[1] == b) || (p[0] == b && p[1] == a)) {
			return true;
		}
	}
	return false;
}

static bool may_touch(const AbutSceneDef *def, int a, int b)
{
	return a != b && !(def->bodies[a].is_static && def->bodies[b].is_static) &&
	       (listed(def, a, b) || listed_parts(def, a, b, -1, -1) || (def->all_pairs && !excluded(def, a, b)));
}

static double friction_of(const AbutSceneDef *def, int body)
{
	return def->bodies[body].friction >= 0.0 ? def->bodies[body].friction : def->friction;
}

/* Checks the values of a pair of two parts, of the bodies a < b, in metres. */
static void check_values(const AbutModel *model, const AbutSceneDef *def, int a, int b, const AbutPair *pair,
                         unsigned seed)
{
	const AbutPairDef *rule = listed(def, a, b);
	const AbutShape *shape[2];
	int rows = 0, eps = 0;
	for (int s = 0; s < 2; s++) {
		shape[s] = model->parts[pair->part[s]].shape;
		cr_assert_eq(model->parts[pair->part[s]].body, pair->body[s], "seed %u", seed);
		rows += shape[s]->n_rows;
		eps += shape[s]->n_eps;
	}
	cr_assert_not(def->bodies[pair->body[0]].is_static, "seed %u: side 0 is static", seed);
	cr_assert_neq(shape[0]->kind, ABUT_SHAPE_HALFSPACE, "seed %u: side 0 is a halfspace", seed);
	const AbutPairDef *some = listed_parts(def, a, b, -1, -1);
	const int user_a = rule ? rule->body_a : some ? some->body_a : a;
	cr_assert_eq(pair->body[pair->flipped ? 1 : 0], user_a, "seed %u: %d and %d, the user's a is %d", seed, a, b,
	             user_a);
	const double L = model->units.length, R = shape[0]->outer_radius + shape[1]->outer_radius;
	const int side_a = pair->body[0] == a ? 0 : 1;
	const AbutPairDef *own = listed_parts(def, a, b, pair->part[side_a] - model->bodies[a].first_part,
	                                      pair->part[1 - side_a] - model->bodies[b].first_part);
	const double mu = own && own->friction >= 0.0     ? own->friction
	                  : rule && rule->friction >= 0.0 ? rule->friction
	                                                  : sqrt(friction_of(def, a) * friction_of(def, b));
	const double time = own && own->has_solref     ? own->solref[0]
	                    : rule && rule->has_solref ? rule->solref[0]
	                                               : def->solver.solref[0];
	cr_assert_eq(pair->soft->solref[0], time, "seed %u: %g for %g", seed, pair->soft->solref[0], time);
	cr_assert_eq(pair->own_friction, own && own->friction >= 0.0);
	const double radius = mu == 0.0                               ? 0.0
	                      : own && own->torsional_radius >= 0.0   ? own->torsional_radius
	                      : rule && rule->torsional_radius >= 0.0 ? rule->torsional_radius
	                                                              : 0.1 * R;
	cr_assert_float_eq(pair->mu, mu, 1e-14, "seed %u: friction %g for %g", seed, pair->mu, mu);
	cr_assert_float_eq(pair->outer_radius * L, R, 1e-12, "seed %u", seed);
	cr_assert_float_eq(pair->torsional_radius * L, radius, 1e-12, "seed %u: radius %g for %g", seed,
	                   pair->torsional_radius * L, radius);
	const int tail = mu == 0.0 ? 0 : radius == 0.0 ? 2 : 3;
	cr_assert_eq(pair->tail, tail, "seed %u", seed);
	cr_assert_eq(pair->n_side, 7 * eps, "seed %u", seed);
	cr_assert_eq(pair->n_y, 4 + eps + (tail > 0), "seed %u", seed);                 /* p, alpha, eps, psi */
	cr_assert_eq(pair->n_z, 2 + rows + (tail > 0 ? 1 + tail : 0), "seed %u", seed); /* gamma, lambda's, beta */
}

Test(pair, follows_the_rules)
{
	const double down[3] = {0.0, 0.0, 1.0};
	AbutShape *pool[WORLD_SHAPES + 1];
	long made = 0, refused = 0, turned = 0;
	for (int i = 0; i < WORLD_SHAPES; i++) {
		pool[i] = make_primitive(i, 0.5 + 0.1 * i);
	}
	cr_assert_eq(abut_shape_create_halfspace(down, -3.0, &pool[WORLD_SHAPES], NULL), ABUT_OK);
	for (unsigned seed = 0; seed < 400; seed++) {
		static Scene scene;
		AbutRng rng = {seed};
		world_begin(&scene.world);
		add_bodies(&scene, (const AbutShape *const *)pool, &rng);
		add_rules(&scene, &rng);
		world_make(&scene.world);
		const AbutModel *model = scene.world.model;
		const AbutSceneDef *def = &scene.world.def;
		int count = 0;
		for (int first = 0; first < model->n_parts; first++) {
			for (int second = first + 1; second < model->n_parts; second++) {
				const int a = model->parts[first].body, b = model->parts[second].body;
				AbutPair pair;
				memset(&pair, 0xff, sizeof pair);
				const bool allowed = abut_pair_make(model, first, second, &pair);
				cr_assert_eq(allowed, may_touch(def, a, b), "seed %u: bodies %d and %d", seed, a, b);
				refused += !allowed;
				if (allowed) {
					cr_assert((pair.part[0] == first && pair.part[1] == second) ||
					              (pair.part[0] == second && pair.part[1] == first),
					          "seed %u", seed);
					check_values(model, def, a, b, &pair, seed);
					count++;
					turned += pair.flipped;
				}
			}
		}
		cr_assert_eq(abut_model_pair_count(model), count, "seed %u: %d pairs, counted %d", seed,
		             abut_model_pair_count(model), count);
		made += count;
		world_end(&scene.world);
	}
	cr_assert(made > 5000 && refused > 5000 && turned > 500, "%ld made, %ld refused, %ld turned", made, refused,
	          turned);
	for (int i = 0; i <= WORLD_SHAPES; i++) {
		abut_shape_destroy(pool[i]);
	}
}

/* Tests that overrides change single values, add keys that the file leaves out, and give an error if they cannot. */
#include <criterion/criterion.h>
#include <string.h>

#include "abut/io.h"
#include "io/scene_text.h"

static AbutStatus parse(int n, const char *const *overrides, AbutScene **scene, AbutError *error)
{
	return abut_scene_parse(scene_text, strlen(scene_text), "test.json", n, overrides, scene, error);
}

Test(override, values)
{
	static const char *const overrides[] = {"timestep=0.05",
	                                        "gravity=[0, 0, -1]",
	                                        "solver.kappa=1e-8",
	                                        "solver.finish=none",
	                                        "bodies[1].mass=2",
	                                        "bodies.cube.position[2]=7",
	                                        "name=a word",
	                                        "bodies.cube.input.force=[1,2,3]",
	                                        "shapes.brick.half_extents=[1,1,4]",
	                                        "contacts=all",
	                                        "solver.warm_start=false",
	                                        "solver.kappa=1e-7",
	                                        "bodies[1].name=block",
	                                        "bodies.block.friction=0.125",
	                                        "shapes[\"x.y\"]={\"type\": \"sphere\", \"radius\": 1}",
	                                        "bodies[1].shape=x.y"};
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(parse(sizeof overrides / sizeof *overrides, overrides, &scene, &error), ABUT_OK, "%s: %s",
	             error.where, error.message);
	const AbutSceneDef *def = abut_scene_def(scene);
	cr_expect_eq(def->timestep, 0.05);
	cr_expect_eq(def->gravity[2], -1.0);
	cr_expect_eq(def->solver.kappa, 1e-7); /* the later one */
	cr_expect_eq(def->solver.finish, ABUT_FINISH_NONE);
	cr_expect(!def->solver.warm_start);
	cr_expect_eq(def->bodies[1].mass, 2.0);
	cr_expect_eq(def->bodies[1].position[2], 7.0);
	cr_expect_eq(def->bodies[1].force[1], 2.0);
	cr_expect_eq(def->bodies[1].friction, 0.125);
	cr_expect_eq(def->bodies[1].parts[0]->kind, ABUT_SHAPE_SPHERE);
	cr_expect_str_eq(def->bodies[1].name, "block");
	cr_expect_str_eq(def->name, "a word");
	cr_expect(def->all_pairs);
	abut_scene_destroy(scene);
}

Test(override, whole_element)
{
	static const char *const overrides[] = {
	    "bodies[0]={\"name\": \"floor\", \"static\": true, \"shape\": \"brick\"}"};
	AbutScene *scene = NULL;
	AbutError error = {0};
	cr_assert_eq(parse(1, overrides, &scene, &error), ABUT_OK, "%s", error.message);
	cr_expect_eq(abut_scene_def(scene)->bodies[0].parts[0]->kind, ABUT_SHAPE_BOX);
	abut_scene_destroy(scene);
}

Test(override, errors)
{
	static const struct {
		const char *text, *where, *message;
	} table[] = {
	    {"timestep", "", "must be PATH=VALUE"},
	    {"=1", "", "the path is malformed"},
	    {"a..b=1", "", "the path is malformed"},
	    {"bodies[x].mass=1", "", "the path is malformed"},
	    {"bodies[99999999999].mass=1", "", "the path is malformed"},
	    {"bodies[1=1", "", "the path is malformed"},
	    {"shapes[\"brick=1", "", "the path is malformed"},
	    {"bodies[2].mass=1", "bodies", "the array has the elements [0] to [1]"},
	    {"bodies.cub.mass=1", "bodies", "no body has the name \"cub\"; did you mean \"cube\"?"},
	    {"[0]=1", "", "this is an object: name a key"},
	    {"timestep.x=1", "timestep", "this is not an object or array"},
	    {"bodies[1].shape.radius=1", "bodies[1].shape", "this is not an object or array"},
	    {"timestep=", "", "the value is not JSON"},
	    {"timestep=1 2", "", "the value is not JSON"},
	    {"gravity=[1,2", "", "the value is not JSON: the text ends"},
	    {"name=\xff", "", "not valid UTF-8"},
	    {"timestep=abc", "timestep", "must be a positive, finite number, is the string \"abc\""},
	    {"timestep=NaN", "timestep", "is the string \"NaN\""},
	    {"timestep=1e400", "timestep", "past the range of a double"},
	    {"timestp=1", "timestp", "did you mean \"timestep\"?"},
	    {"solvr.kappa=1", "solvr", "did you mean \"solver\"?"},
	    {"solver.kapa=1", "solver.kapa", "did you mean \"kappa\"?"},
	    {"solver.method=magic", "solver.method", "one of single-level"},
	    {"bodies.cube.mass=-1", "bodies[1].mass", "is -1 (set by \"bodies.cube.mass=-1\")"},
	    {"shapes.new.type=box", "shapes.new.half_extents", "required key \"half_extents\" is missing"},
	    {"bodies=[]", "bodies", "has 0"},
	    {"timestep=.05", "", "the value is not JSON: write 0.05 (in \"timestep=.05\")"},
	    {"timestep=-.5", "", "write -0.5 "},
	    {"timestep=+5", "", "write 5 "},
	    {"timestep=5.", "", "write 5 "},
	    {"timestep=007", "", "write 7 "},
	    {"timestep=0,05", "", "write 0.05 "},
	    {"timestep=.5e-3", "", "write 0.5e-3 "},
	    {"timestep=1e", "", "malformed number"},
	    {"timestep=.", "timestep", "is the string \".\""},
	    {"timestep=1/100", "", "'/' where the end of the text is expected"},
	    {"timestep=1 // s", "", "comments are not JSON"},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		AbutScene *scene = NULL;
		AbutError error = {0};
		const char *const overrides[] = {"timestep=0.02", table[i].text};
		const AbutStatus status = parse(2, overrides, &scene, &error);
		cr_expect_eq(status, ABUT_ERROR_PARSE, "%s: status %d", table[i].text, status);
		cr_expect_null(scene);
		cr_expect_str_eq(error.file, "--set", "%s: file %s", table[i].text, error.file);
		cr_expect_str_eq(error.where, table[i].where, "%s: where '%s'", table[i].text, error.where);
		cr_expect(strstr(error.message, table[i].message), "%s: message '%s'", table[i].text, error.message);
		cr_expect_eq(error.line, 0);
	}
}

Test(override, errors_elsewhere_keep_the_file)
{
	char text[SCENE_TEXT_SIZE];
	cr_assert(scene_replace("\"mass\": 1", "\"mass\": -1", text));
	AbutScene *scene = NULL;
	AbutError error = {0};
	const char *const overrides[] = {"bodies[1].friction=0.2", "bodies[1].name=m"};
	cr_expect_eq(abut_scene_parse(text, strlen(text), "test.json", 2, overrides, &scene, &error), ABUT_ERROR_PARSE);
	cr_expect_str_eq(error.file, "test.json");
	cr_expect_eq(error.line, 10);
}

/* Tests that the names in exports are unique, and that what they refer to is what the scene refers to. */
#include <criterion/criterion.h>
#include <string.h>

#include "abut/abut.h"
#include "io/described.h"

/* Returns how many elements of a tag have a name. */
static int count(const char *text, const char *tag, const char *name)
{
	char element[100];
	int n = 0;
	snprintf(element, sizeof element, "<%s name=\"%s\"", tag, name);
	for (const char *at = strstr(text, element); at; at = strstr(at + 1, element)) {
		n++;
	}
	return n;
}

static void expect_once(const char *text, const char *tag, const char *const *names)
{
	for (int i = 0; names[i]; i++) {
		cr_expect_eq(count(text, tag, names[i]), 1, "%s %s in\n%s", tag, names[i], text);
	}
}

/* The names that a universal joint, a site and a motor of a ball would get are those of others, and those of the world
 * are those of a body and a site. */
Test(describe_names, links_and_joints_of_urdf_have_names_of_their_own)
{
	static Imported first, again;
	static Kept notes;
	static const char *const links[] = {"world",  "world_",  "a",       "b",        "c",  "d", "e",
	                                    "b_link", "b_link_", "world__", "world___", "d_", NULL};
	static const char *const joints[] = {"j_0_", "j_1", "j_0", "n", "n_1", NULL};
	static const char *const expected[] = {"body|world|approximated: body \"world\" is called \"world_\"",
	                                       "site|world|approximated: site \"world\" is called \"world__\"",
	                                       "site|d|approximated: site \"d\" is called \"d_\"",
	                                       "site|world_|approximated: site \"world_\" is called \"world___\""};
	open_scene(&first, DESCRIBED("names.json"));
	char *text = export_text(&first, true, NULL, &notes);
	expect_once(text, "link", links);
	expect_once(text, "joint", joints);
	for (int i = 0, next = 0; i < notes.n; i++) {
		if (strstr(notes.text[i], "is called")) {
			cr_assert_lt(next, 4);
			cr_expect_str_eq(notes.text[i], expected[next++]);
		}
	}
	open_text(&again, text);
	const AbutSceneDef *def = abut_scene_def(again.scene);
	cr_assert_eq(def->n_couplings, 1);
	cr_expect_eq(def->couplings[0].joint[0], joint_index(&again, "j_0"));
	cr_expect_eq(def->couplings[0].joint[1], joint_index(&again, "j_0_"));
	cr_expect_eq(def->n_bodies, 7, "with the link between the joints of j");
	cr_expect_eq(joint_of(&again, "j_0_")->parent, (int)(find(&again, "a") - def->bodies));
	cr_expect_eq(joint_of(&again, "j_0")->child, (int)(find(&again, "c") - def->bodies));
	cr_expect_eq(find(&again, "world_")->position[0], 9.0);
	free(text);
	close_import(&first);
	close_import(&again);
}

Test(describe_names, joints_and_actuators_of_mjcf_have_names_of_their_own)
{
	static Imported first, again;
	static Kept notes;
	static const char *const bodies[] = {"world_", "a", "b", "c", "d", "e", NULL};
	static const char *const joints[] = {"j_0_", "j_1", "j_0", "n", "n_1", NULL};
	static const char *const motors[] = {"j_0_", "j_1", "j_0", "n_0", "n_1_", "n_2", "n_1", NULL};
	open_scene(&first, DESCRIBED("names.json"));
	char *text = export_text(&first, false, NULL, &notes);
	expect_once(text, "body", bodies);
	expect_once(text, "joint", joints);
	expect_once(text, "motor", motors);
	open_text(&again, text);
	const AbutSceneDef *a = abut_scene_def(first.scene), *b = abut_scene_def(again.scene);
	const AbutJointDef *both = joint_of(&again, "j_0_+j_1");
	cr_expect_eq(both->type, ABUT_JOINT_UNIVERSAL);
	cr_expect_eq(both->axes[0].motor.limit, 2.0);
	cr_expect_eq(both->axes[1].motor.limit, 3.0);
	cr_expect_eq(joint_of(&again, "j_0")->axes[0].motor.limit, 4.0);
	cr_expect_eq(joint_of(&again, "n_1")->axes[0].motor.limit, 6.0);
	cr_assert_eq(b->n_couplings, 1);
	cr_expect_eq(b->couplings[0].joint[1], joint_index(&again, "j_0_+j_1"));
	cr_expect_eq(b->n_bodies, a->n_bodies);
	cr_expect_eq(b->n_sites, a->n_sites);
	free(text);
	close_import(&first);
	close_import(&again);
}

/* Compares the first step of a state without memory with the step of the state from which it was read. */
#include "dynamics/joint_chain.h"
#include "dynamics/methods/joints/method_joint_scenes.h"

/* Starts `fresh` at the bodies' poses and velocities of `old`. */
static void restart(const JointScene *old, const JointScene *fresh)
{
	for (int i = 0; i < CHAIN_BODIES; i++) {
		AbutBodyState body;
		abut_state_get_body(old->model, old->state, i, &body);
		cr_assert_eq(abut_state_set_body(fresh->model, fresh->state, i, &body), ABUT_OK);
	}
}

/* The velocities of a state are the mean ones of its last step, so they and the poses give the rates in it. Stiff
 * servos are left out: the direction of their impulses also depends on the last impulses (direction.h). */
Test(first_step, is_that_of_a_state_that_remembers_its_rates)
{
	static const Laws laws[] = {LAWS_NONE, LAWS_SPRINGS, LAWS_LIMITS};
	int compared = 0;
	for (unsigned seed = 0; seed < 48; seed++) {
		JointScene old, fresh;
		const AbutJointType type = (AbutJointType)(seed % ABUT_JOINT_TYPE_COUNT);
		const Laws own = laws[seed / ABUT_JOINT_TYPE_COUNT % 3];
		chain_make(&old, type, own, seed);
		chain_make(&fresh, type, own, seed);
		if (joint_scene_step(&old, "chain", seed).parts ==
		    1) { /* in parts, the velocities are those of the last */
			restart(&old, &fresh);
			joint_scene_step(&old, "chain", seed);
			joint_scene_step(&fresh, "chain", seed);
			const double off = joint_scene_difference(&old, &fresh);
			cr_expect_leq(off, 1e-9, "seed %u, type %s, laws %d: %g", seed, abut_joint_type_name(type),
			              (int)own, off);
			compared++;
		}
		joint_scene_end(&old);
		joint_scene_end(&fresh);
	}
	cr_expect_geq(compared, 40);
}

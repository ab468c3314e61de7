/* The scenes of the comparison with DART and MuJoCo. Cubes of 1 m and balls of radius 0.5 m, 1 kg each, friction 0.5,
 * 10 ms. What touches at the start overlaps by a micrometre, so that it counts in every engine. */
#include "experiments/peers/original_cases.h"

#include <string.h>

#include "experiments/peers/originals.h"
#include "experiments/peers/scenes.h"

#define OVERLAP (-1e-6)
static const AbutPeerStart rest = {0.0, 0.0, OVERLAP}, shallow = {20.0, 0.0, OVERLAP}, steep = {35.0, 0.0, OVERLAP},
                           moving = {0.0, 2.0, OVERLAP}, above = {0.0, 0.0, 0.5};

#define SCENE(label, shape, number, seconds, first)                                                                    \
	.scene = {.name = (label),                                                                                     \
	          .layout = ABUT_PEER_STACK,                                                                           \
	          .kind = (shape),                                                                                     \
	          .count = (number),                                                                                   \
	          .timestep = 0.01,                                                                                    \
	          .duration = (seconds),                                                                               \
	          .runs = 1,                                                                                           \
	          .repeats = 5,                                                                                        \
	          .start = &(first)}
#define STACK(number)                                                                                                  \
	{                                                                                                              \
		SCENE("stack_" #number "_rest", ABUT_SHAPE_BOX, number, 2.0, rest), .claim = {                         \
			ABUT_ORIGINAL_WRENCHES,                                                                        \
			ABUT_ORIGINAL_WRENCHES                                                                         \
		}                                                                                                      \
	}
#define KICKED(number)                                                                                                 \
	{                                                                                                              \
		.scene = {"stack_" #number "_kick",                                                                    \
		          ABUT_PEER_STACK,                                                                             \
		          ABUT_SHAPE_BOX,                                                                              \
		          number,                                                                                      \
		          0.01,                                                                                        \
		          0.0,                                                                                         \
		          4.5,                                                                                         \
		          20,                                                                                          \
		          3,                                                                                           \
		          0.05,                                                                                        \
		          10,                                                                                          \
		          false,                                                                                       \
		          &rest},                                                                                      \
		.claim = {                                                                                             \
			ABUT_ORIGINAL_MOMENTUM,                                                                        \
			ABUT_ORIGINAL_NOTHING                                                                          \
		}                                                                                                      \
	}

static const AbutOriginalCase cases[] = {
    {SCENE("box_rest", ABUT_SHAPE_BOX, 1, 2.0, rest), .claim = {ABUT_ORIGINAL_WRENCHES, ABUT_ORIGINAL_WRENCHES}},
    {SCENE("incline_sticks", ABUT_SHAPE_BOX, 1, 2.0, shallow),
     .claim = {ABUT_ORIGINAL_WRENCHES, ABUT_ORIGINAL_WRENCHES}},
    {SCENE("incline_slides", ABUT_SHAPE_BOX, 1, 2.0, steep), .claim = {ABUT_ORIGINAL_MOTION, ABUT_ORIGINAL_NOTHING}},
    {SCENE("box_slides", ABUT_SHAPE_BOX, 1, 1.0, moving), .claim = {ABUT_ORIGINAL_MOTION, ABUT_ORIGINAL_MOTION}},
    {SCENE("box_falls_flat", ABUT_SHAPE_BOX, 1, 1.0, above), .claim = {ABUT_ORIGINAL_MOTION, ABUT_ORIGINAL_MOTION}},
    {SCENE("ball_rolls", ABUT_SHAPE_SPHERE, 1, 2.0, moving), .claim = {ABUT_ORIGINAL_MOTION, ABUT_ORIGINAL_MOTION}},
    {SCENE("ball_falls", ABUT_SHAPE_SPHERE, 1, 1.0, above), .claim = {ABUT_ORIGINAL_MOTION, ABUT_ORIGINAL_MOTION}},
    STACK(2),
    STACK(3),
    STACK(4),
    STACK(5),
    STACK(6),
    STACK(7),
    STACK(8),
    STACK(9),
    STACK(10),
    KICKED(2),
    KICKED(4),
    KICKED(10),
    {.scene = {"box_drops", ABUT_PEER_DROPPED, ABUT_SHAPE_BOX, 1, 0.01, 0.0, 1.5, 20, 5, 0.0, 0, false, NULL},
     .claim = {ABUT_ORIGINAL_NOTHING, ABUT_ORIGINAL_NOTHING}},
};

int abut_original_case_count(void)
{
	return sizeof cases / sizeof *cases;
}

const AbutOriginalCase *abut_original_case(int index)
{
	return &cases[index];
}

bool abut_original_case_chosen(int index, const char *prefix)
{
	return !prefix || strncmp(cases[index].scene.name, prefix, strlen(prefix)) == 0;
}

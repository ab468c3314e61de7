/* The table of kinds of joints. */
#include <stddef.h>

#include "dynamics/joint/kinds/kind.h"
#include "dynamics/joint/kinds/rod.h"

enum { X, Y, Z };

#define ALL_PLACES .n_translations = 3, .translation = {X, Y, Z}
#define ALL_TURNS .n_rotations = 3, .rotation = {{Y, Z}, {Z, X}, {X, Y}}
#define KEEP_Z .n_rotations = 2, .rotation = {{X, Z}, {Y, Z}}
#define ALONG(AXIS)                                                                                                    \
	{                                                                                                              \
		.slide = (AXIS)                                                                                        \
	}
#define ABOUT_Z                                                                                                        \
	{                                                                                                              \
		.slide = -1, .sine = {Y, X}, .cosine = {X, X}, .about = Z                                              \
	}

#define SPIN(AXIS)                                                                                                     \
	{                                                                                                              \
		.slide = -1, .about = (AXIS), .spins = true                                                            \
	}

#define FREEDOMS(N) .n_freedoms = (N), .n_laws = (N)

#define BOUND(BOUND)                                                                                                   \
	{                                                                                                              \
		.slide = -1, .bound = (BOUND)                                                                          \
	}

/* The freedoms of a ball on which nothing acts are not computed. */
static const AbutJointKind table[ABUT_JOINT_TYPE_COUNT] = {
    [ABUT_JOINT_FIXED] = {ALL_PLACES, ALL_TURNS},
    [ABUT_JOINT_HINGE] = {ALL_PLACES, KEEP_Z, FREEDOMS(1), .freedom = {ABOUT_Z}},
    [ABUT_JOINT_SLIDE] = {.n_translations = 2, .translation = {X, Y}, ALL_TURNS, FREEDOMS(1), .freedom = {ALONG(Z)}},
    [ABUT_JOINT_BALL] = {ALL_PLACES},
    /* turn about x of a, then about y of b: B_y = R(alpha) A_y, and A_x = R(beta)' B_x */
    [ABUT_JOINT_UNIVERSAL] = {ALL_PLACES, .n_rotations = 1, .rotation = {{X, Y}}, FREEDOMS(2),
                              .freedom = {{.slide = -1, .sine = {Z, Y}, .cosine = {Y, Y}, .about = X},
                                          {.slide = -1, .sine = {X, Z}, .cosine = {X, X}, .about = Y}}},
    [ABUT_JOINT_CYLINDRICAL] =
        {.n_translations = 2, .translation = {X, Y}, KEEP_Z, FREEDOMS(2), .freedom = {ALONG(Z), ABOUT_Z}},
    [ABUT_JOINT_PLANAR] =
        {.n_translations = 1, .translation = {Z}, KEEP_Z, FREEDOMS(3), .freedom = {ALONG(X), ALONG(Y), ABOUT_Z}},
    [ABUT_JOINT_DISTANCE] = {.row = abut_rod_row, .row_curvature = abut_rod_curvature},
};

#define SPINS SPIN(X), SPIN(Y), SPIN(Z)

/* Balls on which something acts, by the number of their bounds. */
static const AbutJointKind acted_balls[] = {
    {ALL_PLACES, FREEDOMS(3), .freedom = {SPINS}},
    {ALL_PLACES, .n_freedoms = 3, .n_laws = 4, .freedom = {SPINS, BOUND(ABUT_BOUND_CONE)}},
    {ALL_PLACES, .n_freedoms = 3, .n_laws = 5, .freedom = {SPINS, BOUND(ABUT_BOUND_CONE), BOUND(ABUT_BOUND_TWIST)}}};

const AbutJointKind *abut_joint_kind(AbutJointType type, int bounds)
{
	return type == ABUT_JOINT_BALL && bounds >= 0 ? &acted_balls[bounds] : &table[type];
}

const AbutJointKind *abut_joint_kind_open(void)
{
	static const AbutJointKind open = {.n_freedoms = 0};
	return &open;
}

/* The words of a joint in a model's fingerprint: one for each key of a joint in a scene. */
#pragma once

#include "dynamics/model/joint.h"

enum { ABUT_JOINT_WORDS = 17 };

/* Returns the key of a word, such as "damping". */
const char *abut_joint_word_key(int word);
/* Returns a word: the hash of what the key sets. Targets of motors are inputs of a state, and not in it. */
uint64_t abut_joint_word(const AbutJoint *joint, int word);

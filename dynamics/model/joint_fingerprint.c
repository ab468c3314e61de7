/* Computes the words of joints in fingerprints. Tested in tests/dynamics/joint/test_joint_state.c. */
#include "dynamics/model/joint_fingerprint.h"

#include <string.h>

#include "base/hash.h"

/* What a word hashes: see hash_law for the laws. */
typedef enum Content {
	NAME,
	TYPE,
	PARENT,
	CHILD,
	PARENT_FRAME,
	CHILD_FRAME,
	LENGTH,
	LIMITS,
	NUMBERS,
	MOTOR,
	SPRING
} Content;

static const struct {
	const char *key;
	Content content;
	size_t offset; /* of the number of a freedom, in AbutJointAxis; of a spring, in AbutJointSoftness */
} words[ABUT_JOINT_WORDS] = {{"name", NAME, 0},
                             {"type", TYPE, 0},
                             {"parent", PARENT, 0},
                             {"child", CHILD, 0},
                             {"parent_frame", PARENT_FRAME, 0},
                             {"child_frame", CHILD_FRAME, 0},
                             {"length", LENGTH, 0},
                             {"limits", LIMITS, 0},
                             {"reference", NUMBERS, offsetof(AbutJointAxis, reference)},
                             {"stiffness", NUMBERS, offsetof(AbutJointAxis, stiffness)},
                             {"damping", NUMBERS, offsetof(AbutJointAxis, damping)},
                             {"friction", NUMBERS, offsetof(AbutJointAxis, friction)},
                             {"armature", NUMBERS, offsetof(AbutJointAxis, armature)},
                             {"motor", MOTOR, 0},
                             {"limit_spring", SPRING, offsetof(AbutJointSoftness, limit)},
                             {"friction_spring", SPRING, offsetof(AbutJointSoftness, friction)},
                             {"equality_spring", SPRING, offsetof(AbutJointSoftness, equality)}};

static uint64_t add(uint64_t hash, const double *values, size_t n)
{
	return abut_hash_bytes(hash, values, n * sizeof *values);
}

/* Adds what word `word` says of a freedom. */
static uint64_t add_law(uint64_t hash, const AbutJointAxis *axis, int word)
{
	const AbutMotorDef *motor = &axis->motor;
	double number;
	switch ((int)words[word].content) {
	case LIMITS:
		hash = abut_hash_bytes(hash, &axis->has_limits, sizeof axis->has_limits);
		return axis->has_limits ? add(add(hash, &axis->lower, 1), &axis->upper, 1) : hash;
	case MOTOR:
		hash = abut_hash_bytes(hash, &motor->type, sizeof motor->type);
		return add(add(add(hash, &motor->stiffness, 1), &motor->damping, 1), &motor->limit, 1);
	default:
		memcpy(&number, (const char *)axis + words[word].offset, sizeof number);
		return add(hash, &number, 1);
	}
}

/* Adds a spring, which only method convex reads. */
static uint64_t add_spring(uint64_t hash, const AbutJointSoftness *soft, int word)
{
	AbutSoftness spring = {.margin = 0.0};
	const bool of_equality = words[word].offset == offsetof(AbutJointSoftness, equality);
	if (of_equality ? soft->yields : soft->on) {
		memcpy(&spring, (const char *)soft + words[word].offset, sizeof spring);
	}
	return add(add(add(hash, spring.solref, 2), spring.solimp, 5), &spring.margin, 1);
}

const char *abut_joint_word_key(int word)
{
	return words[word].key;
}

uint64_t abut_joint_word(const AbutJoint *joint, int word)
{
	uint64_t hash = ABUT_HASH_START;
	switch ((int)words[word].content) {
	case NAME:
		return abut_hash_bytes(hash, joint->name, strlen(joint->name));
	case TYPE:
		return (uint64_t)joint->type;
	case PARENT:
	case CHILD:
		return (uint64_t)joint->body[words[word].content == CHILD];
	case PARENT_FRAME:
	case CHILD_FRAME: {
		const int side = words[word].content == CHILD_FRAME;
		return add(add(hash, joint->place[side], 3), joint->axes[side], 9);
	}
	case LENGTH:
		return add(hash, &joint->length, 1);
	case SPRING:
		return add_spring(hash, &joint->soft, word);
	default:
		for (int i = 0; i < ABUT_JOINT_FREEDOMS; i++) {
			hash = add_law(hash, &joint->acting[i], word);
		}
		return hash;
	}
}

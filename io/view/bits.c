/* Compresses columns of integers. */
#include "io/view/bits.h"

/* Appends the lowest `n` bits of `value`, at most 32. */
static void put(AbutBits *bits, uint32_t value, int n)
{
	const uint64_t mask = ((uint64_t)1 << n) - 1;
	bits->pending |= ((uint64_t)value & mask) << bits->n_pending;
	bits->n_pending += n;
	while (bits->n_pending >= 8) {
		abut_bytes_integer(&bits->bytes, bits->pending, 1);
		bits->pending >>= 8;
		bits->n_pending -= 8;
	}
}

static uint32_t remainder_of(const int32_t *values, size_t i, int order)
{
	int32_t expected = 0;
	if (order >= 1 && i >= 1) {
		expected = order == 2 && i >= 2 ? 2 * values[i - 1] - values[i - 2] : values[i - 1];
	}
	const int32_t r = values[i] - expected;
	return r >= 0 ? 2 * (uint32_t)r : 2 * (uint32_t)(-(r + 1)) + 1;
}

/* Returns the order whose remainders of the values `start` to `end` - 1 have the smallest sum. */
static int choose_order(const int32_t *values, size_t start, size_t end)
{
	uint64_t sums[3] = {0, 0, 0};
	for (int order = 0; order < 3; order++) {
		for (size_t i = start; i < end; i++) {
			sums[order] += remainder_of(values, i, order);
		}
	}
	const int best = sums[1] <= sums[0] ? 1 : 0;
	return sums[2] < sums[best] ? 2 : best;
}

static uint64_t length_of(const uint32_t *u, size_t n, int k)
{
	uint64_t length = 0;
	for (size_t i = 0; i < n; i++) {
		const uint32_t q = u[i] >> k;
		length += q < ABUT_BITS_MOST_ONES ? q + 1 + (uint32_t)k : ABUT_BITS_MOST_ONES + 32;
	}
	return length;
}

static void put_block(AbutBits *bits, const uint32_t *u, size_t n)
{
	uint32_t any = 0;
	for (size_t i = 0; i < n; i++) {
		any |= u[i];
	}
	if (any == 0) {
		put(bits, 0, 5);
		return;
	}
	int k = 0;
	for (uint64_t least = length_of(u, n, 0), length; k < 30; k++, least = length) {
		length = length_of(u, n, k + 1);
		if (length >= least) {
			break;
		}
	}
	put(bits, (uint32_t)k + 1, 5);
	for (size_t i = 0; i < n; i++) {
		const uint32_t q = u[i] >> k;
		if (q < ABUT_BITS_MOST_ONES) {
			put(bits, ((uint32_t)1 << q) - 1, (int)q + 1);
			put(bits, u[i], k);
		} else {
			put(bits, ((uint32_t)1 << ABUT_BITS_MOST_ONES) - 1, ABUT_BITS_MOST_ONES);
			put(bits, u[i], 32);
		}
	}
}

void abut_bits_column(AbutBits *bits, const int32_t *values, size_t n)
{
	uint32_t u[ABUT_BITS_BLOCK];
	for (size_t start = 0; start < n; start += ABUT_BITS_BLOCK) {
		const size_t end = n - start < ABUT_BITS_BLOCK ? n : start + ABUT_BITS_BLOCK;
		const int order = choose_order(values, start, end);
		put(bits, (uint32_t)order, 2);
		for (size_t i = start; i < end; i++) {
			u[i - start] = remainder_of(values, i, order);
		}
		put_block(bits, u, end - start);
	}
}

void abut_bits_finish(AbutBits *bits)
{
	if (bits->n_pending > 0) {
		put(bits, 0, 8 - bits->n_pending);
	}
}

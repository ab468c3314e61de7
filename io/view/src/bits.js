// Columns of integers in few bits: the reader of what io/view/bits.h describes.

const BLOCK = 128, MOST_ONES = 24;

export class Bits {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0; // next byte
		this.pending = 0; // bits taken from bytes but not yet read, lowest first
		this.count = 0; // how many, up to 32
	}

	// The next n bits, at most 24.
	take(n) {
		while (this.count < n) {
			this.pending |= (this.bytes[this.at++] ?? 0) << this.count;
			this.count += 8;
		}
		const value = this.pending & ((1 << n) - 1);
		this.pending >>>= n;
		this.count -= n;
		return value;
	}

	// The next n bits, at most 32, as a number that is not negative.
	takeLong(n) {
		return n <= 16 ? this.take(n) : this.take(16) + this.take(n - 16) * 65536;
	}

	// Counts ones up to a zero, which is read, or up to 24, after which nothing is.
	takeOnes() {
		let ones = 0;
		for (;;) {
			if (this.count === 0) {
				this.pending = this.bytes[this.at++] ?? 0;
				this.count = 8;
			}
			// ones at the low end of what is pending; above it there are zeros
			const here = Math.min(31 - Math.clz32(~this.pending & (this.pending + 1)), this.count, MOST_ONES - ones);
			ones += here;
			this.pending >>>= here;
			this.count -= here;
			if (ones === MOST_ONES) {
				return ones;
			}
			if (this.count > 0) {
				this.pending >>>= 1;
				this.count--;
				return ones;
			}
		}
	}

	takeRemainder(k) {
		const q = this.takeOnes();
		const u = q === MOST_ONES ? this.takeLong(32) : q * 2 ** k + this.takeLong(k);
		return u % 2 === 0 ? u / 2 : -(u + 1) / 2;
	}

	// n integers, each handed to put(i, value).
	column(n, put) {
		let last = 0, lastButOne = 0;
		for (let start = 0; start < n; start += BLOCK) {
			const end = Math.min(start + BLOCK, n), order = this.take(2), code = this.take(5);
			for (let i = start; i < end; i++) {
				const expected = order === 0 || i === 0 ? 0 : order === 1 || i === 1 ? last : 2 * last - lastButOne;
				const value = expected + (code === 0 ? 0 : this.takeRemainder(code - 1));
				lastButOne = last;
				last = value;
				put(i, value);
			}
		}
	}
}

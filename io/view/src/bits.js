// Decompresses columns of integers; io/view/bits.h describes the format.

const BLOCK = 128, MOST_ONES = 24;

export class Bits {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0; // index of the next byte
		this.pending = 0; // bits taken from bytes but not yet read, lowest first
		this.count = 0; // number of pending bits, up to 32
	}

	// Returns the next n bits, at most 24.
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

	// Returns the next n bits, at most 32, as an unsigned number.
	takeLong(n) {
		return n <= 16 ? this.take(n) : this.take(16) + this.take(n - 16) * 65536;
	}

	// Counts ones. Stops after reading a zero or after 24 ones.
	takeOnes() {
		let ones = 0;
		for (;;) {
			if (this.count === 0) {
				this.pending = this.bytes[this.at++] ?? 0;
				this.count = 8;
			}
			// number of ones at the low end of the pending bits; the bits above them are zero
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

	// Reads n integers and passes each one to put(i, value).
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

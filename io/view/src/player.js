// Controls the replay time, in seconds of the run; speed 1 is real time.
export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

export class Player {
	constructor(times, onChange) {
		this.times = times; // sorted times of all frames
		this.onChange = onChange;
		this.time = times[0];
		this.speed = 1;
		this.playing = false;
		this.loop = false;
		this.last = 0;
	}

	get start() { return this.times[0]; }
	get end() { return this.times[this.times.length - 1]; }

	seek(time) {
		this.time = Math.min(Math.max(time, this.start), this.end);
		this.onChange();
	}

	play() {
		if (this.end > this.start) {
			if (this.time >= this.end) {
				this.time = this.start;
			}
			this.playing = true;
			this.last = performance.now();
			this.onChange();
		}
	}

	pause() {
		this.playing = false;
		this.onChange();
	}

	toggle() {
		if (this.playing) {
			this.pause();
		} else {
			this.play();
		}
	}

	// Steps n frame times forwards, or backwards if n is negative.
	step(n) {
		this.playing = false;
		const slack = 1e-9 * (this.end - this.start);
		let at = this.times.findLastIndex((t) => t <= this.time + slack);
		at = Math.min(Math.max(at + n, 0), this.times.length - 1);
		this.seek(this.times[at]);
	}

	// Advances the time; called before each picture is drawn.
	advance(now) {
		if (!this.playing) {
			return;
		}
		const elapsed = Math.min((now - this.last) / 1000, 0.25);
		this.last = now;
		const time = this.time + Math.max(elapsed, 0) * this.speed;
		if (time >= this.end && !this.loop) {
			this.playing = false;
		}
		this.seek(time >= this.end && this.loop ? this.start : time);
	}
}

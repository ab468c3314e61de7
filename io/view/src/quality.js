// Machines that draw slowly, those without a graphics card above all: while pictures follow one another they are coarser
// and without shadows, and once all is still there is a fine one.
const SLOW = 55; // ms from one picture to the next, in the mean
const STILL = 250; // ms after the last picture
const APART = 1000; // ms: pictures further from each other do not follow one another

export class Quality {
	constructor(views, redraw) {
		Object.assign(this, { views, redraw, mean: 16, last: -Infinity, slow: false, coarse: false });
	}

	// Before each picture, at `now` in ms.
	beforePicture(now) {
		if (this.restoring) {
			this.restoring = false; // the fine picture itself, which may take long
			this.last = -Infinity;
			return;
		}
		if (now - this.last < APART) {
			this.mean += 0.25 * (now - this.last - this.mean);
			this.slow ||= this.mean > SLOW;
			this.set(this.slow);
		}
		this.last = now;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.restore(), STILL);
	}

	restore() {
		if (this.coarse) {
			this.set(false);
			this.restoring = true;
			this.redraw();
		}
	}

	set(coarse) {
		if (coarse !== this.coarse) {
			this.coarse = coarse;
			this.views.forEach((view) => view.setCoarse(coarse));
		}
	}
}

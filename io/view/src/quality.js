// Lowers the quality on slow machines, such as those without a graphics card: pictures in motion are coarser and have
// no shadows; a fine picture follows when motion stops.
const SLOW = 55; // ms; mean time between pictures above which the machine counts as slow
const STILL = 250; // ms without a new picture before the fine picture is drawn
const APART = 1000; // ms; pictures further apart than this are not counted as motion

export class Quality {
	constructor(views, redraw) {
		Object.assign(this, { views, redraw, mean: 16, last: -Infinity, slow: false, coarse: false });
	}

	// Called before each picture; `now` is in ms.
	beforePicture(now) {
		if (this.restoring) {
			this.restoring = false; // this is the fine picture itself, which may take long
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

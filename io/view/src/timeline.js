// Shows the time slider, with failed steps marked on it.
import { seconds } from "./units.js";

const STEPS = 10000; // resolution of the slider, finer than any screen
const RAISED = 2; // first failed value of AbutOutcome: exact, relaxed, raised-kappa, failed

export const failedTimes = (run) => {
	const failed = [];
	for (let f = 0; f < run.frames; f++) {
		if (run.series.outcome[f] >= RAISED) {
			failed.push(run.times[f]);
		}
	}
	if (run.ended_early) {
		failed.push(run.times[run.frames - 1]);
	}
	return failed;
};

export class Timeline {
	constructor(runs, player) {
		this.runs = runs;
		this.player = player;
		this.failed = runs.map(failedTimes);
		this.input = document.getElementById("scrub");
		this.canvas = document.getElementById("marks");
		this.clock = document.getElementById("clock");
		this.input.max = STEPS;
		this.input.addEventListener("input", () => {
			player.pause();
			player.seek(player.start + (this.input.value / STEPS) * (player.end - player.start));
		});
		// arrow keys move by frames (keys.js), not by slider steps
		this.input.addEventListener("keydown", (event) => {
			if (event.key !== "Tab") {
				event.preventDefault();
			}
		});
		new ResizeObserver(() => this.draw()).observe(this.canvas);
	}

	paint(theme) {
		this.theme = theme;
		this.draw();
	}

	// Draws a tick at each failed step; the second run's ticks are below those of the first.
	draw() {
		if (!this.theme) {
			return;
		}
		const { clientWidth: width, clientHeight: height } = this.canvas, ratio = devicePixelRatio;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		const context = this.canvas.getContext("2d");
		context.scale(ratio, ratio);
		context.fillStyle = this.theme.css("failed");
		const span = this.player.end - this.player.start || 1, margin = 8; // half the width of the slider's knob
		this.failed.forEach((times, i) => times.forEach((time) => {
			const x = margin + ((time - this.player.start) / span) * (width - 2 * margin);
			context.fillRect(x - 0.75, i === 0 ? 0 : height - 8, 1.5, 8);
		}));
	}

	show(frame) {
		const { player } = this, run = this.runs[0], span = player.end - player.start || 1;
		this.input.value = Math.round(((player.time - player.start) / span) * STEPS);
		const time = seconds(player.time, run.timestep), end = seconds(player.end, run.timestep);
		this.clock.textContent = `${time.padStart(end.length)} of ${end} s   frame ${frame} of ${run.frames - 1}`;
		this.input.setAttribute("aria-valuetext", `${time} seconds`);
	}
}

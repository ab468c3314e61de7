// Starts the page: reads its runs and connects player, views and plots.
import { make } from "./dom.js";
import { bindKeys } from "./keys.js";
import { Layers } from "./layers.js";
import { fillNotes, labelOf } from "./notes.js";
import { installHook } from "./hook.js";
import { runNames, swatchOf } from "./names.js";
import { Panel } from "./panel.js";
import { Player, SPEEDS } from "./player.js";
import { Plots } from "./plots.js";
import { Quality } from "./quality.js";
import { frameAt, readRun } from "./run.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { View } from "./view.js";

const PLAY = "M4 2.5v11l9.5-5.5z", PAUSE = "M3 2.5h3.5v11H3zM9.5 2.5H13v11H9.5z";

const element = (id) => document.getElementById(id);

const readRuns = () => {
	const runs = Array.from(document.querySelectorAll('script[type="application/x-abut-run"]'), (script) => {
		const run = readRun(script.textContent);
		script.remove(); // frees the text, which is as large as the run
		return run;
	});
	if (runs.length === 0) {
		throw new Error("this page contains no run; `abut view DIR` makes a page with one");
	}
	return runs;
};

// Returns the sorted times of all runs, without duplicates.
const allTimes = (runs) => {
	const times = Float64Array.from(runs.flatMap((run) => Array.from(run.times))).sort();
	const least = 1e-6 * Math.min(...runs.map((run) => run.timestep));
	return times.filter((time, i) => i === 0 || time > times[i - 1] + least);
};

class Page {
	constructor(runs) {
		this.runs = runs;
		this.names = runNames(runs);
		this.dirty = true;
		this.pictures = 0;
		this.selected = 0; // the view whose selection the panel shows
		this.player = new Player(allTimes(runs), () => { this.moved = true; });
		this.moved = true;
		this.views = runs.map((run, i) => this.makeView(run, i));
		this.quality = new Quality(this.views, () => { this.dirty = true; });
		this.theme = new Theme(() => this.paint());
		this.panel = new Panel(element("panel"), (body, pair, joint) => this.select(this.selected, body, pair, joint));
		this.timeline = new Timeline(runs, this.player);
		this.plots = new Plots(runs, this.player, element("plots"));
		this.layers = new Layers(this.views, element("layers"), () => { this.dirty = this.moved = true; });
		this.fillTexts();
		this.bindTransport();
		this.paint();
		this.linkCameras(this.views[0]);
		requestAnimationFrame((now) => this.tick(now));
	}

	makeView(run, index) {
		const container = element("views").appendChild(document.createElement("div"));
		container.className = "view";
		const view = new View(run, container, (changed) => this.linkCameras(changed));
		const label = container.appendChild(document.createElement("div"));
		label.className = "label";
		label.append(...labelOf(run, this.names[index], index, this.runs.length, view.grounds));
		let down = null;
		view.canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
		view.canvas.addEventListener("pointerup", (event) => {
			// ignores the end of a rotation by dragging
			if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 5 && event.button === 0) {
				const { body, pair, joint } = view.pick(event.clientX, event.clientY);
				this.select(index, body, pair, joint);
			}
			down = null;
		});
		return view;
	}

	// Gives all views the camera of the view that was changed last.
	linkCameras(changed) {
		this.dirty = true;
		if (this.linking || !this.views) {
			return;
		}
		this.linking = true;
		this.views.filter((view) => view !== changed).forEach((view) => view.lookLike(changed));
		this.linking = false;
	}

	paint() {
		if (this.layers) {
			[...this.views, this.timeline, this.plots].forEach((part) => part.paint(this.theme));
			this.dirty = this.moved = true;
		}
	}

	select(index, body, pair, joint = null) {
		this.selected = index;
		this.views.forEach((view, i) => {
			const same = body !== null && i !== index
				? view.run.bodies.findIndex((b) => b.name === this.runs[index].bodies[body].name) : -1;
			view.select(i === index ? body : same >= 0 ? same : null, i === index ? pair : null, i === index ? joint : null);
		});
		this.plots.selectJoint(index, joint);
		this.showPanel();
		this.dirty = true;
	}

	showPanel() {
		const view = this.views[this.selected];
		const of = this.runs.length > 1
			? [make("p", { class: "of" }, swatchOf(this.selected, 2), this.names[this.selected])] : [];
		this.panel.show(view.run, view.frame, view.selection, of);
	}

	fillTexts() {
		const names = [...new Set(this.runs.map((run) => run.name))];
		element("title").textContent = names.join(" – ");
		document.title = `${names.join(" – ")} – Abut replay`;
		const moving = this.runs[0].bodies.filter((body) => !body.static).length;
		element("subtitle").textContent = `${this.names.join(" against ")}, `
			+ `${moving} ${moving === 1 ? "body moves" : "bodies move"}`;
		fillNotes(this.runs, element("notes"));
	}

	bindTransport() {
		const { player } = this, speed = element("speed");
		const click = (id, action) => element(id).addEventListener("click", action);
		click("play", () => player.toggle());
		click("to-start", () => { player.pause(); player.seek(player.start); });
		click("to-end", () => { player.pause(); player.seek(player.end); });
		click("step-back", () => player.step(-1));
		click("step-on", () => player.step(1));
		click("theme", () => this.theme.toggle());
		const toggleLoop = () => {
			player.loop = !player.loop;
			element("loop").setAttribute("aria-pressed", String(player.loop));
		};
		click("loop", toggleLoop);
		speed.append(...SPEEDS.map((s) => make("option", { value: s, selected: s === 1 ? "" : undefined }, `${s}×`)));
		speed.addEventListener("change", () => { player.speed = Number(speed.value); speed.blur(); });
		const setSpeed = (by) => {
			const at = SPEEDS.indexOf(player.speed) + by;
			player.speed = SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)];
			speed.value = player.speed;
		};
		bindKeys({
			player, setSpeed, toggleLoop, layers: this.layers,
			frameAll: () => this.views[0].frameAll(),
			frameSelection: () => this.views[this.selected].frameSelection(),
			clear: () => this.select(this.selected, null, null),
			toggleTheme: () => this.theme.toggle(),
		});
		installHook({ ...this, select: (...args) => this.select(...args), drawn: () => this.pictures });
	}

	// Updates views, timeline, plots and panel to the current time.
	showTime() {
		this.moved = false;
		for (const view of this.views) {
			const frame = frameAt(view.run, this.player.time);
			if (frame !== view.frame) {
				view.show(frame);
				this.dirty = true;
			}
		}
		if (this.layers.on.follow) {
			this.views[this.selected].chase();
		}
		this.timeline.show(this.views[0].frame);
		this.plots.show();
		this.showPanel();
		const play = element("play");
		play.querySelector("path").setAttribute("d", this.player.playing ? PAUSE : PLAY);
		play.setAttribute("aria-label", this.player.playing ? "Pause" : "Play");
	}

	tick(now) {
		this.player.advance(now);
		if (this.moved) {
			this.showTime();
		}
		if (this.dirty) {
			this.quality.beforePicture(now);
			this.dirty = false;
			this.views.forEach((view) => view.draw());
			this.pictures++;
		}
		requestAnimationFrame((next) => this.tick(next));
	}
}

try {
	new Page(readRuns());
} catch (error) {
	const failure = element("failure");
	failure.hidden = false;
	failure.textContent = `The replay cannot be shown: ${error.message}`;
	console.error(error);
}

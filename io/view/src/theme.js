// Provides light and dark colours from page.css; the system's setting applies until the user chooses.
import { Color } from "three";

const dark = matchMedia("(prefers-color-scheme: dark)");

export class Theme {
	constructor(onChange) {
		this.onChange = onChange;
		this.chosen = null;
		dark.addEventListener("change", () => this.apply());
		this.apply();
	}

	get isDark() {
		return (this.chosen ?? (dark.matches ? "dark" : "light")) === "dark";
	}

	toggle() {
		this.chosen = this.isDark ? "light" : "dark";
		this.apply();
	}

	apply() {
		document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
		this.style = getComputedStyle(document.documentElement);
		this.onChange?.();
	}

	// Returns a colour as CSS text such as "#0072b2"; below, as a three.js colour.
	css(name) {
		return this.style.getPropertyValue(`--${name}`).trim();
	}

	color(name) {
		return new Color(this.css(name));
	}
}

// Colours of moving bodies, in turn: colour-blind safe (Okabe and Ito), without the orange red used for forces.
const BODIES = ["#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#cc79a7", "#8c6bb1", "#94613a"];

// Returns the colours of all bodies; null for static bodies, which use a theme colour.
export const bodyColors = (run) => {
	let moving = 0;
	return run.bodies.map((body) => (body.static ? null : BODIES[moving++ % BODIES.length]));
};

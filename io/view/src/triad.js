// Draws the world axes in a corner of the picture.
import { Vector3 } from "three";
import { makeSvg } from "./dom.js";

const NAMES = ["x", "y", "z"], MIDDLE = 36, LENGTH = 22;

export class Triad {
	constructor(container) {
		this.groups = NAMES.map((name) => makeSvg("g", {},
			makeSvg("line", { x1: MIDDLE, y1: MIDDLE, style: { stroke: `var(--${name})` } }),
			makeSvg("text", { style: { fill: `var(--${name})` } }, name)));
		const attributes = { class: "triad", viewBox: "0 0 72 72", "aria-hidden": "true" };
		const svg = container.appendChild(makeSvg("svg", attributes, this.groups));
		this.svg = svg;
	}

	show(camera) {
		const axes = NAMES.map((_, i) => new Vector3().setComponent(i, 1).transformDirection(camera.matrixWorldInverse));
		axes.forEach((axis, i) => {
			const line = this.groups[i].querySelector("line"), text = this.groups[i].querySelector("text");
			line.setAttribute("x2", MIDDLE + LENGTH * axis.x);
			line.setAttribute("y2", MIDDLE - LENGTH * axis.y);
			text.setAttribute("x", MIDDLE + (LENGTH + 9) * axis.x);
			text.setAttribute("y", MIDDLE - (LENGTH + 9) * axis.y);
		});
		// draws the axes that point at the viewer last, in front of the others
		[0, 1, 2].sort((a, b) => axes[a].z - axes[b].z).forEach((i) => this.svg.append(this.groups[i]));
	}
}

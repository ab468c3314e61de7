// Draws the world axes in a corner of the picture.
import { Vector3 } from "three";

const NAMES = ["x", "y", "z"], MIDDLE = 36, LENGTH = 22;
const SVG = "http://www.w3.org/2000/svg";

export class Triad {
	constructor(container) {
		const svg = container.appendChild(document.createElementNS(SVG, "svg"));
		svg.setAttribute("class", "triad");
		svg.setAttribute("viewBox", "0 0 72 72");
		svg.setAttribute("aria-hidden", "true");
		svg.innerHTML = NAMES.map((name) => `<g><line x1="${MIDDLE}" y1="${MIDDLE}" style="stroke:var(--${name})"/>`
			+ `<text style="fill:var(--${name})">${name}</text></g>`).join("");
		this.groups = [...svg.children];
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

// Manages the layers that can be shown with the bodies, and their buttons.
import { make } from "./dom.js";
import { swatch } from "./names.js";

export const LAYERS = [
	{ name: "points", text: "points", key: "c", color: "point", on: true, title: "Contact points; small and grey where no force acts" },
	{ name: "normals", text: "normals", key: "n", color: "normal", on: false, title: "Contact normals, from a to b" },
	{ name: "forces", text: "forces", key: "r", color: "force", on: true, title: "Contact forces on the moving body, including friction" },
	{ name: "joints", text: "joints", key: "j", color: "joint", on: true, title: "Joints by their types; limits as arcs and stops" },
	{ name: "start", text: "start", key: "1", color: "ghost", on: false, title: "Initial poses of the bodies" },
	{ name: "end", text: "end", key: "2", color: "ghost", on: false, title: "Final poses of the bodies" },
	{ name: "scaled", text: "scaled by alpha", key: "s", color: "scaled", on: false, title: "Both shapes of a contact, scaled by its alpha: for the selected contact, the contacts of the selected body, or all contacts" },
	{ name: "edges", text: "edges", key: "e", color: "edge", on: true, title: "Edges of bodies" },
	{ name: "follow", text: "follow", key: "o", color: "accent", on: false, title: "The camera follows the selected body, or the middle of all moving bodies" },
];

export class Layers {
	constructor(views, element, onChange) {
		this.views = views;
		this.onChange = onChange;
		this.on = Object.fromEntries(LAYERS.map((layer) => [layer.name, layer.on]));
		this.buttons = {};
		for (const layer of LAYERS) {
			const button = element.appendChild(make("button", {}, swatch(layer.color), layer.text));
			button.title = `${layer.title} (${layer.key.toUpperCase()})`;
			button.addEventListener("click", () => this.set(layer.name, !this.on[layer.name]));
			button.hidden = layer.name === "joints" && views.every((view) => view.run.joints.length === 0);
			this.buttons[layer.name] = button;
		}
		this.addGain(element);
		LAYERS.forEach((layer) => this.set(layer.name, layer.on));
	}

	addGain(element) {
		const title = "Length of the force arrows";
		const input = make("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, value: 0, "aria-label": title });
		element.append(make("label", { title }, "arrows ", input));
		input.addEventListener("input", () => {
			for (const view of this.views) {
				view.contacts.gain = 10 ** Number(input.value);
				view.show(view.frame);
			}
			this.onChange();
		});
	}

	set(name, on) {
		this.on[name] = on;
		this.buttons[name].setAttribute("aria-pressed", String(on));
		for (const view of this.views) {
			this.apply(view, name, on);
			if (view.theme) {
				view.show(view.frame);
			}
		}
		this.onChange();
	}

	apply(view, name, on) {
		if (name in view.contacts.show) {
			view.contacts.show[name] = on;
		} else if (name in view.ghosts) {
			view.ghosts[name].visible = on;
		} else if (name === "joints") {
			view.joints.visible = on;
		} else if (name === "scaled") {
			view.scaled.visible = on;
		} else if (name === "edges") {
			view.parts.groups.forEach(({ edges }) => { edges.visible = on; });
		}
	}
}

// Shows the state of the selected body, and its contacts.
import { make } from "./dom.js";
import { contactAt, contactsOf } from "./contacts.js";
import { PER_BODY, POSITION, QUATERNION, SPIN, VELOCITY } from "./run.js";
import { number, vector, withUnit } from "./units.js";

export const stateOf = (run, frame, body) => {
	const at = (frame * run.bodies.length + body) * PER_BODY;
	const take = (k, n) => Array.from(run.motion.subarray(at + k, at + k + n));
	return {
		name: run.bodies[body].name,
		position: take(POSITION, 3),
		orientation: take(QUATERNION, 4),
		linear_velocity: take(VELOCITY, 3),
		angular_velocity: take(SPIN, 3),
	};
};

const row = (name, text, title) => make("tr", { title }, make("th", {}, name), make("td", {}, text));

const bodyRows = (run, frame, body) => {
	const state = stateOf(run, frame, body), { mass, static: still } = run.bodies[body];
	const [w, x, y, z] = state.orientation;
	const angle = 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
	const rows = [
		row("position (m)", vector(state.position), "origin of the body frame, in world axes"),
		row("orientation", vector(state.orientation), "quaternion w, x, y, z, body to world"),
		row("rotation", `${number((angle * 180) / Math.PI, 4)}°`, "relative to the world axes"),
	];
	if (!still) {
		rows.unshift(row("mass", withUnit(mass, "kg")));
		rows.push(
			row("velocity (m/s)", vector(state.linear_velocity), "centre of mass, in world axes"),
			row("spin (rad/s)", vector(state.angular_velocity), "body axes"),
			row("speed", withUnit(Math.hypot(...state.linear_velocity), "m/s")),
		);
	}
	return rows;
};

const partName = (run, body, part) => {
	const { name, parts } = run.bodies[body];
	return parts.length > 1 ? `${name} [${part}]` : name;
};

const contactRow = (run, contact, body, picked) => {
	const other = contact.bodyA === body ? [contact.bodyB, contact.partB] : [contact.bodyA, contact.partA];
	const force = contact.normalForce > 0 ? withUnit(contact.normalForce, "N") : "near";
	return make("tr", { class: picked ? "pick picked" : "pick", tabindex: 0, "data-pair": contact.pair },
		make("th", {}, partName(run, ...other)), make("td", {}, force));
};

const contactRows = (run, contact) => [
	row("between", `${partName(run, contact.bodyA, contact.partA)} – ${partName(run, contact.bodyB, contact.partB)}`),
	row("scaling alpha", number(contact.scaling, 6), "1 when the two touch, more when they are apart"),
	row("gap", withUnit(contact.gap, "m"), "negative in overlap"),
	row("point (m)", vector(contact.point), "world"),
	row("normal", vector(contact.normal), "from the first body to the second, in world axes"),
	row("normal force", withUnit(contact.normalForce, "N"), "mean over the step"),
	row("friction", withUnit(Math.hypot(...contact.friction), "N"), "mean over the step"),
];

export class Panel {
	// calls onSelect(body, pair) after a click
	constructor(element, onSelect) {
		this.element = element;
		this.onSelect = onSelect;
		const act = (event) => {
			const pick = event.target.closest("[data-pair]");
			if (event.target.closest(".close")) {
				onSelect(null, null);
			} else if (pick) {
				const pair = Number(pick.dataset.pair);
				onSelect(this.body, this.pair === pair ? null : pair);
			}
		};
		element.addEventListener("click", act);
		element.addEventListener("keydown", (event) => {
			if (event.key === "Enter") {
				act(event);
			}
		});
	}

	// Shows the selection; `run` and `frame` are those of the view with the selection.
	show(run, frame, { body, pair }, runName) {
		Object.assign(this, { body, pair });
		const open = body !== null || pair !== null;
		this.element.classList.toggle("open", open);
		if (!open) {
			return;
		}
		const { from, to } = contactsOf(run, frame), own = [];
		let picked = null;
		for (let i = from; i < to; i++) {
			const contact = contactAt(run, i);
			if (contact.bodyA === body || contact.bodyB === body) {
				own.push(contact);
			}
			picked = contact.pair === pair ? contact : picked;
		}
		const next = make("div", {}, make("button", { class: "close", "aria-label": "Close", title: "Close (Esc)" }, "✕"), runName);
		if (body !== null) {
			const { name, static: still } = run.bodies[body];
			next.append(
				make("h2", {}, name, still ? [" ", make("span", { class: "quiet" }, "static")] : []),
				make("table", {}, bodyRows(run, frame, body)),
				make("h3", {}, `${own.length} contact${own.length === 1 ? "" : "s"}${own.length > 0 ? ", with" : ""}`),
				make("table", {}, own.map((contact) => contactRow(run, contact, body, contact.pair === pair))),
			);
		}
		if (pair !== null) {
			next.append(
				body === null ? make("h2", {}, "Contact") : make("h3", {}, "The selected contact"),
				picked ? make("table", {}, contactRows(run, picked))
					: make("p", { class: "quiet" }, "The two are far apart in this frame."),
			);
		}
		if (!this.shown?.isEqualNode(next)) { // an equal panel keeps its focus
			this.shown = next.cloneNode(true);
			this.element.replaceChildren(...next.childNodes);
		}
	}
}

// Shows the state of the selected body, its contacts and joints.
import { make } from "./dom.js";
import { contactAt, contactsOf } from "./contacts.js";
import { jointAt, PER_BODY, POSITION, QUATERNION, slides, SPIN, VELOCITY } from "./run.js";
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

const bodyName = (run, body) => (body < 0 ? "world" : run.bodies[body].name);

const jointRow = (run, index, body, picked) => {
	const { name, type, parent, child } = run.joints[index];
	return make("tr", { class: picked ? "pick picked" : "pick", tabindex: 0, "data-joint": index },
		make("th", {}, name), make("td", {}, `${type} to ${bodyName(run, parent === body ? child : parent)}`));
};

const jointRows = (run, frame, index) => {
	const { type, parent, child, freedoms, limits } = run.joints[index], state = jointAt(run, frame, index);
	const rows = [row("type", type), row("between", `${bodyName(run, parent)} – ${bodyName(run, child)}`)];
	for (let i = 0; i < freedoms; i++) {
		const [unit, effort] = slides(type, i) ? ["m", "N"] : ["rad", "N m"], of = freedoms > 1 ? ` ${i + 1}` : "";
		if (state) {
			rows.push(row(`coordinate${of}`, withUnit(state.position[i], unit)));
			for (const key of ["motor", "limit", "friction"].filter((k) => run.joints[index].acts[k])) {
				rows.push(row(`${key}${of}`, withUnit(state[key][i], effort), "effort on the coordinate, mean over the step"));
			}
		}
		if (limits[i] && type === "ball") {
			rows.push(row("cone", withUnit(limits[i][0], unit)), row("twist", withUnit(limits[i][1], unit)));
		} else if (limits[i]) {
			rows.push(row(`limits${of}`, `${number(limits[i][0])} to ${number(limits[i][1])} ${unit}`));
		}
	}
	if (state) {
		const title = "of the constraints on the child, in world axes about its anchor; mean over the step";
		rows.push(row("force (N)", vector(state.force), title), row("torque (N m)", vector(state.torque), title));
	}
	return rows;
};

export class Panel {
	// calls onSelect(body, pair, joint) after a click
	constructor(element, onSelect) {
		this.element = element;
		this.onSelect = onSelect;
		const act = (event) => {
			const pick = event.target.closest("[data-pair], [data-joint]");
			if (event.target.closest(".close")) {
				onSelect(null, null, null);
			} else if (pick?.dataset.joint !== undefined) {
				const joint = Number(pick.dataset.joint);
				onSelect(this.body, null, this.joint === joint ? null : joint);
			} else if (pick) {
				const pair = Number(pick.dataset.pair);
				onSelect(this.body, this.pair === pair ? null : pair, null);
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
	show(run, frame, { body, pair, joint }, runName) {
		Object.assign(this, { body, pair, joint });
		const open = body !== null || pair !== null || joint !== null;
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
			const joints = run.joints.map((_, i) => i).filter((i) => run.joints[i].parent === body || run.joints[i].child === body);
			if (joints.length > 0) {
				next.append(make("h3", {}, `${joints.length} joint${joints.length === 1 ? "" : "s"}`),
					make("table", {}, joints.map((i) => jointRow(run, i, body, i === joint))));
			}
		}
		if (joint !== null) {
			next.append(make(body === null ? "h2" : "h3", {}, run.joints[joint].name),
				make("table", {}, jointRows(run, frame, joint)));
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

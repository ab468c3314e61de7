// Draws the contacts of a frame: point, normal and force of each.
import { Vector3 } from "three";
import { Arrows, Balls, colorOf } from "./arrows.js";
import { FRICTION, IMPULSE, NORMAL, PER_CONTACT, POINT } from "./run.js";

export const contactsOf = (run, frame) => {
	const { first } = run.contacts;
	return { from: first[frame], to: first[frame + 1] };
};

// Returns one contact as plain numbers, in N and m.
export const contactAt = (run, index) => {
	const { values, pairs } = run.contacts, at = index * PER_CONTACT;
	const [bodyA, partA, bodyB, partB] = run.pairs[pairs[index]];
	const vector = (k) => Array.from(values.subarray(at + k, at + k + 3));
	const normal = vector(NORMAL), normalForce = values[at + IMPULSE] / run.timestep;
	const friction = vector(FRICTION).map((impulse) => impulse / run.timestep);
	return {
		index, bodyA, partA, bodyB, partB, pair: pairs[index],
		scaling: values[at], gap: values[at + 1], point: vector(POINT), normal,
		normalForce, friction,
		force: normal.map((n, i) => n * normalForce + friction[i]),
	};
};

// Returns the unit of force for arrows: the mean weight of moving bodies or, without gravity, the median contact force.
export const forceUnit = (run) => {
	const moving = run.bodies.filter((body) => !body.static);
	const mass = moving.reduce((sum, body) => sum + body.mass, 0) / Math.max(moving.length, 1);
	const weight = mass * Math.hypot(...run.gravity);
	if (weight > 0) {
		return weight;
	}
	const { n, values } = run.contacts, forces = [];
	for (let i = 0; i < n; i += Math.ceil(n / 2000)) {
		const force = values[i * PER_CONTACT + IMPULSE] / run.timestep;
		if (force > 0) {
			forces.push(force);
		}
	}
	forces.sort((a, b) => a - b);
	return forces[forces.length >> 1] ?? 1;
};

// Returns the arrow length for a force: linear up to three units, then logarithmic.
const stretched = (units) => (units <= 3 ? units : 3 * (1 + Math.log(units / 3)));

export class ContactLayer {
	constructor(run, scene, length) {
		this.run = run;
		this.length = length;
		this.unit = forceUnit(run);
		this.points = new Balls(scene, 12);
		this.normals = new Arrows(scene, 10);
		this.forces = new Arrows(scene, 11);
		this.show = { points: true, normals: false, forces: true };
		this.gain = 1;
		this.from = new Vector3();
		this.vector = new Vector3();
	}

	paint(theme) {
		this.colors = Object.fromEntries(["point", "normal", "force", "quiet", "accent"].map((n) => [n, colorOf(theme, n)]));
	}

	// Computes the force arrow on the moving body: on b, or on a if b is static.
	forceOf(contact, out) {
		const sign = this.run.bodies[contact.bodyB].static ? -1 : 1;
		out.fromArray(contact.force);
		const force = out.length();
		return force > 0 ? out.multiplyScalar(sign * stretched((this.gain * force) / this.unit) * this.length / force) : out;
	}

	place(frame, selected) {
		const { from, to } = contactsOf(this.run, frame), most = to - from, thin = 0.018 * this.length;
		for (const layer of [this.points, this.normals, this.forces]) {
			layer.begin(most);
		}
		for (let i = from; i < to; i++) {
			const contact = contactAt(this.run, i), touches = contact.normalForce > 0, picked = selected?.pair === contact.pair;
			this.from.fromArray(contact.point);
			if (this.show.points) {
				const color = picked ? this.colors.accent : touches ? this.colors.point : this.colors.quiet;
				this.points.add(this.from, (picked ? 3 : touches ? 2 : 1.2) * thin, color);
			}
			if (this.show.normals) {
				this.normals.add(this.from, this.vector.fromArray(contact.normal).multiplyScalar(0.5 * this.length),
					0.6 * thin, this.colors.normal);
			}
			if (this.show.forces && touches) {
				this.forces.add(this.from, this.forceOf(contact, this.vector), 1.3 * thin, this.colors.force);
			}
		}
		for (const layer of [this.points, this.normals, this.forces]) {
			layer.end();
		}
	}
}

// Draws the joints of a frame by their types: axes, rails, rods, and limits with the present coordinate.
import { BoxGeometry, CylinderGeometry, Matrix4, Quaternion, Vector3 } from "three";
import { Balls, colorOf, Pool } from "./arrows.js";
import { jointAt } from "./run.js";
import { Poses } from "./shapes.js";

const UP = new Vector3(0, 1, 0), ARC = 24; // pieces of a whole turn
const MOST_TURN = 2 * Math.PI;

// Rods between two points.
class Rods {
	constructor(scene, order) {
		this.pool = new Pool(scene, new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), order);
		this.matrix = new Matrix4();
		this.turn = new Quaternion();
		this.along = new Vector3();
		this.scale = new Vector3();
	}

	add(from, to, radius, color) {
		const length = this.along.subVectors(to, from).length();
		if (length > 0) {
			this.turn.setFromUnitVectors(UP, this.along.divideScalar(length));
			this.pool.add(this.matrix.compose(from, this.turn, this.scale.set(radius, length, radius)), color);
		}
	}
}

// A frame of a joint in the world: origin, and axes x, y, z.
class Frame {
	constructor() {
		this.pose = new Matrix4();
		this.own = new Matrix4();
		this.at = new Vector3();
		this.axes = [new Vector3(), new Vector3(), new Vector3()];
		this.turn = new Quaternion();
	}

	read(poses, frame, body, { at, turn }) {
		this.own.compose(new Vector3(...at), this.turn.set(turn[1], turn[2], turn[3], turn[0]), new Vector3(1, 1, 1));
		if (body >= 0) {
			this.own.premultiply(poses.read(frame, body, this.pose));
		}
		this.own.extractBasis(...this.axes);
		this.at.setFromMatrixPosition(this.own);
		return this;
	}
}

export class JointLayer {
	constructor(run, scene, length) {
		Object.assign(this, { run, length, visible: true });
		this.poses = new Poses(run);
		this.rods = new Rods(scene, 13);
		this.balls = new Balls(scene, 14);
		this.boxes = new Pool(scene, new BoxGeometry(2, 2, 2), 14);
		this.frames = [new Frame(), new Frame()];
		this.count = 0;
	}

	paint(theme) {
		this.colors = Object.fromEntries(["joint", "accent", "raised"].map((n) => [n, colorOf(theme, n)]));
	}

	// Returns the place of a joint: its anchor on the child, or the middle of a rod.
	anchor(frame, index) {
		const [a, b] = this.read(frame, index);
		return this.run.joints[index].type === "distance" ? a.at.clone().lerp(b.at, 0.5) : b.at.clone();
	}

	read(frame, index) {
		const joint = this.run.joints[index];
		return [this.frames[0].read(this.poses, frame, joint.parent, joint.parent_frame),
			this.frames[1].read(this.poses, frame, joint.child, joint.child_frame)];
	}

	place(frame, selected) {
		const pools = [this.rods.pool, this.balls, this.boxes], { joints } = this.run;
		pools.forEach((pool, i) => pool.begin(this.visible ? joints.length * [120, 6, 1][i] : 0));
		this.count = this.visible ? joints.length : 0;
		for (let i = 0; i < this.count; i++) {
			this.color = selected?.joint === i ? this.colors.accent : this.colors.joint;
			this.draw(joints[i], jointAt(this.run, frame, i), ...this.read(frame, i));
		}
		pools.forEach((pool) => pool.end());
	}

	point(at, along, by) {
		return at.clone().addScaledVector(along, by);
	}

	// A rod along an axis on both sides of a point.
	bar(at, along, half, radius, color = this.color) {
		this.rods.add(this.point(at, along, -half), this.point(at, along, half), radius, color);
	}

	draw({ type, limits }, state, a, b) {
		const size = 0.4 * this.length, thin = 0.045 * size, [x, y, z] = a.axes, q = state?.position ?? [];
		const turned = (axis, zero, i) => this.arc(b.at, axis, zero, limits[i], q[i], size);
		if (type === "hinge") {
			this.bar(b.at, z, 0.75 * size, 2.5 * thin);
			turned(z, x, 0);
		} else if (type === "slide" || type === "cylindrical") {
			this.rail(a, b, z, limits[0], q[0], size);
			if (type === "cylindrical") {
				this.bar(b.at, z, 0.35 * size, 5 * thin);
				turned(z, x, 1);
			}
		} else if (type === "universal") {
			const middle = new Vector3().crossVectors(x, b.axes[1]);
			this.bar(b.at, x, 0.6 * size, 2 * thin);
			this.bar(b.at, b.axes[1], 0.6 * size, 2 * thin);
			turned(x, y, 0);
			turned(b.axes[1], middle.normalize(), 1);
		} else if (type === "ball") {
			this.balls.add(b.at, 5 * thin, this.color);
			if (limits[0]) {
				this.cone(b.at, a.axes, b.axes[2], limits[0][0], size);
			}
		} else if (type === "planar") {
			this.plane(a, b, size, thin);
			turned(z, x, 2);
		} else if (type === "fixed") {
			const { elements } = b.own, k = 4 * thin;
			this.boxes.add(new Matrix4().fromArray(elements).scale(new Vector3(k, k, k)), this.color);
		} else if (type === "distance") {
			this.rods.add(a.at, b.at, 1.5 * thin, this.color);
			[a, b].forEach((end) => this.balls.add(end.at, 3 * thin, this.color));
		}
	}

	// The rail of a slide as long as its limits, or some way on both sides, with stops, and a carriage at the child.
	rail(a, b, along, limits, coordinate, size) {
		const thin = 0.045 * size, now = b.at.clone().sub(a.at).dot(along);
		const [low, high] = limits ?? [Math.min(now, 0) - 1.5 * size, Math.max(now, 0) + 1.5 * size];
		this.rods.add(this.point(a.at, along, low), this.point(a.at, along, high), thin, this.color);
		this.bar(this.point(a.at, along, now), along, 0.3 * size, 3.5 * thin);
		for (const end of limits ?? []) {
			const across = Math.abs(along.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
			const side = across.cross(along).normalize();
			this.bar(this.point(a.at, along, end), side, 0.4 * size, 1.5 * thin, this.colors.raised);
		}
	}

	// A square in the plane at the child, and the plane's normal.
	plane(a, b, size, thin) {
		const [x, y, z] = a.axes, corner = (u, v) => this.point(this.point(b.at, x, u * size), y, v * size);
		const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
		corners.forEach((from, i) => this.rods.add(from, corners[(i + 1) % 4], thin, this.color));
		this.rods.add(b.at, this.point(b.at, z, 0.6 * size), 1.5 * thin, this.color);
	}

	// The cone of a ball around the z axis of `axes`, and the child's z axis as a pointer.
	cone(at, axes, pointer, angle, size) {
		const [x, y, z] = axes, thin = 0.045 * size, far = size * Math.cos(angle), wide = size * Math.sin(angle);
		const rim = (i) => {
			const turn = (2 * Math.PI * i) / ARC;
			return this.point(this.point(this.point(at, z, far), x, wide * Math.cos(turn)), y, wide * Math.sin(turn));
		};
		for (let i = 0; i < ARC; i++) {
			this.rods.add(rim(i), rim(i + 1), thin, this.colors.raised);
			if (i % (ARC / 4) === 0) {
				this.rods.add(at, rim(i), thin, this.colors.raised);
			}
		}
		this.rods.add(at, this.point(at, pointer, 1.05 * size), 1.5 * thin, this.color);
	}

	// The limits of a turn as an arc around `axis` from `zero`, and the coordinate as a pointer.
	arc(at, axis, zero, limits, coordinate, size) {
		if (!limits) {
			return;
		}
		const side = new Vector3().crossVectors(axis, zero), [low, high] = limits, span = Math.min(high - low, MOST_TURN);
		const thin = 0.045 * size, n = Math.max(1, Math.ceil((span / MOST_TURN) * ARC));
		const on = (angle, radius) => this.point(this.point(at, zero, radius * Math.cos(angle)), side, radius * Math.sin(angle));
		for (let i = 0; i < n; i++) {
			this.rods.add(on(low + (span * i) / n, size), on(low + (span * (i + 1)) / n, size), thin, this.colors.raised);
		}
		[low, low + span].forEach((end) => this.rods.add(on(end, 0.85 * size), on(end, 1.15 * size), 1.5 * thin, this.colors.raised));
		if (Number.isFinite(coordinate)) {
			this.rods.add(at, on(coordinate, 1.05 * size), 1.5 * thin, this.color);
		}
	}
}

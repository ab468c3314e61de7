// Computes the size and location of a run; camera, grid and arrows are scaled by them.
import { Box3, Matrix4, Vector3 } from "three";
import { Poses } from "./shapes.js";

const TOO_LARGE = 20; // a static body this many times larger than the moving bodies is treated as scenery
const SAMPLES = 24, OUTLIERS = 0.2; // frames sampled in a run; fraction of bodies that may leave the picture

const largestOf = (run, bodies) => Math.max(0, ...bodies.flatMap((b) => run.bodies[b].parts.map((part) => part.radius ?? 0)));

// Returns the typical size of a moving part: the median radius.
const usualRadius = (run, moving) => {
	const radii = moving.flatMap((b) => run.bodies[b].parts.map((part) => part.radius ?? 0)).filter((r) => r > 0);
	radii.sort((a, b) => a - b);
	return radii[radii.length >> 1] ?? 0;
};

// Returns the bounding box of a body in a frame; it is empty for a halfspace.
export const boxOf = (run, frame, body) => {
	const box = new Box3(), pose = new Poses(run).read(frame, body, new Matrix4());
	for (const part of run.bodies[body].parts.filter((p) => p.mesh !== undefined)) {
		const mesh = run.meshes[part.mesh];
		mesh.box ??= new Box3().setFromArray(mesh.positions);
		box.union(mesh.box.clone().applyMatrix4(pose));
	}
	return box;
};

// Returns a box around most of the boxes: along each axis, those that reach farthest are ignored.
const aroundMost = (boxes) => {
	const box = new Box3(), out = Math.floor(OUTLIERS * boxes.length);
	for (const axis of boxes.length > 0 ? ["x", "y", "z"] : []) {
		box.min[axis] = boxes.map((b) => b.min[axis]).sort((a, b) => a - b)[out];
		box.max[axis] = boxes.map((b) => b.max[axis]).sort((a, b) => b - a)[out];
	}
	return box;
};

const bodiesOf = (run) => {
	const all = run.bodies.map((_, b) => b), moving = all.filter((b) => !run.bodies[b].static);
	const largest = largestOf(run, moving);
	const still = all.filter((b) => run.bodies[b].static && !(largest > 0 && largestOf(run, [b]) > TOO_LARGE * largest));
	return { moving, still };
};

// Returns the bounding box of all bodies in one frame, except scenery.
export const boxOfFrame = (run, frame) => {
	const { moving, still } = bodiesOf(run), box = new Box3();
	[...moving, ...still].forEach((body) => box.union(boxOf(run, frame, body)));
	return box;
};

// Returns the extent of a run: its first frame and the paths of most bodies, but not of the few that roll far away.
export const extentOf = (run) => {
	const { moving } = bodiesOf(run), box = boxOfFrame(run, 0);
	const frames = Array.from({ length: SAMPLES + 1 }, (_, i) => Math.round((i * (run.frames - 1)) / SAMPLES));
	const ways = moving.map((body) => frames.reduce((way, frame) => way.union(boxOf(run, frame, body)), new Box3()));
	box.union(aroundMost(ways.filter((way) => !way.isEmpty())));
	if (box.isEmpty()) {
		box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
	}
	return { box, radius: usualRadius(run, moving) || box.getSize(new Vector3()).length() / 10 };
};

// How large a run is and where it happens: what the camera, the grid and the arrows are measured by.
import { Box3, Matrix4, Vector3 } from "three";
import { Poses } from "./shapes.js";

const TOO_LARGE = 20; // times the moving bodies: a static body that large is scenery
const SAMPLES = 24, OUTLIERS = 0.2; // frames of a run, and the part of the bodies whose ways may lead out of the picture

const largestOf = (run, bodies) => Math.max(0, ...bodies.flatMap((b) => run.bodies[b].parts.map((part) => part.radius ?? 0)));

// The size of a usual moving part: the middle one of the radii.
const usualRadius = (run, moving) => {
	const radii = moving.flatMap((b) => run.bodies[b].parts.map((part) => part.radius ?? 0)).filter((r) => r > 0);
	radii.sort((a, b) => a - b);
	return radii[radii.length >> 1] ?? 0;
};

// Around a body in a frame; empty where it is a halfspace.
export const boxOf = (run, frame, body) => {
	const box = new Box3(), pose = new Poses(run).read(frame, body, new Matrix4());
	for (const part of run.bodies[body].parts.filter((p) => p.mesh !== undefined)) {
		const mesh = run.meshes[part.mesh];
		mesh.box ??= new Box3().setFromArray(mesh.positions);
		box.union(mesh.box.clone().applyMatrix4(pose));
	}
	return box;
};

// Around most of the boxes: along each axis a few that reach farthest are left out.
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

// What there is in one frame.
export const boxOfFrame = (run, frame) => {
	const { moving, still } = bodiesOf(run), box = new Box3();
	[...moving, ...still].forEach((body) => box.union(boxOf(run, frame, body)));
	return box;
};

// Of a whole run: all of its first frame, and the ways of most bodies; where some roll away, they are not followed.
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

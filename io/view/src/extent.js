// How large a run is and where it happens: what the camera, the grid and the arrows are measured by.
import { Box3, Vector3 } from "three";
import { PER_BODY, POSITION } from "./run.js";

const TOO_LARGE = 20; // times the moving bodies: a static body that large is scenery

const grow = (box, run, frame, body) => {
	const at = (frame * run.bodies.length + body) * PER_BODY + POSITION;
	const centre = new Vector3().fromArray(run.motion, at);
	for (const part of run.bodies[body].parts) {
		if (part.radius !== undefined) {
			const reach = part.radius + Math.hypot(...part.centre);
			box.union(new Box3(centre.clone().subScalar(reach), centre.clone().addScalar(reach)));
		}
	}
};

const largestOf = (run, bodies) => Math.max(0, ...bodies.flatMap((b) => run.bodies[b].parts.map((part) => part.radius ?? 0)));

// The size of a usual moving part: the middle one of the radii.
const usualRadius = (run, moving) => {
	const radii = moving.flatMap((b) => run.bodies[b].parts.map((part) => part.radius ?? 0)).filter((r) => r > 0);
	radii.sort((a, b) => a - b);
	return radii[radii.length >> 1] ?? 0;
};

export const extentOf = (run, frames) => {
	const all = run.bodies.map((_, b) => b), moving = all.filter((b) => !run.bodies[b].static);
	const largest = largestOf(run, moving);
	const box = new Box3();
	for (const b of all) {
		const scenery = run.bodies[b].static && largest > 0 && largestOf(run, [b]) > TOO_LARGE * largest;
		if (!scenery) {
			for (const frame of run.bodies[b].static ? [0] : frames) {
				grow(box, run, frame, b);
			}
		}
	}
	if (box.isEmpty()) {
		box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
	}
	return { box, radius: usualRadius(run, moving) || box.getSize(new Vector3()).length() / 10 };
};

// Frames that show where a run leads: the first, the last and those between, without those of a body that flies off.
export const usualFrames = (run) => {
	const start = extentOf(run, [0]), size = start.box.getSize(new Vector3()).length();
	const frames = [0];
	for (let i = 1; i <= 12; i++) {
		const frame = Math.round((i * (run.frames - 1)) / 12);
		const there = extentOf(run, [0, frame]).box.getSize(new Vector3()).length();
		if (there < 6 * size) {
			frames.push(frame);
		}
	}
	return frames;
};

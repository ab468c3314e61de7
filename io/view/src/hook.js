// Provides window.abutReplay, which lets tests and users' scripts control the page.
import { Vector3 } from "three";
import { contactAt, contactsOf } from "./contacts.js";
import { boxOf } from "./extent.js";
import { stateOf } from "./panel.js";
import { frameAt, jointAt } from "./run.js";

export const installHook = ({ runs, views, player, layers, theme, quality, select, drawn }) => {
	const state = (index = 0) => {
		const run = runs[index], frame = frameAt(run, player.time), { from, to } = contactsOf(run, frame);
		return {
			time: player.time, start: player.start, end: player.end, playing: player.playing, speed: player.speed, frame,
			frames: run.frames, drawn_frame: views[index].frame,
			bodies: run.bodies.map((_, body) => stateOf(run, frame, body)),
			contacts: Array.from({ length: to - from }, (_, i) => contactAt(run, from + i)),
			joints: run.joints.map(({ name, type }, i) => ({ name, type, ...jointAt(run, frame, i) })),
			sensors: Object.fromEntries(run.sensors.map(({ name, size, values }) => [name, Array.from(values.subarray(frame * size, (frame + 1) * size))])),
			selection: views[index].selection,
		};
	};
	// Returns the centre of a body on the page and its radius there, in CSS pixels.
	const where = (name, index = 0) => {
		const view = views[index], body = runs[index].bodies.findIndex((b) => b.name === name);
		const box = boxOf(runs[index], view.frame, body), rect = view.canvas.getBoundingClientRect();
		const middle = box.getCenter(new Vector3()), edge = middle.clone().addScaledVector(
			new Vector3(1, 0, 0).transformDirection(view.camera.matrixWorld), 0.5 * box.getSize(new Vector3()).length());
		const [at, side] = [middle, edge].map((point) => point.project(view.camera));
		const toPage = (p) => ({ x: rect.x + ((p.x + 1) * rect.width) / 2, y: rect.y + ((1 - p.y) * rect.height) / 2 });
		return { ...toPage(at), radius: toPage(side).x - toPage(at).x };
	};
	// Returns what the view of a run contains, for comparison with the screen.
	const features = (index = 0) => {
		const view = views[index], { info } = view.renderer;
		return {
			runs: runs.length, name: runs[index].name, method: runs[index].method,
			meshes: runs[index].meshes.length, triangles: info.render.triangles, calls: info.render.calls,
			parts: view.parts.groups.reduce((sum, group) => sum + group.bodies.length, 0),
			grounds: view.grounds.plates.length,
			points: view.contacts.points.count, normals: view.contacts.normals.count, forces: view.contacts.forces.count,
			joints: view.joints.count, ghosts: view.ghosts.start.count + view.ghosts.end.count, scaled: view.scaled.shown.length,
			scales: view.scaled.shown.map((shown) => shown.matrix.getMaxScaleOnAxis()),
			edges: layers.on.edges, dark: theme.isDark, pictures: drawn(), fine: !quality.coarse && !quality.restoring,
			colors: { joint: theme.css("joint"),
				bodies: view.colors.map((color) => color ?? theme.css("static")), sky: theme.css("sky"), force: theme.css("force"),
				ground: theme.css("ground"), scaled: theme.css("scaled"), accent: theme.css("accent"),
			},
			rounding: { frames: runs[index].frames, every: runs[index].every, states: runs[index].states },
		};
	};
	// Returns the place of a joint on the page, in CSS pixels.
	const whereJoint = (name, index = 0) => {
		const view = views[index], rect = view.canvas.getBoundingClientRect();
		const p = view.joints.anchor(view.frame, runs[index].joints.findIndex((j) => j.name === name)).project(view.camera);
		return { x: rect.x + ((p.x + 1) * rect.width) / 2, y: rect.y + ((1 - p.y) * rect.height) / 2 };
	};
	window.abutReplay = {
		state, features, where, whereJoint,
		seek: (time) => player.seek(time),
		play: () => player.play(),
		pause: () => player.pause(),
		step: (n) => player.step(n),
		setSpeed: (speed) => { player.speed = speed; player.onChange(); },
		show: (layer, on) => layers.set(layer, on),
		select: (name, pair = null, index = 0) => {
			const body = runs[index].bodies.findIndex((b) => b.name === name);
			select(index, body < 0 ? null : body, pair);
		},
		selectJoint: (name, index = 0) => {
			const joint = runs[index].joints.findIndex((j) => j.name === name);
			select(index, null, null, joint < 0 ? null : joint);
		},
	};
};

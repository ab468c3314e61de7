// Runs that the tests look at, made by the command.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class Runs {
	constructor(command, sources, folder) {
		Object.assign(this, { command, sources, folder });
	}

	call(...args) {
		return execFileSync(this.command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
	}

	// A run of a shipped scene, or of an object; its folder.
	run(name, scene, ...options) {
		const out = join(this.folder, name);
		let file = join(this.sources, "experiments", typeof scene === "string" ? scene : "");
		if (typeof scene === "object") {
			file = join(this.folder, `${name}.json`);
			writeFileSync(file, JSON.stringify(scene));
		}
		this.call("run", file, "--out", out, "--quiet", "--view", ...options);
		return out;
	}
}

// A table of a run: rows as objects, numbers as numbers.
export const readTable = (folder, file) => {
	const [head, ...lines] = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
	const names = head.split(",");
	return lines.map((line) => {
		const cells = line.split(",");
		return Object.fromEntries(names.map((name, i) => [name, /^[-+0-9.]/.test(cells[i]) ? Number(cells[i]) : cells[i]]));
	});
};

const FLOOR = { name: "floor", static: true, shape: { type: "halfspace", normal: [0, 0, 1], offset: 0 } };
const MIXED = [
	{ type: "box", half_extents: [0.2, 0.15, 0.1] }, { type: "sphere", radius: 0.15 }, { type: "capsule", radius: 0.1, length: 0.3 },
	{ type: "cylinder", radius: 0.15, length: 0.2 }, { type: "superellipsoid", radii: [0.2, 0.15, 0.12], exponent: 4 },
];

// `count` bodies above a floor, in layers of 25.
export const manyBodies = (count, duration) => ({
	abut: 1, name: `${count} bodies`, duration, timestep: 0.01,
	bodies: [FLOOR, ...Array.from({ length: count }, (_, i) => ({
		name: `body ${i}`, density: 500, shape: MIXED[i % 5],
		position: [0.5 * (i % 5) - 1, 0.5 * (Math.floor(i / 5) % 5) - 1, 0.4 + 0.6 * Math.floor(i / 25)],
	}))],
});

// A body on a joint of each type, with limits, side by side.
export const jointOfEach = () => {
	const joints = [
		{ type: "hinge", axis: [0, 1, 0], limits: [-0.5, 1] }, { type: "slide", limits: [-0.2, 0.2] }, { type: "ball" },
		{ type: "universal", limits: [[-0.5, 0.5], null] }, { type: "cylindrical", axis: [1, 0, 1], limits: [[-0.2, 0.2], [-1, 1]] },
		{ type: "planar", axis: [0, -1, 0.3] }, { type: "fixed" }, { type: "distance", length: 0.5 },
	];
	const at = (i) => [0.8 * (i % 4), 0.8 * Math.floor(i / 4), 0];
	return {
		abut: 1, name: "joint of each", duration: 0.2, contacts: [],
		bodies: joints.map((_, i) => ({ name: `body ${i}`, mass: 1, position: at(i), shape: MIXED[0] })),
		joints: joints.map((joint, i) => ({
			name: joint.type, parent: "world", child: `body ${i}`, ...joint,
			...(joint.length ? { parent_frame: { position: at(i).map((x, k) => x + [0.3, 0, 0.4][k]) } } : { anchor: at(i) }),
		})),
	};
};

// The bodies of all shipped drops, side by side.
export const oneOfEach = (sources) => {
	const folder = join(sources, "experiments", "scenes");
	const drops = readdirSync(folder).filter((name) => name.startsWith("drop_")).sort();
	const bodies = drops.map((name, i) => {
		const scene = JSON.parse(readFileSync(join(folder, name), "utf8")), body = scene.bodies.find((b) => !b.static);
		const shape = scene.shapes?.[body.shape] ?? body.shape;
		return { ...body, name: name.slice(5, -5), shape, position: [2 * (i % 5), 2 * Math.floor(i / 5), 1.5] };
	});
	return { abut: 1, name: "one of each", duration: 0.05, bodies: [FLOOR, ...bodies] };
};

// Writes text into every place of a run's folder that may come from somebody else: the names in its scene, and every key
// of its summary, as a string where `asText` says so (keys of the summary that are shown as numbers included).
export const HOSTILE = `<img src=x onerror="window.PWN=1"></script><script>window.PWN=1</script>`;
export const poison = (folder, asText) => {
	const path = join(folder, "summary.json"), summary = JSON.parse(readFileSync(path, "utf8"));
	for (const key of [...Object.keys(summary), "failure", "first_failed_step", "warnings", "__proto__ "]) {
		summary[key] = asText(key) ? HOSTILE : summary[key];
	}
	writeFileSync(path, JSON.stringify(summary));
};

// Names that a page must not take for its own words.
export const strangeNames = () => ({
	abut: 1, name: `</script><b onclick="x">& 'drop'`, duration: 0.2,
	bodies: [FLOOR, { name: `"</script><script>throw 1</script>`, mass: 1, shape: { type: "sphere", radius: 0.2 }, position: [0, 0, 0.2] }],
});

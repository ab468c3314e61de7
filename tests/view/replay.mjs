// The replay page as a reader sees it: opened in Chromium, played, scrubbed, clicked, and compared with the run's files.
// Usage: node replay.mjs BUILD_FOLDER [WORD]   (only tests whose names hold WORD)
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "./browser.mjs";
import { exactly, lit, readPng } from "./png.mjs";
import { HOSTILE, jointOfEach, manyBodies, oneOfEach, poison, readTable, Runs, strangeNames } from "./runs.mjs";

const SIZE = [900, 680]; // of the window, where a test says nothing else: few pixels are drawn fast

const [build, word = ""] = process.argv.slice(2);
const sources = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "abut-replay-"));
const runs = new Runs(join(resolve(build), "abut"), sources, folder);
const browser = await Browser.start(process.env.ABUT_BROWSER ?? "chromium", SIZE);

const page = (expression) => browser.value(`(() => { const r = window.abutReplay; return ${expression}; })()`);
const open = async (file) => {
	await browser.open(`file://${file}`);
	assert.equal(await page("typeof r"), "object", browser.complaints.join("; "));
};
const fine = async () => {
	for (let i = 0; i < 200 && !(await page("r.features().fine")); i++) {
		await new Promise((done) => setTimeout(done, 50));
	}
};
const look = async () => {
	await browser.settle();
	await fine();
	return readPng(await browser.picture());
};
const rectangle = (selector) => page(`(({ x, y, width, height }) => ({ x, y, width, height }))(
	document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
// What the mouse did arrives when the browser has time for it.
const until = async (condition, what) => {
	for (let i = 0; i < 100; i++) {
		if (await page(condition)) {
			return;
		}
		await browser.settle();
	}
	assert.fail(`${what}: it never came to ${condition}`);
};
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
const near = (a, b, most, what) => assert.ok(Math.abs(a - b) <= most, `${what}: ${a} is not within ${most} of ${b}`);

// Made once, when the first test asks.
const made = new Map();
const once = (name, make) => () => {
	if (!made.has(name)) {
		made.set(name, make());
	}
	return made.get(name);
};
const cube = once("cube", () => runs.run("cube", "scenes/cube_drop.json"));
const openCube = () => open(join(cube(), "replay.html"));

const tests = {
	"the page asks for nothing and says nothing": async () => {
		await openCube();
		await look();
		assert.deepEqual(browser.complaints, []);
		assert.deepEqual(browser.requests.filter((url) => !url.startsWith("data:")), [`file://${cube()}/replay.html`]);
		assert.equal(await page("document.title"), "cube drop – Abut replay");
	},

	"a body is drawn where it is, in its colour, over the ground and under the sky": async () => {
		await openCube();
		const { colors } = await page("r.features()"), places = [], body = lit(colors.bodies[1]);
		for (const time of [0, 1.5]) {
			await page(`r.seek(${time})`);
			const picture = await look(), at = await page('r.where("cube")'), view = await rectangle(".view");
			places.push(at);
			assert.ok(picture.colours(view) > 200, "the picture is blank");
			assert.ok(picture.share(at, Math.round(0.2 * at.radius), body) > 0.6, `no body at ${JSON.stringify(at)} at ${time} s`);
			assert.ok(exactly(colors.sky, 4)(picture.at(view.x + view.width / 2, view.y + 3)), "no sky");
			const other = places[1 - (places.length - 1)] ?? at;
			assert.ok(other === at || picture.share(other, 3, body) < 0.1, "the body has left its place, and is still drawn there");
		}
		assert.ok(places[1].y > places[0].y + 30, "a cube that fell is not lower in the picture");
	},

	"states and contacts are those of the run's files, to what they are rounded to": async () => {
		await openCube();
		const rows = readTable(cube(), "trajectory.csv").filter((row) => row.body === "cube"), contacts = readTable(cube(), "contacts.csv");
		const ranges = Object.fromEntries(Object.keys(rows[0]).filter((k) => k !== "body").map((k) => {
			const values = rows.map((row) => row[k]);
			return [k, Math.max(...values) - Math.min(...values)];
		}));
		for (const frame of [0, 1, 37, 50, 149, 150]) {
			await page(`r.seek(${rows[frame].time})`);
			const { frame: shown, bodies, contacts: told } = await page("r.state()"), row = rows[frame], state = bodies[1];
			assert.equal(shown, frame);
			"xyz".split("").forEach((axis, i) => {
				near(state.position[i], row[`p${axis}`], ranges[`p${axis}`] / 65535 + 2e-6, `p${axis} of frame ${frame}`);
				near(state.linear_velocity[i], row[`v${axis}`], ranges[`v${axis}`] / 65535 + 2e-5, `v${axis} of frame ${frame}`);
			});
			const keys = ["qw", "qx", "qy", "qz"], sign = Math.sign(keys.reduce((sum, key, i) => sum + row[key] * state.orientation[i], 0));
			keys.forEach((key, i) => near(state.orientation[i], sign * row[key], 2 / 65534, `${key} of frame ${frame}`));
			const own = contacts.filter((c) => Math.abs(c.time - row.time) < 1e-9);
			assert.equal(told.length, own.length);
			own.forEach((c, i) => {
				near(told[i].gap, c.gap, 1e-4, "gap");
				near(told[i].normalForce, c.normal_impulse / 0.01, 0.1, "normal force");
				[c.nx, c.ny, c.nz].forEach((n, k) => near(told[i].normal[k], n, 1e-3, "normal"));
			});
		}
	},

	"it plays at its speed, pauses, and stops at the end": async () => {
		await openCube();
		await page("r.setSpeed(0.5)");
		const [before, after] = await page(`(() => { const a = r.state().time, t = performance.now(); r.play();
			return new Promise((done) => setTimeout(() => done([a, r.state().time, performance.now() - t]), 1200)); })()`);
		assert.ok(after > before + 0.1 && after < before + 0.9, `in 1.2 s at half speed it went from ${before} to ${after}`);
		await browser.key(" ", "Space");
		assert.equal(await page("r.state().playing"), false);
		const paused = await page("r.state().time");
		await browser.settle();
		assert.equal(await page("r.state().time"), paused);
		await page("(r.setSpeed(16), r.play())");
		for (let i = 0; i < 100 && await page("r.state().playing"); i++) {
			await browser.settle();
		}
		const { time, end, playing } = await page("r.state()");
		assert.deepEqual([time, playing], [end, false]);
	},

	"keys, the slider and the plots go to a time, and all pictures with them": async () => {
		await openCube();
		await browser.resize([1280, 800]); // all plots are in the window
		await browser.settle();
		await page("r.seek(0.5)");
		await browser.key("ArrowRight");
		await browser.key("ArrowRight");
		await browser.key("ArrowLeft");
		near((await page("r.state()")).time, 0.51, 1e-9, "a frame on");
		await browser.key("End");
		near((await page("r.state()")).time, 1.5, 1e-9, "the end");
		await look(); // the mouse meets what has been drawn
		const slider = await rectangle("#scrub");
		await browser.click(slider.x + slider.width / 3, slider.y + slider.height / 2);
		await until("Math.abs(r.state().time - 0.5) < 0.03", "the slider");
		for (const plot of [1, 3, 5]) {
			const canvas = await rectangle(`.plot:nth-child(${plot}) canvas`), left = 46, right = 8;
			const x = canvas.x + left + 0.6 * (canvas.width - left - right);
			await browser.click(x, canvas.y + canvas.height / 2);
			await until("Math.abs(r.state().time - 0.9) < 0.02 && r.state().drawn_frame === r.state().frame", "the plot");
			near(Number(await page('document.getElementById("scrub").value')), 6000, 150, "the slider's knob");
			const picture = await look();
			assert.ok(picture.share({ x, y: canvas.y + canvas.height / 2 }, 2, ([r]) => r < 60) > 0.1, "no cursor in the plot");
		}
		assert.match(await page('document.getElementById("clock").textContent'), /0\.9\d of 1\.50 s/);
		await browser.resize(SIZE);
	},

	"forces, normals, ghosts and scaled shapes are shown when they are asked for": async () => {
		await openCube();
		const { colors } = await page("r.features()"), force = exactly(colors.force, 3), view = await rectangle(".view");
		await page("r.seek(0)");
		assert.ok((await look()).count(view, force) < 5, "there is a force before there is a contact");
		await page("r.seek(1.5)");
		const shown = (await look()).count(view, force);
		assert.ok(shown > 100, `a cube at rest has no arrow: ${shown} pixels`);
		await page('r.show("forces", false)');
		assert.ok((await look()).count(view, force) < 5, "the force is still shown");
		for (const [layer, what] of [["normals", "normals"], ["start", "ghosts"], ["end", "ghosts"], ["scaled", "scaled"]]) {
			const before = await look(), count = (await page("r.features()"))[what];
			await page(`r.show("${layer}", true)`);
			const after = await look();
			assert.ok((await page("r.features()"))[what] > count, `${layer}: nothing more is in the scene`);
			assert.ok(after.count(view, () => true) > 0 && differing(before, after, view) > 30, `${layer}: the picture is the same`);
			await page(`r.show("${layer}", false)`);
		}
	},

	"scaled shapes are as large as alpha says": async () => {
		await openCube();
		await page('r.show("scaled", true)');
		const rows = readTable(cube(), "contacts.csv").filter((row) => row.scaling > 1.001);
		assert.ok(rows.length > 0, "the cube is never near the floor and apart from it");
		for (const row of [rows[0], rows[rows.length - 1]]) {
			await page(`r.seek(${row.time})`);
			await browser.settle();
			const { scales } = await page("r.features()");
			assert.ok(scales.length > 0);
			scales.forEach((scale) => near(scale, row.scaling, 1e-4, `alpha at ${row.time} s`));
		}
	},

	"a click selects a body, and the panel tells its state": async () => {
		await openCube();
		await page("r.seek(1.5)");
		await look();
		const { x, y } = await page('r.where("cube")');
		await browser.click(x + 6, y - 12);
		await until("r.state().selection.body === 1", "the click");
		const text = await page('document.getElementById("panel").innerText');
		for (const words of ["cube", "position (m)", "velocity (m/s)", "spin (rad/s)", "1 contact", "floor"]) {
			assert.ok(text.includes(words), `the panel lacks '${words}': ${text}`);
		}
		const force = Number(/floor\s+([\d.]+) N/.exec(text)[1]);
		near(force, 9.81, 0.02, "the floor bears the cube's weight, N");
		await browser.key("Escape");
		assert.equal((await page("r.state()")).selection.body, null);
	},

	"the camera turns, comes nearer, and follows": async () => {
		await openCube();
		await page("r.seek(1.5)");
		const at = () => page('r.where("cube")'), view = await rectangle(".view"), [x, y] = middle(view), before = await at();
		await browser.mouse("mousePressed", x, y, { buttons: 1 });
		await browser.mouse("mouseMoved", x + 120, y + 40, { buttons: 1 });
		await browser.mouse("mouseReleased", x + 120, y + 40);
		await until(`Math.hypot(r.where("cube").x - ${before.x}, r.where("cube").y - ${before.y}) > 3`, "the drag");
		const turned = await at();
		await browser.mouse("mouseWheel", x, y, { deltaX: 0, deltaY: -400, button: "none" });
		await until(`r.where("cube").radius > ${1.1 * turned.radius}`, "the wheel");
		await page('(r.select("cube"), r.show("follow", true))');
		await browser.settle();
		for (const time of [0, 0.3, 1]) {
			await page(`r.seek(${time})`);
			await browser.settle();
			const now = await at(), [u, v] = middle(await rectangle(".view"));
			near(now.x, u, 3, "the followed body's x");
			near(now.y, v, 3, "the followed body's y");
		}
	},

	"nothing overlaps or is cut off, in light and dark, at usual sizes": async () => {
		const two = join(folder, "two.html");
		runs.call("view", cube(), cube(), "-o", two, "--quiet");
		for (const file of [join(cube(), "replay.html"), two]) {
			await open(file);
			for (const [width, height, dark] of [[1280, 800, false], [1920, 1080, true], [760, 1000, false]]) {
				await browser.resize([width, height]);
				await browser.dark(dark);
				await page('(r.seek(1), r.select("cube"))');
				const picture = await look(), what = `${width} x ${height}`;
				assert.equal(await page("document.documentElement.scrollWidth"), width, `${what}: wider than the window`);
				assert.deepEqual(await page(OVERLAPS), [], what);
				assert.deepEqual(await page(CUT_OFF), [], what);
				assert.equal(picture.at(3, 3)[0] < 100, dark, "light and dark");
				const plots = await rectangle("#plots");
				assert.ok(width < 1000 || plots.y + plots.height <= height, `${what}: plots are below the window`);
			}
		}
		await browser.resize(SIZE);
		await browser.dark(false);
	},

	"two runs have one clock and two names": async () => {
		const a = runs.run("stack", "scenes/stack_4.json"), b = runs.run("stack_bilevel", "scenes/stack_4.json", "--method", "bilevel");
		runs.call("view", a, b, "--quiet");
		await open(join(a, "side_by_side.html"));
		const { colors, runs: count } = await page("r.features(1)");
		assert.equal(count, 2);
		assert.deepEqual(await page('[...document.querySelectorAll(".view .label b")].map((b) => b.textContent)'), ["single-level", "bilevel"]);
		await page('(r.seek(0.42), r.select("cube 2", null, 1))');
		const picture = await look();
		for (const index of [0, 1]) {
			const state = await page(`r.state(${index})`), at = await page(`r.where("cube 2", ${index})`);
			near(state.time, 0.42, 1e-9, "the clock");
			assert.equal(state.drawn_frame, 42);
			assert.equal(state.selection.body, 2);
			assert.ok(picture.share(at, 9, lit(colors.bodies[2])) > 0.4, `run ${index} is not drawn`);
		}
		assert.match(await page('document.querySelector("#panel .of").textContent'), /bilevel/);
		assert.deepEqual(browser.complaints, []);
	},

	"names stand as they are given": async () => {
		const scene = strangeNames();
		await open(join(runs.run("strange", scene), "replay.html"));
		assert.equal(await page('document.getElementById("title").textContent'), scene.name);
		await page(`r.select(${JSON.stringify(scene.bodies[1].name)})`);
		await browser.settle();
		assert.equal(await page('document.querySelector("#panel h2").textContent'), scene.bodies[1].name);
		assert.deepEqual(browser.complaints, []);
	},

	"nothing of a hostile folder becomes an element or a script": async () => {
		const scene = strangeNames();
		scene.name = scene.bodies[0].name = HOSTILE;
		scene.bodies[1].name = `${HOSTILE}<svg onload=window.PWN=1>`;
		const numbers = ["first_failed_step", "steps", "seed"], folders = [];
		for (const [i, asText] of [() => true, (key) => ["failure", "version", "name", "method"].includes(key)].entries()) {
			const folder = runs.run(`hostile_${i}`, scene), path = join(folder, "summary.json");
			writeFileSync(path, readFileSync(path, "utf8").replace("{", '{"first_failed_step": 3,'));
			poison(folder, asText);
			folders.push(folder);
			runs.call("view", folder, "--quiet");
			await open(join(folder, "replay.html"));
			await page(`r.select(${JSON.stringify(scene.bodies[1].name)})`);
			await page("r.seek(0.2)");
			await browser.settle();
			assert.equal(await page('document.querySelector("#panel h2").textContent'), scene.bodies[1].name);
			const notes = await page('document.getElementById("notes").textContent');
			assert.ok(notes.includes(`failed: ${HOSTILE}`), notes);
			assert.equal(notes.includes("seed –"), asText(numbers[2]), notes); // text is no number
			assert.equal(notes.includes("Step 3 failed"), !asText(numbers[0]), notes);
			assert.deepEqual(browser.complaints, []);
		}
		runs.call("view", ...folders, "--quiet");
		await open(join(folders[0], "side_by_side.html"));
		await browser.settle();
		assert.deepEqual(await page('[typeof window.PWN, document.querySelectorAll("img, iframe, svg[onload], [onerror]").length]'), ["undefined", 0]);
		assert.equal(await page('document.querySelectorAll("script").length'), 1); // that of the page
	},

	"the page's policy stops scripts and HTML from text": async () => {
		await openCube();
		const told = (code) => page(`(() => { try { ${code}; } catch (e) { return e.message; } return "taken"; })()`);
		assert.match(await told('document.body.innerHTML = "<b>"'), /TrustedHTML/);
		assert.match(await told('document.body.setAttribute("onclick", "window.PWN=1")'), /TrustedScript/);
		assert.match(await told('document.createElement("script").textContent = "window.PWN=1"'), /TrustedScript/);
		await page('fetch("https://example.invalid/").catch(() => 0)');
		assert.equal(await page("typeof window.PWN"), "undefined");
		assert.deepEqual(browser.requests.filter((url) => /^https?:/.test(url)), []);
	},

	"joints are those of the run's files, drawn, listed, plotted and hidden": async () => {
		const out = runs.run("crank", "scenes/slider_crank.json", "--set", "duration=0.5"), rows = readTable(out, "joints.csv");
		await open(join(out, "replay.html"));
		for (const frame of [1, 40, 100]) {
			await page(`r.step(0), r.seek(${frame * 0.005})`);
			const { joints } = await page("r.state()");
			assert.equal(joints.length, 4);
			joints.forEach((joint, i) => {
				const row = rows[4 * (frame - 1) + i], what = `${joint.name} of frame ${frame}`;
				assert.equal(joint.name, row.joint);
				near(joint.position[0], row.position, 1e-3, `coordinate of ${what}`);
				near(joint.motor[0], row.motor_effort, 1e-3, `motor of ${what}`);
				near(joint.friction[0], row.friction_effort, 1e-3, `friction of ${what}`);
				"xyz".split("").forEach((axis, k) => near(joint.force[k], row[`constraint_force_${axis}`], 1e-2, `force of ${what}`));
			});
		}
		const picture = await look(); // before the guide's place is asked for, which is that in the last picture
		const { colors, joints } = await page("r.features()"), at = await page('r.whereJoint("guide")'), like = exactly(colors.joint, 12);
		assert.equal(joints, 4);
		assert.ok(picture.share(at, 10, like) > 0.03, "the guide is not drawn");
		await page('r.show("joints", false)');
		assert.ok((await look()).share(at, 10, like) < 0.003, "the guide is hidden, and still drawn");
		await page('r.show("joints", true)');
		const pivot = await page('r.whereJoint("crank pivot")');
		await browser.click(pivot.x, pivot.y);
		await until("r.state().selection.joint === 0", "the click on the pivot");
		assert.match(await page('document.querySelector("#panel").textContent'), /crank pivot.*hinge.*world – crank/);
		await page('r.select("rod")');
		await until('document.querySelectorAll("#panel [data-joint]").length === 2', "the list of joints");
		const plot = (key) => page(`document.querySelector('[data-plot="${key}"] .now')?.textContent`);
		const [force, motor] = [await plot("reaction"), await plot("motor")];
		await page('r.selectJoint("crank pivot")');
		await until('document.querySelector("#panel h2").textContent === "crank pivot"', "the selection");
		assert.match(await plot("motor"), /N m/);
		assert.ok(force !== await plot("reaction") || motor !== await plot("motor"), "the plots do not follow the selection");
		assert.deepEqual(browser.complaints, []);
		rmSync(join(out, "joints.csv")); // a folder without the table
		runs.call("view", out, "--quiet");
		await open(join(out, "replay.html"));
		await page('(r.seek(0.3), r.selectJoint("guide"))');
		assert.ok((await look()).share(await page('r.whereJoint("guide")'), 10, exactly(colors.accent, 12)) > 0.03, "the guide is not drawn");
		assert.deepEqual(await page('[r.features().joints, document.querySelectorAll(".plot").length]'), [4, 5]);
		assert.deepEqual(browser.complaints, []);
		await openCube();
		assert.equal(await page('getComputedStyle([...document.querySelectorAll("#layers button")].find((b) => b.textContent === "joints")).display'), "none");
	},

	"sensors are those of the run's files, plotted": async () => {
		const scene = { abut: 1, name: "sensors", duration: 0.3, bodies: [{ name: "ball", mass: 2, shape: { type: "sphere", radius: 0.5 } }],
			joints: [{ name: "pivot", type: "hinge", parent: "world", child: "ball", anchor: [0, 0, 1], axis: [0, 1, 0] }],
			sensors: [{ name: "<b>load</b>", type: "force_torque", joint: "pivot" }, { name: "where", type: "pose", body: "ball" }] };
		const out = runs.run("sensors", scene), rows = readTable(out, "sensors.csv");
		await open(join(out, "replay.html"));
		await page("r.seek(0.2)");
		const { frame } = await page("r.state()"), sensors = await page("r.state().sensors");
		assert.deepEqual(Object.keys(sensors), ["<b>load</b>", "where"]);
		rows.slice(13 * (frame - 1), 13 * frame).forEach((row, i) => {
			near(Object.values(sensors).flat()[i], row.value, 1e-3, `${row.sensor} ${row.channel}`);
		});
		const titles = await page('[...document.querySelectorAll(".plot")].map((p) => p.dataset.plot).filter((key) => key.startsWith("sensor"))');
		assert.deepEqual(titles, ["sensor <b>load</b> force", "sensor <b>load</b> torque", "sensor where position"]);
		const now = await page(`document.querySelector('[data-plot="sensor where position"] .now').textContent`);
		assert.match(now, /x .*y .*z /);
	},

	"every type of joint is drawn": async () => {
		await open(join(runs.run("joints", jointOfEach()), "replay.html"));
		await page("r.seek(0.1)");
		const { joints } = await page("r.state()"), { colors } = await page("r.features()"), picture = await look();
		for (const { name } of joints) {
			const at = await page(`r.whereJoint("${name}")`);
			assert.ok(picture.share(at, 12, exactly(colors.joint, 12)) > 0.01, `${name} is not there`);
		}
		assert.deepEqual(browser.complaints, []);
	},

	"every type of shape is drawn": async () => {
		await open(join(runs.run("shapes", oneOfEach(sources)), "replay.html"));
		const { bodies } = await page("r.state()"), { colors } = await page("r.features()"), picture = await look();
		assert.ok(bodies.length > 12);
		for (const [i, { name }] of bodies.entries()) {
			const at = i > 0 ? await page(`r.where("${name}")`) : null;
			assert.ok(i === 0 || picture.share(at, Math.round(0.3 * at.radius), lit(colors.bodies[i])) > 0.5, `${name} is not there`);
		}
		assert.deepEqual(browser.complaints, []);
	},

	"10,000 frames of 50 bodies are all there, in less than 20 MB": async () => {
		const out = runs.run("many", manyBodies(50, 100)), { size } = statSync(join(out, "replay.html"));
		assert.ok(size < 20e6, `${size} bytes`);
		await open(join(out, "replay.html"));
		assert.deepEqual((await page("r.features()")).rounding, { frames: 10001, every: 1, states: 10001 });
		const ready = await page("performance.now()"), pictures = await page(`new Promise((done) => {
			const start = performance.now(), { end } = r.state();
			let n = 0;
			const go = () => (performance.now() - start > 2000 ? done(n / 2) : (r.seek(end * ((37 * n++) % 1000) / 1000), requestAnimationFrame(go)));
			go();
		})`);
		assert.deepEqual(browser.complaints, []);
		return `${(size / 1e6).toFixed(1)} MB, ready after ${(ready / 1000).toFixed(1)} s, ${pictures} pictures a second while it scrubs`;
	},
};

const differing = (a, b, { x, y, width, height }) => {
	let n = 0;
	for (let v = Math.ceil(y); v < y + height; v++) {
		for (let u = Math.ceil(x); u < x + width; u++) {
			const [p, q] = [a.at(u, v), b.at(u, v)];
			n += p.some((value, i) => Math.abs(value - q[i]) > 8) ? 1 : 0;
		}
	}
	return n;
};

// In the page: pairs of its parts that lie over each other, and texts that do not fit.
const OVERLAPS = `(() => {
	const names = ["header", "#layers", "#scene", "#transport", "#plots", "#notes"];
	const boxes = names.map((name) => document.querySelector(name).getBoundingClientRect());
	const inner = [".view .label", ".view .triad"].flatMap((name) => [...document.querySelectorAll(name)]);
	boxes.push(...inner.map((e) => e.getBoundingClientRect()));
	const all = [...names, ...inner.map((e) => e.getAttribute("class"))], found = [];
	boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, k) => {
		const j = i + 1 + k, nested = i === 2 && j >= names.length;
		if (!nested && a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1) {
			found.push(all[i] + " and " + all[j]);
		}
	}));
	return found;
})()`;
const CUT_OFF = `[...document.querySelectorAll("button, .plot h2, .plot .now, #clock, #panel, #panel td, #panel th, .view .label")]
	.filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.textContent)`;

const start = performance.now();
let ran = 0, failed = 0;
for (const [name, test] of Object.entries(tests).filter(([key]) => key.includes(word))) {
	ran++;
	const began = performance.now();
	try {
		const said = await test();
		console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)${said ? `: ${said}` : ""}`);
	} catch (error) {
		failed++;
		console.log(`FAILED  ${name}: ${error.message}\n${error.stack.split("\n").filter((line) => line.includes("replay.mjs")).join("\n")}`);
	}
}
await browser.close();
rmSync(folder, { recursive: true, force: true });
console.log(`Ran ${ran} tests in ${((performance.now() - start) / 1000).toFixed(1)}s`);
if (failed > 0) {
	console.log(`FAILED (failures=${failed})`);
}
process.exit(failed > 0 || ran === 0 ? 1 : 0);

// Plots the step results over time. The curves are drawn once; during replay only the cursor moves.
import { make } from "./dom.js";
import { swatchOf } from "./names.js";
import { frameAt, jointAt, slides } from "./run.js";
import { ticksBetween, valueAxis } from "./axis.js";
import { number, tickText } from "./units.js";

const LEFT = 46, RIGHT = 8, TOP = 6, BOTTOM = 18;
const LEAST_LOG = 1e-18; // smaller values, including zero, are drawn at the bottom of a logarithmic axis

const PLOTS = [
	{ key: "energy", title: "Energy", unit: "J", curves: [{ of: (run, f) => run.series.energy[f] }] },
	{
		key: "momentum", title: "Momentum", unit: "kg m/s",
		curves: ["x", "y", "z"].map((axis, i) => ({ name: axis, color: axis, of: (run, f) => run.series.momentum[3 * f + i] })),
	},
	{ key: "penetration", title: "Deepest penetration", unit: "m", fromZero: 1e-9, curves: [{ of: (run, f) => run.series.penetration[f] }] },
	{ key: "iterations", title: "Iterations of the step", unit: "", fromZero: 1, curves: [{ of: (run, f) => run.series.iterations[f] }] },
	{
		key: "residual", title: "Residual", unit: "", logarithmic: true,
		curves: [{ of: (run, f) => (f === 0 ? NaN : run.series.residual[f]) }],
	},
];

// Returns the largest value over the joints of a frame of what `of` reads from each; NaN without joints.csv.
const overJoints = (of) => (run, f) => run.joints.reduce(
	(most, joint, i) => (joint.values ? Math.max(most, of(jointAt(run, f, i))) : NaN), run.joints.length > 0 ? 0 : NaN);

// Plots of the joints: of run `index`, its selected joint, or else the largest values over all joints.
const jointPlots = (runs, index, joint) => {
	const all = joint === null, { type, freedoms } = all ? {} : runs[index].joints[joint];
	const one = (of) => (run, f) => (run === runs[index] && run.joints[joint].values ? of(jointAt(run, f, joint)) : NaN);
	const force = all ? overJoints((j) => Math.hypot(...j.force)) : one((j) => Math.hypot(...j.force));
	const units = all ? "" : freedoms > 0 && slides(type, 0) ? "N" : "N m";
	const motors = all ? [{ of: overJoints((j) => Math.max(0, ...j.motor.map(Math.abs))) }]
		: Array.from({ length: freedoms }, (_, i) => ({ name: freedoms > 1 ? "123"[i] : undefined, color: freedoms > 1 ? "xyz"[i] : undefined, of: one((j) => j.motor[i]) }));
	const plots = [
		{ key: "reaction", title: "Joint force", unit: "N", fromZero: 1e-9, curves: [{ of: force }] },
		{ key: "motor", title: "Motor effort", unit: units, curves: motors.length > 0 ? motors : [{ of: () => NaN }] },
	];
	return plots.slice(0, runs.some((run) => run.joints.some((j) => j.acts?.motor)) ? 2 : 1);
};

// What is plotted of each type of sensor: title, unit, and the first of its values.
const OF_SENSOR = {
	pose: [["position", "m", 0]],
	velocity: [["velocity", "m/s", 0], ["angular velocity", "rad/s", 3]],
	imu: [["specific force", "m/s\u00b2", 0], ["angular rate", "rad/s", 3]],
	force_torque: [["force", "N", 0], ["torque", "N m", 3]],
	contact_force: [["contact force", "N", 0]],
	joint_position: [["position", "", 0]], joint_velocity: [["velocity", "", 0]], joint_effort: [["effort", "", 0]],
};
const MOST_OF_SENSORS = 12; // a page with more plots is hard to read

// Plots of the first run's sensors, and of those with their names in the second run.
const sensorPlots = (runs) => runs[0].sensors.flatMap(({ name, type, size }) => OF_SENSOR[type].map(([title, unit, first]) => {
	const curve = (i) => (run, f) => {
		const own = run.sensors.find((sensor) => sensor.name === name && sensor.type === type);
		return f > 0 && own && i < own.size ? own.values[f * own.size + i] : NaN;
	};
	const n = Math.min(3, size - first), axis = (i) => (n > 1 ? "xyz"[i] : undefined);
	return { key: `sensor ${name} ${title}`, title: `${name}: ${title}`, unit,
		curves: Array.from({ length: n }, (_, i) => ({ name: axis(i), color: axis(i), of: curve(first + i) })) };
})).slice(0, MOST_OF_SENSORS);

class Plot {
	constructor(spec, runs, player, container) {
		Object.assign(this, { spec, runs, player });
		this.findRange();
		this.now = runs.map(() => make("p", { class: "now" }));
		this.canvas = make("canvas", { role: "img", "aria-label": `${spec.title} over time` });
		this.title = make("h2", {}, spec.title, this.axis.unitText(spec.unit));
		container.append(make("div", { class: "plot", "data-plot": spec.key }, this.title, this.now, this.canvas));
		this.still = document.createElement("canvas");
		const seek = (event) => player.seek(this.timeAt(event.offsetX));
		this.canvas.addEventListener("pointerdown", (event) => {
			this.canvas.setPointerCapture(event.pointerId);
			player.pause();
			seek(event);
		});
		this.canvas.addEventListener("pointermove", (event) => {
			if (event.buttons & 1) {
				seek(event);
			}
		});
		new ResizeObserver(() => this.drawStill()).observe(this.canvas);
	}

	// Shows other curves in the same place.
	replace(spec) {
		this.spec = spec;
		this.findRange();
		this.title.replaceChildren(...[spec.title, this.axis.unitText(spec.unit)].flat());
		this.drawStill();
	}

	scaled(value) {
		return this.spec.logarithmic ? Math.log10(Math.max(value, LEAST_LOG)) : value;
	}

	findRange() {
		let low = Infinity, high = -Infinity;
		for (const run of this.runs) {
			for (const { of } of this.spec.curves) {
				for (let f = 0; f < run.frames; f++) {
					const value = this.scaled(of(run, f));
					if (Number.isFinite(value)) {
						low = Math.min(low, value);
						high = Math.max(high, value);
					}
				}
			}
		}
		if (!(low <= high)) {
			[low, high] = this.spec.logarithmic ? [-16, 0] : [0, 1];
		}
		if (this.spec.fromZero) {
			[low, high] = [0, Math.max(high, this.spec.fromZero)];
		}
		const least = this.spec.logarithmic ? 1 : Math.max(1e-6 * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
		if (high - low < least && !this.spec.fromZero) {
			[low, high] = [low - least / 2, high + least / 2];
		}
		const margin = 0.06 * (high - low);
		this.low = low === 0 ? 0 : low - margin;
		this.high = high === 0 ? 0 : high + margin;
		this.axis = valueAxis(this.low, this.high, this.spec.logarithmic);
	}

	x(time) {
		const span = this.player.end - this.player.start || 1;
		return LEFT + ((time - this.player.start) / span) * (this.width - LEFT - RIGHT);
	}

	y(value) {
		return this.height - BOTTOM - ((value - this.low) / (this.high - this.low)) * (this.height - TOP - BOTTOM);
	}

	timeAt(x) {
		return this.player.start + ((x - LEFT) / (this.width - LEFT - RIGHT)) * (this.player.end - this.player.start);
	}

	paint(theme) {
		this.theme = theme;
		this.drawStill();
	}

	colorOf(curve, run) {
		return this.theme.css(curve.color ?? (run === 0 ? "run-a" : "run-b"));
	}

	drawStill() {
		if (!this.theme || this.canvas.clientWidth === 0) {
			return;
		}
		const ratio = devicePixelRatio;
		this.width = this.canvas.clientWidth;
		this.height = this.canvas.clientHeight;
		for (const canvas of [this.canvas, this.still]) {
			canvas.width = Math.round(this.width * ratio);
			canvas.height = Math.round(this.height * ratio);
		}
		const context = this.still.getContext("2d");
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.drawAxes(context);
		context.save();
		context.beginPath();
		context.rect(LEFT, TOP - 2, this.width - LEFT - RIGHT + 1, this.height - TOP - BOTTOM + 4);
		context.clip();
		this.runs.forEach((run, r) => this.spec.curves.forEach((curve) => this.drawCurve(context, run, r, curve)));
		context.restore();
		this.show();
	}

	drawAxes(context) {
		context.font = '11px system-ui, "DejaVu Sans", sans-serif';
		context.lineWidth = 1;
		context.fillStyle = this.theme.css("quiet");
		context.strokeStyle = this.theme.css("line");
		context.textBaseline = "middle";
		context.textAlign = "right";
		for (const { value, text } of this.axis.ticks) {
			const y = Math.round(this.y(value)) + 0.5;
			context.beginPath();
			context.moveTo(LEFT, y);
			context.lineTo(this.width - RIGHT, y);
			context.stroke();
			context.fillText(text, LEFT - 6, y);
		}
		this.drawTimes(context);
	}

	// Labels the time axis from the last tick, which has the unit, to the first; omits labels that do not fit.
	drawTimes(context) {
		const { start, end } = this.player, { ticks, step } = ticksBetween(start, end > start ? end : start + 1, 5);
		context.textBaseline = "alphabetic";
		context.textAlign = "left";
		let free = this.width;
		ticks.reverse().forEach((tick, i) => {
			const text = i === 0 ? `${tickText(tick, step)} s` : tickText(tick, step), { width } = context.measureText(text);
			const x = Math.min(Math.max(this.x(tick) - width / 2, LEFT - 8), this.width - width - 1);
			if (x + width < free - 8 || i === 0) {
				context.fillText(text, x, this.height - 4);
				free = x;
			}
		});
	}

	// Draws a curve. For frames within one pixel, draws minimum and maximum, so that no peak is lost.
	drawCurve(context, run, r, curve) {
		context.strokeStyle = this.colorOf(curve, r);
		context.lineWidth = 1.5;
		context.setLineDash(r === 0 ? [] : [5, 3]);
		context.beginPath();
		let down = false, pixel = null, low = 0, high = 0, last = 0;
		const flush = () => {
			if (pixel !== null && high > low) {
				context.lineTo(pixel, this.y(low));
				context.lineTo(pixel, this.y(high));
			}
			if (pixel !== null) {
				context.lineTo(pixel, this.y(last));
			}
		};
		for (let f = 0; f < run.frames; f++) {
			const value = this.scaled(curve.of(run, f));
			if (!Number.isFinite(value)) {
				flush();
				pixel = null;
				down = false;
				continue;
			}
			const x = Math.round(this.x(run.times[f]) * 2) / 2;
			if (!down) {
				context.moveTo(x, this.y(value));
				down = true;
			}
			if (x !== pixel) {
				flush();
				pixel = x;
				low = high = value;
			}
			low = Math.min(low, value);
			high = Math.max(high, value);
			last = value;
		}
		flush();
		context.stroke();
		context.setLineDash([]);
		if (run.frames === 1 && down) {
			context.fillStyle = context.strokeStyle;
			context.fillRect(this.x(run.times[0]) - 2, this.y(last) - 2, 4, 4);
		}
	}

	show() {
		if (!this.width) {
			return;
		}
		const context = this.canvas.getContext("2d"), ratio = devicePixelRatio;
		context.setTransform(1, 0, 0, 1, 0, 0);
		context.clearRect(0, 0, this.canvas.width, this.canvas.height);
		context.drawImage(this.still, 0, 0);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		const x = this.x(this.player.time);
		context.fillStyle = this.theme.css("text");
		context.fillRect(Math.round(x), TOP - 2, 1, this.height - TOP - BOTTOM + 4);
		this.runs.forEach((run, r) => this.showNow(context, run, r, x));
	}

	// Draws a dot on each curve and writes its value above the plot.
	showNow(context, run, r, x) {
		const several = this.spec.curves.length > 1, least = several ? 1e-6 * (this.high - this.low) : 0;
		const values = this.spec.curves.map((curve) => {
			const value = curve.of(run, frameAt(run, this.player.time)), y = this.y(this.scaled(value));
			if (Number.isFinite(y)) {
				context.fillStyle = this.colorOf(curve, r);
				context.beginPath();
				context.arc(x, y, 3, 0, 2 * Math.PI);
				context.fill();
			}
			const text = `${curve.name ?? ""} ${number(Math.abs(value) < least ? 0 : value, 3)}`;
			return [" ", make("span", { style: { color: this.colorOf(curve, r) } }, text)];
		});
		const unit = this.spec.unit && !several ? [" ", make("span", { class: "quiet" }, this.spec.unit)] : [];
		this.now[r].replaceChildren(...swatchOf(r, this.runs.length), ...values.flat(), ...unit);
	}
}

export class Plots {
	constructor(runs, player, container) {
		this.runs = runs;
		this.of = null; // the joint of the plots of joints
		const joints = runs.some((run) => run.joints.some((joint) => joint.values)) ? jointPlots(runs, 0, null) : [];
		const contacts = joints.length === 0 || runs.some((run) => run.contacts.n > 0);
		const specs = PLOTS.filter((spec) => contacts || spec.key !== "penetration");
		this.plots = [...specs, ...joints, ...sensorPlots(runs)].map((spec) => new Plot(spec, runs, player, container));
		container.classList.toggle("many", this.plots.length > 5);
		this.ofJoints = this.plots.slice(specs.length, specs.length + joints.length);
	}

	selectJoint(index, joint) {
		const of = joint === null ? null : `${index} ${joint}`;
		if (of !== this.of && this.ofJoints.length > 0) {
			this.of = of;
			const specs = jointPlots(this.runs, index, joint);
			this.ofJoints.forEach((plot, i) => plot.replace(specs[i]));
		}
	}

	paint(theme) {
		this.plots.forEach((plot) => plot.paint(theme));
	}

	show() {
		this.plots.forEach((plot) => plot.show());
	}
}

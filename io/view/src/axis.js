// Computes the axes of the plots: positions and labels of their ticks.
import { make } from "./dom.js";
import { tickText } from "./units.js";

// Returns round values between `low` and `high`, about `most` of them, and the step between them.
export const ticksBetween = (low, high, most) => {
	const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw));
	const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw);
	const ticks = [];
	for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
		ticks.push(k * step + 0); // + 0 avoids -0
	}
	return { ticks, step };
};

const logarithmicAxis = (low, high) => {
	const every = Math.max(1, Math.ceil((high - low) / 4)), ticks = [];
	for (let k = Math.ceil(low / every) * every; k <= high; k += every) {
		ticks.push({ value: k, text: `1e${k}`.replace("-", "−") });
	}
	return { ticks, unitText: (unit) => (unit ? [` (${unit})`] : []) };
};

// Nearly constant values are shown relative to an offset, very small or large ones with a power of ten. The title
// shows the offset and the power.
export const valueAxis = (low, high, logarithmic) => {
	if (logarithmic) {
		return logarithmicAxis(low, high);
	}
	const size = Math.max(Math.abs(low), Math.abs(high));
	const digits = Math.min(12, 1 + Math.ceil(Math.log10(size / (high - low))));
	const offset = digits > 3 ? Number(((low + high) / 2).toPrecision(digits)) : 0;
	const span = Math.max(Math.abs(low - offset), Math.abs(high - offset));
	const power = span < 1e-2 || span >= 1e5 ? 3 * Math.floor(Math.log10(span) / 3) : 0, factor = 10 ** power;
	const { ticks, step } = ticksBetween((low - offset) / factor, (high - offset) / factor, 4);
	const unitText = (unit) => {
		const scale = [power === 0 ? "" : `1e${power}`.replace("-", "−"), unit].filter(Boolean).join(" ");
		const less = offset === 0 ? "" : ` less ${String(offset).replace("-", "−")}`;
		return less || scale ? [" ", make("span", { class: "scale" }, `${less}${scale ? ` (${scale})` : ""}`)] : [];
	};
	return {
		ticks: ticks.map((tick) => ({ value: offset + tick * factor, text: tickText(tick, step) })),
		unitText,
	};
};

// Formats numbers for display: few digits, with units.

export const number = (value, digits = 4) => {
	if (!Number.isFinite(value)) {
		return "–";
	}
	const size = Math.abs(value);
	if (Number.isInteger(value) && size < 1e5) {
		return String(value).replace("-", "−");
	}
	if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
		return value.toExponential(Math.max(digits - 2, 1)).replace("e+", "e").replace("-", "−").replace("e-", "e−");
	}
	const places = size === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
	return value.toFixed(Math.min(places, 6)).replace("-", "−");
};

// Formats an input value: up to six digits, without trailing zeros.
export const given = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "–");

export const count = (value) => (Number.isFinite(value) ? String(value) : "–");

// Formats a tick value with as many decimals as the tick spacing needs.
export const tickText = (value, step) => {
	const size = Math.abs(value);
	if (size !== 0 && (step < 1e-3 || size >= 1e5)) {
		return String(Number(value.toPrecision(6)).toExponential()).replace("e+", "e").replaceAll("-", "−");
	}
	return value.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))).replace("-", "−");
};

export const withUnit = (value, unit, digits) => (unit ? `${number(value, digits)} ${unit}` : number(value, digits));

const SPACE = "\u2002"; // as wide as a digit

// Formats a vector: the same number of decimals for all components, and one power of ten if they are small or large.
export const vector = (values, digits = 4) => {
	const most = Math.max(...values.map(Math.abs)), size = Math.floor(Math.log10(most));
	if (!(most > 0)) {
		return values.map(() => "0").join(SPACE);
	}
	const power = size < -3 || size > 4 ? size : 0, places = Math.max(0, digits - 1 - (size - power));
	const texts = values.map((v) => (v / 10 ** power).toFixed(places).replace(/^-(0(\.0*)?)$/, "$1").replace("-", "−"));
	return texts.join(SPACE) + (power === 0 ? "" : `${SPACE}e${power}`.replace("-", "−"));
};

export const seconds = (time, timestep) => {
	const places = Math.min(6, Math.max(2, Math.ceil(-Math.log10(timestep) - 1e-9)));
	return time.toFixed(places);
};

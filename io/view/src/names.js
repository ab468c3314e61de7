// What runs are called on the page.
import { given } from "./units.js";

// Text of a run that goes into HTML.
export const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const TELLS = [
	(run) => run.name, (run) => run.method, (run) => `steps of ${given(run.timestep)} s`, (run) => `kappa ${given(run.kappa)}`,
];

// Of one run its method; of two what tells them apart.
export const runNames = (runs) => {
	const apart = TELLS.filter((tell) => new Set(runs.map(tell)).size > 1);
	if (runs.length === 1 || apart.length > 0) {
		return runs.map((run) => (apart.length > 0 ? apart.map((tell) => tell(run)).join(", ") : run.method));
	}
	return runs.map((run, i) => `${run.method} ${"AB"[i]}`);
};

// The colour that a run has in the plots, beside its name; nothing where there is one run.
export const swatchOf = (index, count) =>
	(count > 1 ? `<span class="swatch" style="background:var(--run-${"ab"[index]})"></span>` : "");

// Chooses the names of runs on the page.
import { make } from "./dom.js";
import { given } from "./units.js";

const TELLS = [
	(run) => run.name, (run) => run.method, (run) => `steps of ${given(run.timestep)} s`, (run) => `kappa ${given(run.kappa)}`,
];

// Returns the names: the method of a single run; for two runs, the properties in which they differ.
export const runNames = (runs) => {
	const apart = TELLS.filter((tell) => new Set(runs.map(tell)).size > 1);
	if (runs.length === 1 || apart.length > 0) {
		return runs.map((run) => (apart.length > 0 ? apart.map((tell) => tell(run)).join(", ") : run.method));
	}
	return runs.map((run, i) => `${run.method} ${"AB"[i]}`);
};

export const swatch = (color) => make("span", { class: "swatch", style: { background: `var(--${color})` } });

// Returns the swatch with the run's colour in the plots; none for a single run.
export const swatchOf = (index, count) => (count > 1 ? [swatch(`run-${"ab"[index]}`)] : []);

// Writes notes about a run: how it was made, what failed, and how its numbers were rounded.
import { make } from "./dom.js";
import { swatchOf } from "./names.js";
import { count, given, number } from "./units.js";

export const labelOf = (run, name, index, runs, grounds) => [
	...swatchOf(index, runs),
	make("b", {}, name),
	` ${count(run.steps ?? run.frames - 1)} steps of ${given(run.timestep)} s`,
	...(grounds.plates.length > 0 ? [make("span", { class: "quiet" }, ` · squares of ${given(grounds.cell)} m`)] : []),
];

const sentences = (run) => {
	const text = [];
	if (run.version !== undefined) {
		text.push(`, Abut ${run.version}, seed ${count(run.seed)}, kappa ${given(run.kappa)}`);
	}
	text.push(`: ${count(run.steps)} steps of ${given(run.timestep)} s, ${count(run.exact_steps)} exact, `
		+ `${count(run.failed_steps)} failed; ${number(run.iterations_mean, 3)} iterations a step, deepest penetration `
		+ `${number(run.max_penetration, 3)} m, energy change ${number(run.energy_drift, 4)} J.`);
	if (run.every > 1) {
		text.push(` Every ${run.every}th of ${run.states} states is shown; the plots show the worst of the steps between.`);
	}
	return make("p", {}, make("b", {}, run.name), `, method ${run.method}`, text.join(""));
};

const failure = (run) => make("p", { class: "failed" },
	`Step ${count(run.first_failed_step)} failed: ${run.failure}${run.ended_early ? " The run ended there." : ""}`);

export const fillNotes = (runs, element) => {
	element.replaceChildren(
		...runs.flatMap((run) => [sentences(run), ...(run.failure ? [failure(run)] : [])]),
		make("p", {}, "Numbers of bodies and contacts are rounded to one part in 65,536 of their range in the run, or to a millionth"
			+ " of the largest body; orientations to 3e−5. The run's folder holds them in full."),
	);
};

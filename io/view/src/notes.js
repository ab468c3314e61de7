// Writes notes about a run: how it was made, what failed, and how its numbers were rounded.
import { escape, swatchOf } from "./names.js";
import { given, number } from "./units.js";

export const labelOf = (run, name, index, count, grounds) =>
	`${swatchOf(index, count)}<b>${escape(name)}</b>`
	+ ` ${run.steps ?? run.frames - 1} steps of ${given(run.timestep)} s`
	+ (grounds.plates.length > 0 ? ` <span class="quiet">· squares of ${given(grounds.cell)} m</span>` : "");

const sentences = (run) => {
	const text = [`<b>${escape(run.name)}</b>, method ${escape(run.method)}`];
	if (run.version !== undefined) {
		text.push(`, Abut ${escape(run.version)}, seed ${run.seed}, kappa ${given(run.kappa)}`);
	}
	text.push(`: ${run.steps} steps of ${given(run.timestep)} s, ${run.exact_steps} exact, ${run.failed_steps} failed; `
		+ `${number(run.iterations_mean, 3)} iterations a step, deepest penetration ${number(run.max_penetration, 3)} m, `
		+ `energy change ${number(run.energy_drift, 4)} J.`);
	if (run.every > 1) {
		text.push(` Every ${run.every}th of ${run.states} states is shown; the plots show the worst of the steps between.`);
	}
	return text.join("");
};

export const fillNotes = (runs, element) => {
	element.innerHTML = runs.map((run) => `<p>${sentences(run)}</p>${run.failure
		? `<p class="failed">Step ${run.first_failed_step} failed: ${escape(run.failure)}${run.ended_early ? " The run ended there." : ""}</p>` : ""}`).join("")
		+ "<p>Numbers of bodies and contacts are rounded to one part in 65,536 of their range in the run, or to a millionth of"
		+ " the largest body; orientations to 3e−5. The run's folder holds them in full.</p>";
};

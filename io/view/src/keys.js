// Binds keys to actions, and fills the help that lists them.
import { make } from "./dom.js";
import { LAYERS } from "./layers.js";

const HELP = [
	["space", "play, pause"], ["← →", "one frame back, forward; ten with Shift"], ["home end", "go to the start, the end"],
	["+ −", "faster, slower"], ["L", "loop"], ["F", "frame the selected body, or all bodies"],
	["A", "frame the whole run, from the front"], ["Tab", "select the next button or contact"], ["Esc", "select nothing"], ["D", "light or dark"], ["?", "this help"],
];

const fillHelp = (dialog) => {
	const rows = [...HELP, ...LAYERS.map((layer) => [layer.key.toUpperCase(), layer.title])];
	const row = ([keys, text]) => make("tr", {},
		make("td", {}, keys.split(" ").flatMap((key, i) => [i > 0 ? " " : "", make("kbd", {}, key)])), make("td", {}, text));
	dialog.replaceChildren(
		make("h2", {}, "Keys"),
		make("table", {}, rows.map(row)),
		make("p", {}, "Drag to turn, right or with two fingers to move, wheel or pinch to zoom; click a body, a contact point or a joint to"
			+ " see its state. Click or drag in a plot to go to a time. A force arrow is as long as 1.2 times the radius of a usual"
			+ " body for the weight of a mean body, up to three of these; beyond, its length grows by the logarithm."),
		make("form", { method: "dialog" }, make("button", {}, "Close")),
	);
};

export const bindKeys = ({ player, layers, setSpeed, frameAll, frameSelection, clear, toggleTheme, toggleLoop }) => {
	const dialog = document.getElementById("help");
	fillHelp(dialog);
	const showHelp = () => (dialog.open ? dialog.close() : dialog.showModal());
	document.getElementById("help-button").addEventListener("click", showHelp);
	const actions = {
		" ": () => player.toggle(),
		ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
		ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
		Home: () => { player.pause(); player.seek(player.start); },
		End: () => { player.pause(); player.seek(player.end); },
		"+": () => setSpeed(1), "=": () => setSpeed(1), "-": () => setSpeed(-1),
		l: toggleLoop, a: frameAll, f: frameSelection, Escape: clear, d: toggleTheme, "?": showHelp,
	};
	for (const { name, key } of LAYERS) {
		actions[key] = () => layers.set(name, !layers.on[name]);
	}
	addEventListener("keydown", (event) => {
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const inList = event.target instanceof HTMLSelectElement;
		const pressesButton = key === " " && event.target instanceof HTMLButtonElement;
		if (event.ctrlKey || event.metaKey || event.altKey || inList || pressesButton || (dialog.open && key !== "?")) {
			return;
		}
		if (actions[key]) {
			event.preventDefault();
			actions[key](event);
		}
	});
};

// A headless Chromium driven over a pipe (the DevTools protocol), without a package of any kind.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
	"--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
	"--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--disable-background-networking",
	"--disable-component-update", "--mute-audio", "--hide-scrollbars", "--disable-dev-shm-usage",
];
const MOST_SECONDS = 120; // for one answer

export class Browser {
	// `command` is the program, `size` that of the window in CSS pixels.
	static async start(command, size = [1280, 800]) {
		const browser = new Browser();
		browser.folder = await mkdtemp(join(tmpdir(), "abut-view-"));
		browser.process = spawn(command, [...FLAGS, `--user-data-dir=${browser.folder}`, `--window-size=${size.join(",")}`,
			"about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
		browser.failed = new Promise((_, reject) => {
			browser.process.once("error", reject);
			browser.process.once("exit", (code) => reject(new Error(`${command} ended with status ${code}`)));
		});
		browser.failed.catch(() => {});
		browser.waiting = new Map();
		browser.complaints = []; // what the page has said on its console, and exceptions
		browser.requests = []; // addresses that it has asked for
		browser.next = 0;
		browser.text = "";
		browser.process.stdio[4].setEncoding("utf8").on("data", (text) => browser.receive(text));
		const { targetInfos } = await browser.call("Target.getTargets");
		const target = targetInfos.find((info) => info.type === "page");
		const { sessionId } = await browser.call("Target.attachToTarget", { targetId: target.targetId, flatten: true });
		browser.session = sessionId;
		for (const domain of ["Page", "Runtime", "Log", "Network"]) {
			await browser.call(`${domain}.enable`);
		}
		await browser.resize(size);
		return browser;
	}

	receive(text) {
		const parts = (this.text + text).split("\0");
		this.text = parts.pop();
		for (const part of parts) {
			const message = JSON.parse(part);
			if (message.id !== undefined) {
				const { resolve, reject } = this.waiting.get(message.id);
				this.waiting.delete(message.id);
				(message.error ? reject(new Error(message.error.message)) : resolve(message.result));
			} else {
				this.note(message);
			}
		}
	}

	note({ method, params }) {
		if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
			this.complaints.push(params.args.map((arg) => arg.value ?? arg.description).join(" "));
		} else if (method === "Runtime.exceptionThrown") {
			this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
		} else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) {
			this.complaints.push(params.entry.text);
		} else if (method === "Network.requestWillBeSent") {
			this.requests.push(params.request.url);
		} else if (method === "Page.loadEventFired") {
			this.loaded?.();
		}
	}

	call(method, params = {}) {
		const id = ++this.next;
		const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
		this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
		let timer;
		const late = new Promise((_, reject) => {
			timer = setTimeout(() => reject(new Error(`${method}: no answer in ${MOST_SECONDS} s`)), 1000 * MOST_SECONDS);
		});
		return Promise.race([answer, late, this.failed]).finally(() => clearTimeout(timer));
	}

	async resize([width, height]) {
		await this.call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
	}

	async dark(dark) {
		const value = dark ? "dark" : "light";
		await this.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
	}

	// Goes there; milliseconds until the page has loaded.
	async open(address) {
		this.complaints.length = this.requests.length = 0;
		const loaded = new Promise((resolve) => { this.loaded = resolve; });
		const start = performance.now();
		await this.call("Page.navigate", { url: address });
		await Promise.race([loaded, this.failed]);
		return performance.now() - start;
	}

	// The value of an expression in the page; promises are waited for.
	async value(expression) {
		const { result, exceptionDetails } = await this.call("Runtime.evaluate",
			{ expression, returnByValue: true, awaitPromise: true });
		if (exceptionDetails) {
			throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
		}
		return result.value;
	}

	// Two pictures later: what was asked for is on the screen.
	async settle() {
		await this.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))");
	}

	// The page as the bytes of a PNG, or the element of a CSS selector.
	async picture(selector = null) {
		await this.settle();
		const clip = selector && await this.value(`(() => {
			const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
			return { x, y, width, height, scale: 1 };
		})()`);
		const { data } = await this.call("Page.captureScreenshot", { format: "png", ...(clip && { clip }) });
		return Buffer.from(data, "base64");
	}

	async mouse(type, x, y, more = {}) {
		await this.call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
	}

	async click(x, y) {
		await this.mouse("mousePressed", x, y, { buttons: 1 });
		await this.mouse("mouseReleased", x, y);
	}

	async key(key, code = key) {
		const text = key.length === 1 ? key : undefined;
		await this.call("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
		await this.call("Input.dispatchKeyEvent", { type: "keyUp", key, code });
	}

	async close() {
		const ended = new Promise((resolve) => this.process.once("exit", resolve));
		this.call("Browser.close").catch(() => {});
		const timer = setTimeout(() => process.kill(-this.process.pid, "SIGKILL"), 5000);
		await ended;
		clearTimeout(timer);
		await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

// A picture of a replay page at a time, in headless Chromium: docs/images/replay.png and looks at a page on a server.
// Usage: node picture.mjs PAGE.html OUT.png [SECONDS] [EXPRESSION [SELECTOR]]
// EXPRESSION is of window.abutReplay, as r; SELECTOR picks the element of the page that the picture shows.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Browser } from "./browser.mjs";

const [page, out, seconds = "0", expression = "0", selector] = process.argv.slice(2);
const browser = await Browser.start(process.env.ABUT_BROWSER ?? "chromium", [1280, 800]);
await browser.open(`file://${resolve(page)}`);
for (const say of [`r.seek(${seconds})`, expression]) {
	await browser.value(`(() => { const r = window.abutReplay; ${say}; })()`);
	await browser.settle();
}
await new Promise((done) => setTimeout(done, 1000)); // until it is a fine one
await writeFile(out, await browser.picture(selector));
await browser.close();

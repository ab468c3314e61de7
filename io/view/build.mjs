// Bundles the page: page.html with its style and its script inside, and the mark where `abut view` puts the runs.
// Usage: node build.mjs [OUT]
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const bundle = async (entry) => {
	const result = await build({
		entryPoints: [here(entry)],
		bundle: true,
		minify: true,
		write: false,
		format: "iife",
		target: ["es2022"],
		legalComments: "inline",
		charset: "utf8",
	});
	return result.outputFiles[0].text;
};

const page = await readFile(here("page.html"), "utf8");
const style = await bundle("page.css");
// No text of a script may end its element.
const script = (await bundle("src/main.js")).replaceAll("</script", "<\\/script");
// No other script and style than these apply, whatever the data of a run contain; nothing is loaded from elsewhere, and no
// text becomes HTML, not even by mistake (trusted types).
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; `
	+ "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const out = page.replace("<!-- abut: policy -->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
	.replace("<!-- abut: style -->", () => `<style>${style}</style>`)
	.replace("<!-- abut: script -->", () => `<script>${script}</script>`);
await writeFile(process.argv[2] ?? here("replay.html"), out);

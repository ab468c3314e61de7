// A PNG of 8-bit colours as pixels: what a screenshot is.
import { inflateSync } from "node:zlib";

const paeth = (a, b, c) => {
	const p = a + b - c, [pa, pb, pc] = [a, b, c].map((v) => Math.abs(p - v));
	return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
};

export const readPng = (buffer) => {
	const parts = [];
	let width = 0, height = 0, channels = 0;
	for (let at = 8; at < buffer.length;) {
		const length = buffer.readUInt32BE(at), type = buffer.toString("latin1", at + 4, at + 8);
		const data = buffer.subarray(at + 8, at + 8 + length);
		if (type === "IHDR") {
			[width, height, channels] = [data.readUInt32BE(0), data.readUInt32BE(4), data[9] === 6 ? 4 : 3];
		} else if (type === "IDAT") {
			parts.push(data);
		}
		at += length + 12;
	}
	const raw = inflateSync(Buffer.concat(parts)), row = width * channels, pixels = new Uint8Array(height * row);
	for (let y = 0; y < height; y++) {
		const filter = raw[y * (row + 1)], line = raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1));
		for (let x = 0; x < row; x++) {
			const left = x >= channels ? pixels[y * row + x - channels] : 0, up = y > 0 ? pixels[(y - 1) * row + x] : 0;
			const corner = x >= channels && y > 0 ? pixels[(y - 1) * row + x - channels] : 0;
			const expected = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
			pixels[y * row + x] = line[x] + expected;
		}
	}
	return new Picture(width, height, channels, pixels);
};

export class Picture {
	constructor(width, height, channels, pixels) {
		Object.assign(this, { width, height, channels, pixels });
	}

	// [red, green, blue], 0 to 255.
	at(x, y) {
		const i = (Math.round(y) * this.width + Math.round(x)) * this.channels;
		return Array.from(this.pixels.subarray(i, i + 3));
	}

	// Pixels of the rectangle that are like a colour: how many, or which part of the disc around a point.
	count({ x, y, width, height }, like) {
		let n = 0;
		for (let v = Math.ceil(y); v < y + height; v++) {
			for (let u = Math.ceil(x); u < x + width; u++) {
				n += like(this.at(u, v)) ? 1 : 0;
			}
		}
		return n;
	}

	share({ x, y }, radius, like) {
		let n = 0, all = 0;
		for (let v = -radius; v <= radius; v++) {
			for (let u = -radius; u <= radius; u++) {
				if (u * u + v * v <= radius * radius) {
					all++;
					n += like(this.at(x + u, y + v)) ? 1 : 0;
				}
			}
		}
		return n / all;
	}

	colours(rectangle) {
		const seen = new Set();
		this.count(rectangle, (c) => { seen.add(c.join(",")); return false; });
		return seen.size;
	}
}

const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

// The colour itself, as nothing lights it.
export const exactly = (hex, most = 6) => {
	const wanted = rgb(hex);
	return (c) => c.every((v, i) => Math.abs(v - wanted[i]) <= most);
};

const hueOf = ([r, g, b]) => Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b);

// The colour however it is lit: the same hue, and not grey.
export const lit = (hex) => {
	const wanted = hueOf(rgb(hex));
	return (c) => {
		const turn = Math.abs(hueOf(c) - wanted), away = Math.min(turn, 2 * Math.PI - turn);
		return Math.max(...c) - Math.min(...c) > 40 && away < 0.3;
	};
};

/* Counts the messages of an MCAP file by topic with Foxglove's own reader, which checks what it reads.
 * Usage: node tests/io/mcap/read.mjs FILE */
import { readFileSync } from "node:fs";
import { McapIndexedReader } from "@mcap/core";

const data = readFileSync(process.argv[2]);
const readable = {
	size: async () => BigInt(data.length),
	read: async (offset, length) => new Uint8Array(data.subarray(Number(offset), Number(offset + length))),
};
const reader = await McapIndexedReader.Initialize({ readable });
const counts = Object.fromEntries([...reader.channelsById.values()].map((channel) => [channel.topic, 0]));
let last = 0n;
for await (const message of reader.readMessages({ validateCrcs: true })) {
	if (message.logTime < last) {
		throw new Error(`a message of ${message.logTime} ns comes after one of ${last} ns`);
	}
	last = message.logTime;
	counts[reader.channelsById.get(message.channelId).topic]++;
}
console.log(JSON.stringify(counts));

// Reads an MCAP file by its index with Foxglove's library: the schema and the number of messages of each topic.
import { McapIndexedReader } from "@mcap/core";
import { readFileSync } from "node:fs";

const data = readFileSync(process.argv[2]);
const readable = {
  size: async () => BigInt(data.length),
  read: async (offset, length) => new Uint8Array(data.subarray(Number(offset), Number(offset + length))),
};
const reader = await McapIndexedReader.Initialize({ readable });
const topics = {};
for await (const message of reader.readMessages()) {
  const channel = reader.channelsById.get(message.channelId);
  topics[channel.topic] ??= [reader.schemasById.get(channel.schemaId).name, 0];
  topics[channel.topic][1] += 1;
}
console.log(JSON.stringify(topics));

/** A node in a process of its own, whose heap its starter bounds: tells its port, and what became of long answers. */
import { createNode } from "../../../src/node/create-node.ts";
import type { Text } from "../../../src/rpc/encode/stream/text.ts";
import type { Method } from "../../../src/rpc/method.ts";
import { methods } from "../../../src/rpc/registry.ts";

/** Message to the parent at every question. */
export interface LongTraceReport {
  /** Pieces of text made so far. */
  readonly pieces: number;
  /** Texts that were ended, whole or not. */
  readonly ended: number;
  /** MB in use at most so far. */
  readonly peakMb: number;
}

/** COUNT: 0 loop: 1 ADD @loop JUMP. Five steps and 18 gas a round, until the gas is gone. */
const COUNT = "0x60005b600101600256";
export const COUNTER_ADDRESS = `0x${"77".repeat(20)}`;

let pieces = 0;
let ended = 0;

for (const entry of methods as readonly { -readonly [Member in keyof Method]: Method[Member] }[]) {
  const { callText } = entry;
  if (callText !== undefined) entry.callText = async (...args) => watched(await callText(...args));
}

function* watched(text: Text): Generator<string | Promise<void>> {
  try {
    for (const piece of text) {
      if (!(piece instanceof Promise)) pieces++;
      yield piece;
    }
  } finally {
    ended++;
  }
}

const node = await createNode();
await node.provider.send("hardhat_setCode", [COUNTER_ADDRESS, COUNT]);
const { port } = await node.listen({ port: 0 });
process.on("message", () => {
  const report: LongTraceReport = { pieces, ended, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) };
  process.send?.(report);
});
process.send?.(port);

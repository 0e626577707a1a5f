import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { TARGET } from "../../support/evm.ts";
import { runProgram } from "./running.ts";

const ROUNDS = 700;
/** Counts down at 0, and logs the count as data, as a topic, not at all, and as one of four topics. */
const PROGRAM = `
  ${ROUNDS} loop: DUP1 0 MSTORE
  32 0 LOG0  DUP1 0 0 LOG1  7 8 0 0 LOG2  4 3 DUP3 1 1 31 LOG4
  1 SWAP1 SUB DUP1 @loop JUMPI STOP
`;

/** What the program logs: topics and data, each as a number. */
function* expectedLogs(): Generator<{ topics: bigint[]; data: bigint | undefined }> {
  for (let count = BigInt(ROUNDS); count > 0n; count--) {
    yield { topics: [], data: count };
    yield { topics: [count], data: undefined };
    yield { topics: [8n, 7n], data: undefined };
    yield { topics: [1n, count, 3n, 4n], data: count & 0xffn };
  }
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

describe.each(ENGINE_NAMES)("thousands of logs (%s)", (engine) => {
  it("have their own topics and data, in the result and in what is recorded", async () => {
    const { result, recorder } = await runProgram(engine, PROGRAM);
    expect(result.error).toBeUndefined();
    const expected = [...expectedLogs()];
    for (const logs of [result.logs, recorder.frames[0]?.logs ?? []]) {
      const read = logs.map(({ topics, data }) => ({
        topics: topics.map(numberOf),
        data: data.length === 0 ? undefined : numberOf(data),
      }));
      expect(read).toEqual(expected);
      expect(logs.every(({ address }) => Buffer.compare(address, TARGET) === 0)).toBe(true);
    }
  });
});

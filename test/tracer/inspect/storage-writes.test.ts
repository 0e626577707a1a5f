/** The writes to storage that the explorer lists. */
import { expect, it } from "vitest";
import { traceWrites } from "../../../src/tracer/inspect/storage-writes.ts";
import { assemble } from "../../support/assembler.ts";
import { runCode } from "../../support/evm.ts";

async function written(program: string, gasLimit: bigint) {
  const { recorder } = await runCode({ hardfork: "cancun", code: assemble(program), message: { gasLimit } });
  const { frames, steps } = recorder;
  if (steps === undefined) throw new TypeError("no steps were recorded");
  const preimages = new Map<bigint, Uint8Array>();
  return { writes: [...traceWrites({ frames, steps }, preimages)].map(({ slot, value }) => [slot, value]), preimages };
}

it("are those of operations that were done", async () => {
  const { writes, preimages } = await written("7 1 SSTORE 32 0 KECCAK256 STOP", 50_000n);
  expect(writes).toEqual([[1n, 7n]]);
  expect(preimages.size).toBe(1);
});

it("are not those of operations that ran out of gas", async () => {
  expect((await written("7 1 SSTORE STOP", 5_000n)).writes).toEqual([]);
  expect((await written("32 0 KECCAK256 STOP", 20n)).preimages.size).toBe(0);
});

import { expect, it } from "vitest";
import { AbiRegistry } from "../../src/explain/abi/registry.ts";
import { ProfileBuilder } from "../../src/explain/profile/profile-builder.ts";
import { ContractFinder } from "../../src/explain/source/contract-finder.ts";
import { readWrites } from "../../src/explain/storage/storage-writes.ts";
import type { Steps } from "../../src/primitives/platform/turns.ts";
import { assemble, calling } from "../support/assembler.ts";
import { runCode } from "../support/evm.ts";

const contracts = new ContractFinder();
const SOURCES = { abi: new AbiRegistry(), contracts };
const SOMEBODY = new Uint8Array(20).fill(0x77);
const STEP = 1_000;

function breaksOf(steps: Steps<unknown>): number {
  let breaks = 0;
  while (steps.next().done !== true) breaks++;
  return breaks;
}

it.each([
  ["a frame with 50,000 operations", "10000 loop: 1 SWAP1 SUB DUP1 @loop JUMPI", 50_000 / STEP],
  ["300 calls", `300 loop: ${calling("CALL", SOMEBODY, 0n)} POP 1 SWAP1 SUB DUP1 @loop JUMPI`, 300],
])("%s may be profiled, and its writes be read, in turns", async (_, program, least) => {
  const accounts = [{ address: SOMEBODY, code: assemble("1 POP") }];
  const { recorder } = await runCode({ code: assemble(program), accounts, message: { gasLimit: 10_000_000n } });
  expect(recorder.frames[0]?.error).toBeUndefined();
  expect(breaksOf(new ProfileBuilder(recorder, SOURCES, false).build())).toBeGreaterThanOrEqual(least);
  expect(breaksOf(readWrites(recorder, contracts))).toBeGreaterThanOrEqual(least);
});

/** Calls side by side that each take as much memory as they can. */
import { expect, it, onTestFinished, vi } from "vitest";
import { SharedMemory } from "../../../src/engines/wasm/shared-memory.ts";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { assemble } from "../../support/assembler.ts";
import { addressOf } from "../../support/evm.ts";

const MEBIBYTE = 2 ** 20;

/** Looks at what all have at each time that one asks whether it must wait. */
function watched(): { most: number; waits: number } {
  const seen = { most: 0, waits: 0 };
  const { wait } = SharedMemory.prototype;
  vi.spyOn(SharedMemory.prototype, "wait").mockImplementation(function look(
    this: SharedMemory<{ readonly size: number }>,
    ...args
  ) {
    const waiting = wait.apply(this, args);
    seen.most = Math.max(seen.most, this.bytes);
    if (waiting !== undefined) seen.waits++;
    return waiting;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return seen;
}

const to = encodeData(addressOf(0xee));

async function nodeWith(code: string, bound: number): Promise<HindcastNode> {
  const limits = { executionMemory: bound, callTimeoutMs: 600_000, traceTimeoutMs: 600_000 };
  const node = await createNode({ limits });
  await node.provider.request({ method: "anvil_setCode", params: [to, encodeData(assemble(code))] });
  return node;
}

it("many calls that fill memory are all answered, within the bound and one execution's memory more", async () => {
  const [bound, calls] = [128 * MEBIBYTE, 24];
  const seen = watched();
  await using node = await nodeWith("0 loop: 1 ADD DUP1 DUP1 TSTORE @loop JUMP", bound);
  const answers = await Promise.all(
    Array.from({ length: calls }, () =>
      node.provider.request({ method: "eth_call", params: [{ to, gas: "0x6acfc0" }] }).catch(({ message }) => message),
    ),
  );
  expect(answers).toEqual(Array(calls).fill(expect.stringMatching(/^out of gas/)));
  expect(seen.waits).toBeGreaterThan(0);
  expect(seen.most).toBeLessThan(1.5 * bound);
});

it("many long traces are all answered, and wait for each other with what is recorded of them", async () => {
  const [bound, traces] = [64 * MEBIBYTE, 12];
  const seen = watched();
  await using node = await nodeWith("0 loop: 1 ADD DUP1 POP @loop JUMP", bound);
  const lengths = await Promise.all(
    Array.from({ length: traces }, async () => {
      const trace = { method: "trace_call", params: [{ to, gas: "0x7a120" }, ["vmTrace"]] } as const;
      const { vmTrace } = (await node.provider.request(trace)) as { vmTrace: { ops: readonly unknown[] } };
      return vmTrace.ops.length;
    }),
  );
  expect(new Set(lengths)).toEqual(new Set([lengths[0]]));
  expect(lengths[0]).toBeGreaterThan(100_000);
  expect(seen.waits).toBeGreaterThan(0);
  expect(seen.most).toBeLessThan(2 * bound);
});

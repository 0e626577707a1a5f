/** Calls side by side that each take as much memory as they can. */
import { expect, it, onTestFinished, vi } from "vitest";
import { SharedMemory } from "../../../src/engines/wasm/shared-memory.ts";
import { createNode } from "../../../src/node/create-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { assemble } from "../../support/assembler.ts";
import { addressOf } from "../../support/evm.ts";

const MEBIBYTE = 2 ** 20;

it("many calls that fill memory are all answered, within the bound and one execution's memory more", async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const [bound, calls] = [128 * MEBIBYTE, 24];
  let [most, waits] = [0, 0];
  const { wait } = SharedMemory.prototype;
  vi.spyOn(SharedMemory.prototype, "wait").mockImplementation(function look(
    this: SharedMemory<{ readonly size: number }>,
    ...args
  ) {
    const waiting = wait.apply(this, args);
    most = Math.max(most, this.bytes);
    if (waiting !== undefined) waits++;
    return waiting;
  });
  await using node = await createNode({ limits: { executionMemory: bound, callTimeoutMs: 600_000 } });
  const to = encodeData(addressOf(0xee));
  const code = encodeData(assemble("0 loop: 1 ADD DUP1 DUP1 TSTORE @loop JUMP"));
  const { provider } = node;
  await provider.request({ method: "anvil_setCode", params: [to, code] });
  const answers = await Promise.all(
    Array.from({ length: calls }, () =>
      provider.request({ method: "eth_call", params: [{ to, gas: "0x6acfc0" }] }).catch(({ message }) => message),
    ),
  );
  expect(answers).toEqual(Array(calls).fill(expect.stringMatching(/^out of gas/)));
  expect(waits).toBeGreaterThan(0);
  expect(most).toBeLessThan(1.5 * bound);
});

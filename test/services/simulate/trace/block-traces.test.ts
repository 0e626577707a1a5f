/** Flat traces of mined blocks, as they are kept from mining. */
import { describe, expect, it } from "vitest";
import type { Block } from "../../../../src/chainspec/header/block.ts";
import { type Backend, openBackend } from "../../../../src/node/backend.ts";
import { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { type Bytes, bigIntToFixedBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { BlockTraces, type TraceReplay } from "../../../../src/services/simulate/trace/block-traces.ts";
import { ALICE, BOB, CAROL, type Json, NOW, quantity } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { send } from "../../../support/contracts.ts";

const CONTRACT_TEXT = "0x00000000000000000000000000000000000000cc";
const CONTRACT = decodeData(CONTRACT_TEXT);

const word = (value: number): Bytes => bigIntToFixedBytes(BigInt(value), 32);

async function aBackend(): Promise<{ backend: Backend; node: HindcastNode } & AsyncDisposable> {
  const options = { clock: () => NOW } as const;
  const backend = await openBackend(options);
  const node = new HindcastNode(backend, options);
  return { backend, node, [Symbol.asyncDispose]: () => node.close() };
}

/** A request that may not run anything. */
function withoutRunning({ chain }: Backend, block: Block): TraceReplay {
  const limits = chain.executor.clock({ signal: AbortSignal.abort() });
  return { chain, block, limits, client: "hindcast" };
}

function again({ chain }: Backend, block: Block): TraceReplay {
  return { chain, block, limits: chain.executor.clock(), client: "hindcast" };
}

describe("traces kept from mining", () => {
  it("are there without running anything, and those of a block that was taken back are not", async () => {
    await using chain = await aBackend();
    const { backend, node } = chain;
    const snapshot = await node.snapshot();
    await send(node, { to: BOB, value: "0x1" });
    const block = backend.chain.head;
    const [trace] = await backend.blockTraces.of(withoutRunning(backend, block));
    expect(trace).toMatchObject({ type: "call", action: { value: 1n }, blockHash: block.hash });
    await node.revert(snapshot);
    await expect(backend.blockTraces.of(withoutRunning(backend, block))).rejects.toMatchObject({
      code: "EXECUTION_ABORTED",
    });
    expect(await backend.context.traces.block({ hash: block.hash, requireCanonical: false })).toBeUndefined();
  });

  it("are those of the last time when an edit makes the same block of other calls", async () => {
    await using chain = await aBackend();
    const { backend, node } = chain;
    // Gives back what slot 0 holds, and leaves 9 in it: both blocks end in the same state.
    await node.setCode(CONTRACT, assemble("0 SLOAD 0 MSTORE 9 0 SSTORE 32 0 RETURN"));
    const snapshot = await node.snapshot();
    const outputs: unknown[] = [];
    const hashes: string[] = [];
    for (const value of [5, 7]) {
      await node.setStorageAt(CONTRACT, word(0), word(value));
      await send(node, { to: CONTRACT_TEXT, gas: quantity(100_000) });
      const block = backend.chain.head;
      const kept = [...(await backend.blockTraces.of(withoutRunning(backend, block)))];
      expect(kept).toEqual([...(await new BlockTraces().of(again(backend, block)))]);
      outputs.push(kept.map((trace) => trace.type === "call" && trace.result?.output));
      hashes.push(encodeData(block.hash));
      if (value === 5) await node.revert(snapshot);
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(outputs).toEqual([[word(5)], [word(7)]]);
  });

  it("are not those of a block whose calls take too much; those are found by running it again", async () => {
    await using chain = await aBackend();
    const { backend, node } = chain;
    // Calls CAROL with 64 KB each time, as often as the call data says.
    await node.setCode(
      CONTRACT,
      assemble(
        "0 CALLDATALOAD loop: 0 0 65536 0 0 3 GAS CALL POP 1 SWAP1 SUB DUP1 @loop JUMPI STOP".replace(
          "3 GAS",
          `${CAROL} GAS`,
        ),
      ),
    );
    const calling = async (count: number): Promise<Block> => {
      await send(node, { to: CONTRACT_TEXT, data: encodeData(word(count)), gas: quantity(10_000_000) });
      return backend.chain.head;
    };
    const small = await calling(10);
    expect([...(await backend.blockTraces.of(withoutRunning(backend, small)))]).toHaveLength(11);
    const large = await calling(100);
    await expect(backend.blockTraces.of(withoutRunning(backend, large))).rejects.toMatchObject({
      code: "EXECUTION_ABORTED",
    });
    expect([...(await backend.blockTraces.of(again(backend, large)))]).toHaveLength(101);
    expect([...(await backend.blockTraces.of(withoutRunning(backend, large)))]).toHaveLength(101);
  });

  it("leave out a transaction that its block could not take", async () => {
    await using chain = await aBackend();
    const { backend, node } = chain;
    node.setMiningMode("manual");
    const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params) as Promise<Json>;
    await ask("eth_sendTransaction", { from: ALICE, to: BOB, value: quantity(10n ** 18n), gas: quantity(21_000) });
    await ask("eth_sendTransaction", { from: BOB, to: CAROL, value: quantity(10n ** 18n), gas: quantity(21_000) });
    await node.setBalance(decodeData(BOB), 1n);
    await node.mine();
    const block = backend.chain.head;
    expect(block.transactions).toHaveLength(1);
    const kept = [...(await backend.blockTraces.of(withoutRunning(backend, block)))];
    expect(kept).toEqual([...(await new BlockTraces().of(again(backend, block)))]);
  });
});

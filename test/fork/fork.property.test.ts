/** Random transactions on a fork of a chain do what they do on the chain itself, taken back to the same block. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineName } from "../../src/evm/engine.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { ALICE, NOW, quantity } from "../support/a-node.ts";
import { deploying } from "../support/assembler.ts";
import { send } from "../support/contracts.ts";
import { TARGET } from "../support/evm.ts";
import { OTHERS, programs } from "../support/programs.ts";
import { runs } from "../support/seed.ts";

const BLOCKS = 3;
const CALLS = 4;

type Json = Record<string, unknown>;
const ask = (node: HindcastNode, method: string, ...params: readonly unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

describe.each<[EngineName, string]>([
  ["wasm", "osaka"],
  ["ethereumjs", "osaka"],
  ["wasm", "london"],
  ["wasm", "berlin"],
])("a fork (%s, %s)", (engine, hardfork) => {
  const numRuns = engine === "wasm" ? runs(12) : runs(4);

  it("does what the chain does that it goes on from", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: BLOCKS }), async (seed, number) => {
        const codes = fc.sample(programs, { seed, numRuns: BLOCKS * (3 + CALLS) + 2 * CALLS });
        const next = () => codes.pop() ?? new Uint8Array();
        const options = { engine, hardfork, mining: "manual", clock: () => NOW, autoImpersonate: true } as const;
        const chain = await createNode(options);
        for (let block = 0; block < BLOCKS; block++) {
          for (const address of [TARGET, ...OTHERS]) {
            await chain.setCode(address, next());
            await chain.setBalance(address, 1000n);
          }
          await fill(chain, next);
          await chain.mine();
        }
        const fork = await createNode({
          ...options,
          accounts: 0,
          fork: { cache: false, provider: chain.provider, blockNumber: number },
        });
        const contents = Array.from({ length: 2 * CALLS }, next);
        const ours = await run(fork, contents);
        await chain.rollback(BLOCKS - number);
        expect(ours).toEqual(await run(chain, contents));
        await fork.close();
        await chain.close();
      }),
      { numRuns },
    );
  }, 120_000);
});

async function fill(node: HindcastNode, next: () => Uint8Array): Promise<void> {
  for (let index = 0; index < CALLS; index++) {
    const to = encodeData([TARGET, ...OTHERS][index % (1 + OTHERS.length)] ?? TARGET);
    await send(node, { from: ALICE, to, gas: quantity(300_000), data: encodeData(next().slice(0, 64)) });
    await send(node, { from: ALICE, gas: quantity(300_000), data: encodeData(deploying(next())) });
  }
}

/** A block of those transactions, and what became of them, without the hashes and roots that differ. */
async function run(node: HindcastNode, contents: readonly Uint8Array[]): Promise<unknown> {
  await ask(node, "txpool_flush").catch(() => ask(node, "anvil_dropAllTransactions"));
  const codes = [...contents];
  await fill(node, () => codes.pop() ?? new Uint8Array());
  const [block] = await node.mine();
  const number = quantity(block?.header.number ?? 0n);
  const answers = [
    await ask(node, "eth_getBlockReceipts", number),
    await ask(node, "trace_replayBlockTransactions", number, ["trace", "stateDiff", "vmTrace"]),
    await ask(node, "debug_traceBlockByNumber", number, {}),
    await ask(node, "debug_traceBlockByNumber", number, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }),
  ];
  const { header } = block ?? {};
  const shown = [header?.gasUsed, header?.timestamp, header?.baseFeePerGas, header?.gasLimit, header?.excessBlobGas];
  return JSON.parse(
    JSON.stringify([shown.map(String), header?.difficulty.toString(), answers], (name, value: Json) =>
      ["blockHash", "transactionHash", "txHash"].includes(name) ? undefined : value,
    ),
  );
}

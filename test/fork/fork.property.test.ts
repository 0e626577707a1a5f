/** Random transactions on a fork of a chain do what they do on the chain itself, taken back to the same block. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineName } from "../../src/evm/engine.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { addressText, NOW, quantity } from "../support/a-node.ts";
import { deploying } from "../support/assembler.ts";
import { send } from "../support/contracts.ts";
import { TARGET } from "../support/evm.ts";
import { OTHERS, programs } from "../support/programs.ts";
import { runs, sweep } from "../support/seed.ts";

const BLOCKS = 3;
const CALLS = 4;
/** Impersonated on both chains, so that its transactions have the same hash. */
const SENDER = addressText(0x77);

type Json = Record<string, unknown>;
const ask = (node: HindcastNode, method: string, ...params: readonly unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

const CHAINS: readonly (readonly [EngineName, string, { readonly verify: boolean }])[] = [
  ["wasm", "osaka", { verify: false }],
  ["wasm", "osaka", { verify: true }],
  ["ethereumjs", "osaka", { verify: true }],
  ["wasm", "london", { verify: true }],
  ["wasm", "berlin", { verify: false }],
  ["wasm", "homestead", { verify: true }],
];

describe.each(sweep(CHAINS, (_, index) => index < 2))("a fork (%s, %s, %o)", (engine, hardfork, { verify }) => {
  const numRuns = engine === "wasm" ? runs(12) : runs(6);

  it(`does what the chain does that it goes on from${verify ? ", with its hashes" : ""}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: BLOCKS }), async (seed, number) => {
        const codes = fc.sample(programs, { seed, numRuns: BLOCKS * (3 + CALLS) + 2 * CALLS });
        const next = () => codes.pop() ?? new Uint8Array();
        const options = { engine, hardfork, mining: "manual", clock: () => NOW, autoImpersonate: true } as const;
        const chain = await createNode(options);
        for (let block = 0; block < BLOCKS; block++) {
          // An edit changes the state that the chain tells of the block before it, but not that block's state root.
          if (block === 0 || !verify) await edit(chain, next);
          await fill(chain, next);
          await chain.mine();
        }
        const fork = await createNode({
          ...options,
          accounts: 0,
          fork: { cache: false, provider: chain.provider, blockNumber: number, verify },
        });
        const contents = Array.from({ length: 2 * CALLS }, next);
        const ours = await run(fork, contents);
        await chain.rollback(BLOCKS - number);
        const theirs = await run(chain, contents);
        if (verify) expect(ours).toEqual(theirs);
        else expect(withoutHashes(ours)).toEqual(withoutHashes(theirs));
        await fork.close();
        await chain.close();
      }),
      { numRuns },
    );
  });
});

async function edit(chain: HindcastNode, next: () => Uint8Array): Promise<void> {
  for (const address of [TARGET, ...OTHERS]) {
    await chain.setCode(address, next());
    await chain.setBalance(address, 1000n);
  }
  await chain.setBalance(SENDER, 10n ** 20n);
}

async function fill(node: HindcastNode, next: () => Uint8Array): Promise<void> {
  for (let index = 0; index < CALLS; index++) {
    const to = encodeData([TARGET, ...OTHERS][index % (1 + OTHERS.length)] ?? TARGET);
    await send(node, { from: SENDER, to, gas: quantity(300_000), data: encodeData(next().slice(0, 64)) });
    await send(node, { from: SENDER, gas: quantity(300_000), data: encodeData(deploying(next())) });
  }
}

/** A block of those transactions, and what became of them. */
async function run(node: HindcastNode, contents: readonly Uint8Array[]): Promise<unknown> {
  await ask(node, "txpool_flush").catch(() => ask(node, "anvil_dropAllTransactions"));
  const codes = [...contents];
  await fill(node, () => codes.pop() ?? new Uint8Array());
  const [block] = await node.mine();
  const number = quantity(block?.header.number ?? 0n);
  return Promise.all([
    ask(node, "eth_getBlockByNumber", number, false),
    ask(node, "eth_getBlockReceipts", number),
    ask(node, "trace_replayBlockTransactions", number, ["trace", "stateDiff", "vmTrace"]),
    ask(node, "debug_traceBlockByNumber", number, {}),
    ask(node, "debug_traceBlockByNumber", number, { tracer: "prestateTracer", tracerConfig: { diffMode: true } }),
  ]);
}

/** Members that depend on the state root, directly or by the block's hash. */
const HASHES = ["hash", "stateRoot", "blockHash", "totalDifficulty", "receiptsRoot", "root"];

function withoutHashes(answers: unknown): unknown {
  const drop = (name: string, value: Json): unknown => (HASHES.includes(name) ? undefined : value);
  return JSON.parse(JSON.stringify(answers, drop));
}

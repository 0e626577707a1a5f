/** Chains of random programs, called and created, whose traces are then checked. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import type { Block } from "../../src/chainspec/header/block.ts";
import { type Backend, openBackend } from "../../src/node/backend.ts";
import { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { BlockTraces } from "../../src/services/simulate/trace/block-traces.ts";
import { NOW, quantity } from "../support/a-node.ts";
import { deploying } from "../support/assembler.ts";
import { send } from "../support/contracts.ts";
import { TARGET } from "../support/evm.ts";
import { OTHERS, programs } from "../support/programs.ts";
import { checkBlock, checkTransaction } from "./chain-properties.ts";

const BLOCKS = 2;
const CALLS = 4;

/** Makes the chain of a seed and checks the traces of all that is on it. */
export async function checkRandomChain(hardfork: Hardfork, seed: number): Promise<void> {
  const options = { hardfork, mining: "manual", clock: () => NOW } as const;
  const backend = await openBackend(options);
  const node = new HindcastNode(backend, options);
  try {
    const codes = fc.sample(programs, { seed, numRuns: BLOCKS * (3 + CALLS) });
    const next = () => codes.pop() ?? new Uint8Array();
    for (let number = 0; number < BLOCKS; number++) {
      for (const address of [TARGET, ...OTHERS]) {
        await node.setCode(address, next());
        await node.setBalance(address, 1000n);
      }
      await fillBlock(node, next);
      await node.mine();
    }
    let transactions = 0;
    for (let number = 1n; number <= backend.chain.head.header.number; number++) {
      const block = backend.chain.getStoredBlock(number);
      if (block === undefined) throw new Error("no block");
      await checkBlock(backend.chain, block, async (traced) => {
        transactions++;
        await checkTransaction(traced);
      });
    }
    expect(transactions).toBe(BLOCKS * CALLS * 2);
    await compareKeptTraces(backend);
  } finally {
    await node.close();
  }
}

/** Recordings made while mining, and those of running each block again. */
async function compareKeptTraces({ chain, context }: Backend): Promise<void> {
  const { client } = context.traces;
  const limits = chain.executor.clock();
  for (let number = 1n; number <= chain.head.header.number; number++) {
    const block = chain.getStoredBlock(number) as Block;
    expect(await context.traces.block({ number })).toEqual([
      ...(await new BlockTraces().of({ chain, block, limits, client })),
    ]);
  }
}

async function fillBlock(node: HindcastNode, next: () => Uint8Array): Promise<void> {
  const gas = quantity(400_000);
  for (let call = 0; call < CALLS; call++) {
    const target = encodeData(call === 0 ? (OTHERS[0] ?? TARGET) : TARGET);
    await send(node, { to: target, value: quantity(call), gas });
    const init = next();
    await send(node, { data: encodeData(call === 1 ? deploying(init) : init), gas });
  }
}

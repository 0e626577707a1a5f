/** The invariant of a walk: its node says what a chain says that was made again from genesis with the same edits. */
import { expect } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { quantity } from "../support/a-node.ts";
import { EVERYBODY } from "./journey.ts";
import { nodeOptions, type Walk } from "./walk.ts";

/** A new node with the same blocks, each mined again, on the same edits. */
async function rebuild(walk: Walk): Promise<HindcastNode> {
  const { hardfork } = walk.options;
  const node = await createNode({ ...nodeOptions({ hardfork }), mining: "manual" });
  for (let number = 1n; number <= walk.node.head.header.number; number++) {
    const block = walk.node.getBlock(number);
    if (block === undefined) throw new Error(`block ${number} is missing`);
    for (const edit of walk.editsBefore(block.hash)) await edit(node);
    const { transactions, uncles, header } = block;
    const [mined] = await node.mine({ transactions, uncles: [...uncles], timestamp: header.timestamp });
    expect(encodeData(mined?.hash ?? new Uint8Array(0)), `hash of block ${number}`).toBe(encodeData(block.hash));
  }
  for (const edit of walk.editsBefore()) await edit(node);
  return node;
}

/**
 * Compares blocks, the state at the head and before, logs, transactions and receipts, and traces by account.
 *
 * @param choice - which older blocks' states are compared
 * @throws {Error} where they differ
 */
export async function checkAgainstRebuilt(walk: Walk, choice: number): Promise<void> {
  await walk.poll();
  expect(walk.watchedLogs, "logs as the filter told").toEqual(await walk.logs());
  await using rebuilt = await rebuild(walk);
  const same = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const [found, expected] = await Promise.all([walk.node, rebuilt].map((node) => node.provider.send(method, params)));
    expect(found, `${method} ${JSON.stringify(params)}`).toEqual(expected);
    return found;
  };
  expect((await walk.node.snapshot()).stateRoot).toEqual((await rebuilt.snapshot()).stateRoot);
  const head = Number(walk.node.head.header.number);
  for (const number of new Set([0, choice % (head + 1), Math.max(head - 1, 0), head])) {
    await same("debug_accountRange", quantity(number), "0x00", 256, false, false);
  }
  await same("eth_getLogs", { fromBlock: "0x0" });
  await sameTransactions(walk, same);
  for (const address of EVERYBODY) {
    const side = { fromBlock: "0x0", fromAddress: [address], toAddress: [address] };
    await same("trace_filter", side);
    await same("ots_searchTransactionsBefore", address, 0, 1_000);
  }
}

/** All of the chain are found, others only as waiting. */
async function sameTransactions(walk: Walk, same: (method: string, ...params: unknown[]) => Promise<unknown>) {
  const mined = new Set<Hex>();
  for (let number = 1n; number <= walk.node.head.header.number; number++) {
    for (const { hash } of walk.node.getBlock(number)?.transactions ?? []) {
      mined.add(encodeData(hash));
      await same("eth_getTransactionByHash", encodeData(hash));
      await same("eth_getTransactionReceipt", encodeData(hash));
    }
  }
  for (const hash of walk.sent) {
    if (mined.has(hash)) continue;
    expect(await walk.ask("eth_getTransactionReceipt", hash), hash).toBeNull();
    expect(
      (await walk.ask<{ blockHash: Hex | null } | null>("eth_getTransactionByHash", hash))?.blockHash ?? null,
    ).toBeNull();
  }
}

/** Checks of the folder that a killed chain process leaves. */
import { expect } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { quantity } from "../support/a-node.ts";
import { OPTIONS } from "./killed-options.ts";

/** Blocks of which the state is asked for after every kill; the others were asked for after earlier ones. */
const RECENT = 50;

/** Every block that was acknowledged is here. */
export function checkAcknowledged(node: HindcastNode, hashes: readonly string[]): void {
  for (const hash of hashes) expect(node.getBlock(decodeData(hash)), hash).toBeDefined();
}

/**
 * The chain is whole: each block follows the one before, its transactions are found in it, and the last ones execute again
 * from the states that they started from.
 *
 * @returns the number of the head
 */
export async function checkChain(node: HindcastNode): Promise<number> {
  const { provider } = node;
  const head = Number(node.head.header.number);
  for (let number = 1; number <= head; number++) {
    const block = node.getBlock(BigInt(number));
    expect(block?.header.parentHash, `block ${number}`).toEqual(node.getBlock(BigInt(number - 1))?.hash);
    for (const [index, { hash }] of (block?.transactions ?? []).entries()) {
      const receipt = await provider.request({ method: "eth_getTransactionReceipt", params: [encodeData(hash)] });
      expect(receipt).toMatchObject({ blockNumber: quantity(number), transactionIndex: quantity(index) });
    }
  }
  expect(await provider.request({ method: "eth_getBlockByNumber", params: [quantity(head + 1), false] })).toBeNull();
  const fromBlock = quantity(Math.max(0, head - RECENT));
  await provider.request({ method: "trace_filter", params: [{ fromBlock }] });
  return head;
}

/** A chain without edits is accepted whole by another node, which ends in the same head. */
export async function checkImportable(node: HindcastNode): Promise<void> {
  const other = await createNode(OPTIONS);
  await other.importChain(new Uint8Array(Buffer.concat([...node.exportChain()])));
  expect(encodeData(other.head.hash)).toBe(encodeData(node.head.hash));
  await other.close();
}

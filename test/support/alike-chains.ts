/** Chains that are alike, and what a fork of one shows: for forks that must not take one for another. */
import { expect } from "vitest";
import type { ForkOptions } from "../../src/node/options/fork-options.ts";
import { decodeData, encodeData } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { nextTurn } from "../../src/primitives/platform/event-loop.ts";
import { ALICE, addressText, BOB, quantity, wordText } from "./a-node.ts";
import { deploying } from "./assembler.ts";
import { EMITTER, logCall } from "./contracts.ts";

const EDITED = addressText(0xed);

/** Asks a node; rejects with its errors. */
export type Ask = <T>(method: string, ...params: unknown[]) => Promise<T>;

/**
 * Gives a fresh chain three to six blocks. All contents begin alike, edits tell some apart.
 *
 * @param content - which of them
 */
export async function fill(ask: Ask, content: number): Promise<void> {
  const edit = async (place: number): Promise<void> => {
    await ask("anvil_setBalance", EDITED, quantity(1 + (content + place) * 7));
    await ask("anvil_setStorageAt", EDITED, wordText(1), wordText(content + place));
  };
  // Anvil answers before it has mined.
  const send = async (tx: object): Promise<void> => {
    const hash = await ask("eth_sendTransaction", tx);
    while ((await ask("eth_getTransactionReceipt", hash)) === null) await nextTurn();
  };
  if (content % 3 === 0) await edit(0);
  const data = logCall([1 + content]);
  await send({ from: ALICE, data: encodeData(deploying(EMITTER)) });
  for (let block = 0; block < 2 + (content % 4); block++) {
    const value = quantity(1 + (block === 1 ? content : 0));
    await send(block === 0 ? { from: ALICE, to: BOB, value } : { from: ALICE, to: BOB, value, data });
    if (content % 5 === block) await edit(block + 1);
  }
  if (content % 2 === 0) await edit(9);
}

/** All that such a chain shows up to a block; `latest` at the block itself. */
export async function readings(ask: Ask, pin: number, latest: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let number = pin; number >= 0; number--) {
    const at = number === pin ? latest : quantity(number);
    all.push(await ask("eth_getBlockByNumber", quantity(number), true));
    all.push(await ask("eth_getBalance", EDITED, at), await ask("eth_getStorageAt", EDITED, wordText(1), at));
    all.push(await ask("eth_getBalance", BOB, at), await ask("eth_getTransactionCount", ALICE, at));
  }
  all.push(await ask("eth_getLogs", { fromBlock: "0x0", toBlock: quantity(pin) }));
  return all;
}

/** How a fork names its block. */
export interface PinName {
  readonly pin: "latest" | "number" | "counted back" | "hash";
  readonly number: number;
}

/** The number of a block of the chain, and the options by which a fork begins at it. */
export async function pinOf(ask: Ask, { pin, number }: PinName): Promise<readonly [number, ForkOptions]> {
  const head = Number(await ask<string>("eth_blockNumber"));
  const block = await ask<{ hash: string; stateRoot: string }>("eth_getBlockByNumber", quantity(number), false);
  const options: Record<PinName["pin"], readonly [number, ForkOptions]> = {
    latest: [head, {}],
    number: [number, { blockNumber: number }],
    "counted back": [head - 1, { blockNumber: -1 }],
    hash: [number, (await isCommitted(ask, block)) ? { blockHash: block.hash } : { blockNumber: number }],
  };
  return options[pin];
}

/** True if the state after a block is the one of its header. The hash stands for that one, and for none that was edited. */
async function isCommitted(ask: Ask, block: { readonly hash: string; readonly stateRoot: string }): Promise<boolean> {
  const { accountProof } = await ask<{ accountProof: [string] }>("eth_getProof", BOB, [], { blockHash: block.hash });
  return encodeData(keccak256(decodeData(accountProof[0]))) === block.stateRoot;
}

/** Stands for what a fork refused to read. */
const REFUSED = Symbol("refused");

/**
 * Asks a fork for all that its chain had shown. What it does not refuse is what it was.
 *
 * @param before - the readings of its chain
 * @returns how much was refused
 */
export async function expectOwnOrRefused(ours: Ask, pin: number, before: readonly unknown[]): Promise<number> {
  const orRefused: Ask = (method, ...params) =>
    ours<never>(method, ...params).catch((error: { readonly code?: unknown }) => {
      if (error.code === -32_002) return REFUSED as never;
      throw error;
    });
  const now = await readings(orRefused, pin, "latest");
  expect(now).toEqual(before.map((value, index) => (now[index] === REFUSED ? REFUSED : value)));
  return now.filter((value) => value === REFUSED).length;
}

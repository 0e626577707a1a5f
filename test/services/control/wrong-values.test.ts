import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { decodeData, encodeData } from "../../../src/primitives/bytes/hex.ts";
import { addressText, openNode } from "../../support/a-node.ts";

const address = decodeData(addressText(0x77));
const word = new Uint8Array(32);
type Doing = (node: HindcastNode) => unknown;

/** Values that JavaScript callers can pass in spite of the types. */
const wrong: readonly (readonly [string, Doing, string])[] = [
  [
    "a balance below zero",
    (node) => node.setBalance(address, -5n),
    "balance: expected wei as a bigint, a number or text, below 2^256, got -5n.",
  ],
  [
    "a balance of 2^256",
    (node) => node.setBalance(address, 2n ** 256n),
    "balance: expected wei as a bigint, a number or text, below 2^256",
  ],
  [
    "less than no wei",
    (node) => node.setBalance(address, -5n),
    "balance: expected wei as a bigint, a number or text, below 2^256, got -5n.",
  ],
  [
    "three bytes for an address",
    (node) => node.setBalance(word.slice(0, 3), 5n),
    "address: expected 20 bytes in a Uint8Array or as DATA, got 3 bytes.",
  ],
  [
    "an address of too few digits",
    (node) => node.setNonce("0x123" as never, 5n),
    'address: expected 20 bytes in a Uint8Array or as DATA, got "0x',
  ],
  [
    "a nonce of 2^64",
    (node) => node.setNonce(address, 2n ** 64n),
    "nonce: expected a bigint, a number or text below 2^64",
  ],
  [
    "a nonce of another type",
    (node) => node.setNonce(address, true as never),
    "nonce: expected a bigint, a number or text below 2^64",
  ],
  [
    "code of half a byte",
    (node) => node.setCode(address, "0x6"),
    'code: expected bytes in a Uint8Array or as DATA, got "0x6".',
  ],
  [
    "a short slot",
    (node) => node.setStorageAt(address, word.slice(1), word),
    "slot: expected 32 bytes in a Uint8Array or as DATA, got 31 bytes.",
  ],
  [
    "a long value",
    (node) => node.setStorageAt(address, word, new Uint8Array(33)),
    "value: expected 0 to 32 bytes in a Uint8Array or as DATA, got 33 bytes.",
  ],
  ["a sender as text", (node) => node.impersonate("x" as never), "address: expected 20 bytes"],
  ["less than no blocks", (node) => node.mine({ blocks: -1 }), "blocks: expected a whole number from 0, got -1."],
  ["half a block", (node) => node.mine({ blocks: 1.5 }), "blocks: expected a whole number from 0, got 1.5."],
  ["blocks as text", (node) => node.mine({ blocks: "3" as never }), 'blocks: expected a whole number from 0, got "3".'],
  [
    "a time as a number",
    (node) => node.mine({ timestamp: 2_000_000_000 as never }),
    "timestamp: expected seconds as a bigint below 2^64",
  ],
  [
    "an interval as a number",
    (node) => node.mine({ blocks: 2, interval: 5 as never }),
    "interval: expected seconds as a bigint",
  ],
  [
    "a reorg of nothing said",
    (node) => node.reorg({} as never),
    "options.depth: expected a whole number from 0, got nothing.",
  ],
  [
    "a reorg of half a block",
    (node) => node.reorg({ depth: 1.5, blocks: 1 }),
    "options.depth: expected a whole number",
  ],
  [
    "a reorg into less than nothing",
    (node) => node.reorg({ depth: 0, blocks: -1 }),
    "blocks: expected a whole number from 0, got -1.",
  ],
  [
    "a count that stands alone",
    (node) => node.mine(5 as never),
    "options: expected an object with some of blocks, timestamp, interval, uncles, transactions, got 5.",
  ],
  [
    "an option that there is not",
    (node) => node.mine({ block: 5 } as never),
    'options: unknown member "block". Did you mean blocks?',
  ],
  [
    "time that goes back",
    (node) => node.time.increase(-5n),
    "seconds: expected seconds as a bigint below 2^64, got -5n.",
  ],
  ["seconds that are not whole", (node) => node.time.increase(5.5), "seconds: expected seconds as a bigint"],
  ["a time of 2^64", (node) => node.time.set(2n ** 64n), "timestamp: expected seconds as a bigint below 2^64"],
  ["a next time in words", (node) => node.time.setNext("tomorrow"), "timestamp: expected seconds as a bigint"],
  ["blocks that go back in time", (node) => node.time.setInterval(-1n), "seconds: expected seconds as a bigint"],
  ["a chain as text", (node) => node.importChain("0xc0" as never), "bytes: expected bytes in a Uint8Array"],
  ["a state as text", (node) => node.loadState("0x1f8b" as never), "bytes: expected bytes in a Uint8Array"],
  ["a step back by text", (node) => node.rollback("1" as never), 'depth: expected a whole number from 0, got "1".'],
];

describe("a value that no chain can hold", () => {
  let node: HindcastNode;
  beforeAll(async () => {
    node = await openNode();
    await node.setBalance(address, 1n);
    await node.mine({ blocks: 2 });
  });
  afterAll(() => node.close());

  const tell = async (): Promise<unknown> => [
    encodeData(node.head.hash),
    await node.provider.request({ method: "eth_getProof", params: [addressText(0x77), ["0x0"], "latest"] }),
  ];

  it.each(wrong)("is refused in words and written nowhere: %s", async (_, act, words) => {
    const before = await tell();
    const attempt = (async () => act(node))();
    await expect(attempt).rejects.toMatchObject({ name: "InvalidParamsError", code: "INVALID_PARAMS" });
    await expect(attempt).rejects.toThrow(words);
    expect(await tell()).toEqual(before);
  });
});

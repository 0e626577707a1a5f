import { expect, it } from "vitest";
import { type Bytes, bytesKey } from "../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { addressKey, wordKey } from "../../../src/state/map-keys.ts";
import { toNibbles } from "../../../src/state/trie/nibbles.ts";
import { TrieKeys } from "../../../src/state/trie/trie-keys.ts";

function slot(id: number): Bytes {
  const bytes = new Uint8Array(32);
  bytes[30] = id >> 8;
  bytes[31] = id & 255;
  return bytes;
}

it("gives the nibbles of the hash, also after more keys than it remembers", () => {
  const keys = new TrieKeys(8);
  for (let round = 0; round < 3; round++) {
    for (let id = 0; id < 50; id++) {
      expect(keys.ofSlot(slot(id))).toEqual(toNibbles(keccak256(slot(id))));
      expect(keys.ofAddress(slot(id).subarray(12))).toEqual(toNibbles(keccak256(slot(id).subarray(12))));
    }
  }
});

it("hashes once what is asked for often", () => {
  const keys = new TrieKeys(8);
  const first = keys.ofSlot(slot(1));
  for (let id = 100; id < 200; id++) {
    keys.ofSlot(slot(id));
    expect(keys.ofSlot(slot(1))).toBe(first);
  }
});

it("hashes again after it was cleared", () => {
  const hashed: Bytes[] = [];
  const keys = new TrieKeys(8, (preimage) => hashed.push(preimage));
  for (let round = 0; round < 2; round++) {
    for (let times = 0; times < 2; times++) {
      keys.ofSlot(slot(1));
      keys.ofAddress(slot(2).subarray(12));
    }
    keys.clear();
  }
  expect(hashed).toHaveLength(4);
});

it("keeps apart what differs in any one bit", () => {
  const words = new Set<string>();
  const addresses = new Set<string>();
  for (let bit = 0; bit < 256; bit++) {
    const word = new Uint8Array(32);
    word[bit >> 3] = 1 << (bit & 7);
    words.add(wordKey(word));
    if (bit < 160) addresses.add(addressKey(word.subarray(0, 20)));
    expect(wordKey(word)).toBe(wordKey(word.slice()));
  }
  expect([words.size, addresses.size]).toEqual([256, 160]);
  expect(bytesKey(new Uint8Array(2))).not.toBe(wordKey(new Uint8Array(32)));
});

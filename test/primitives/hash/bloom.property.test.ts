import { keccak_256 } from "@noble/hashes/sha3.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { bloomOfLogs, bloomSteps } from "../../../src/primitives/hash/bloom.ts";
import { inTurns } from "../../../src/primitives/platform/turns.ts";

/** By the yellow paper, §4.3.1: of each entry three bits, counted from the end of 256 bytes. */
function referenceBloom(entries: Iterable<Uint8Array>): string {
  let bits = 0n;
  for (const entry of entries) {
    const hash = keccak_256(entry);
    for (const pair of [0, 2, 4]) bits |= 1n << BigInt(((hash[pair] ?? 0) * 256 + (hash[pair + 1] ?? 0)) % 2048);
  }
  return bits.toString(16).padStart(512, "0");
}

/** One of a few values, often an array of its own, so that equal ones follow each other in the same and in other places. */
const someOf = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.nat({ max: 3 }).map((value) => new Uint8Array(length).fill(value, length - 1));
const logs = fc.array(fc.record({ address: someOf(20), topics: fc.array(someOf(32), { maxLength: 4 }) }), {
  maxLength: 250,
});

it("the bloom of logs has the bits of each address and topic, however often they repeat", async () => {
  const property = fc.asyncProperty(logs, async (list) => {
    const expected = referenceBloom(list.flatMap(({ address, topics }) => [address, ...topics]));
    expect(Buffer.from(bloomOfLogs(list)).toString("hex")).toBe(expected);
    expect(Buffer.from(await inTurns(bloomSteps(list))).toString("hex")).toBe(expected);
  });
  await fc.assert(property);
});

import { expect, it } from "vitest";
import { bigIntToFixedBytes, bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { keyBelow } from "../../../src/state/fork/overlay-reader.ts";

const nibblesOf = (bytes: Uint8Array): number[] => [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);

it.each([20, 32] as const)("finds the first key of %s bytes whose hash begins with a path", async (length) => {
  const first = new Map<string, bigint>();
  for (let counter = 0n; counter < 2_000n; counter++) {
    const nibbles = nibblesOf(keccak256(bigIntToFixedBytes(counter, length)));
    for (let end = 0; end <= 3; end++) {
      const path = String(nibbles.slice(0, end));
      if (!first.has(path)) first.set(path, counter);
    }
  }
  for (const [path, counter] of [...first].slice(0, 200)) {
    const key = await keyBelow(Uint8Array.from(path === "" ? [] : path.split(",").map(Number)), length);
    expect([key.length, bytesToBigInt(key)]).toEqual([length, counter]);
  }
});

it("lets the event loop run during a long search", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const key = await keyBelow(Uint8Array.of(1, 2, 3, 4), 32);
  clearInterval(timer);
  expect(nibblesOf(keccak256(key)).slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(turns).toBeGreaterThan(0);
});

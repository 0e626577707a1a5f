import { randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { zipped as packed, unzipped } from "../../../src/primitives/platform/compression.ts";
import { isSlow } from "../../support/seed.ts";

const MEBIBYTE = 1024 * 1024;
const zipped = (bytes: Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytes));

it("unpacks what is gzipped and leaves the rest", async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  expect(await unzipped(zipped(bytes))).toEqual(bytes);
  expect(await unzipped(bytes)).toBe(bytes);
});

it("packs pieces of any length, each after those before it, so that others have their turns", async () => {
  const pieces = [1, 0, 70_000, 3, 65_536, 30_000, 40_000, ...Array<number>(20).fill(60_000)].map((length) =>
    randomBytes(length),
  );
  let turns = 0;
  const takenIn: number[] = [];
  const timer = setInterval(() => turns++, 0);
  function* watched(): Generator<Uint8Array> {
    for (const piece of pieces) {
      takenIn.push(turns);
      yield piece;
    }
  }
  const file = await packed(watched());
  clearInterval(timer);
  expect(gunzipSync(file).equals(Buffer.concat(pieces))).toBe(true);
  expect(new Set(takenIn).size).toBeGreaterThan(3);
  expect(gunzipSync(await packed([]))).toHaveLength(0);
});

it("fails as the pieces do", async () => {
  function* failing(): Generator<Uint8Array> {
    yield randomBytes(100_000);
    throw new Error("no more pieces");
  }
  await expect(packed(failing())).rejects.toThrow("no more pieces");
});

it("stops at a bound instead of filling the memory", async () => {
  const zeros = new Uint8Array(2 * MEBIBYTE);
  expect(await unzipped(zipped(zeros), 2 * MEBIBYTE)).toHaveLength(zeros.length);
  await expect(unzipped(zipped(zeros), MEBIBYTE)).rejects.toMatchObject({
    code: "UNPACKED_TOO_LARGE",
    message: "Unpacked it is more than 1048576 bytes. Unpack it first, or raise the limit.",
  });
});

if (isSlow) {
  it("stops at 200 times what was sent, or at 64 MiB if that is more", async () => {
    const small = zipped(new Uint8Array(65 * MEBIBYTE));
    await expect(unzipped(small)).rejects.toThrow(`more than ${64 * MEBIBYTE} bytes`);
    // Two files in one, as gzip allows: the first does not shrink.
    const random = zipped(new Uint8Array(randomBytes(MEBIBYTE)));
    const both = new Uint8Array(Buffer.concat([random, small]));
    expect(await unzipped(both)).toHaveLength(66 * MEBIBYTE);
  });
}

it("refuses what is cut off", async () => {
  await expect(unzipped(zipped(new Uint8Array(100)).subarray(0, -9))).rejects.toThrow("unexpected end of file");
});

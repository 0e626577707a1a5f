import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { unzipped } from "../../src/primitives/gunzip.ts";

const MEBIBYTE = 1024 * 1024;
const zipped = (bytes: Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytes));

it("unpacks what is gzipped and leaves the rest", async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  expect(await unzipped(zipped(bytes))).toEqual(bytes);
  expect(await unzipped(bytes)).toBe(bytes);
});

it("stops at a bound instead of filling the memory", async () => {
  const zeros = new Uint8Array(2 * MEBIBYTE);
  expect(await unzipped(zipped(zeros), 2 * MEBIBYTE)).toHaveLength(zeros.length);
  await expect(unzipped(zipped(zeros), MEBIBYTE)).rejects.toThrow("unpacked it is more than 1 MiB");
});

it("refuses what is cut off", async () => {
  await expect(unzipped(zipped(new Uint8Array(100)).subarray(0, -9))).rejects.toThrow("unexpected end of file");
});

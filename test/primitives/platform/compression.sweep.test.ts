import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { unzipped } from "../../../src/primitives/platform/compression.ts";
import { isSlow } from "../../support/seed.ts";

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

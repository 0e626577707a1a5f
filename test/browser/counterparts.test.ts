/** The files that stand in place of Node's in browsers do as those do, or refuse in words. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COUNTERPARTS } from "../../.ci/browser.mjs";
import * as crypto from "../../src/browser/platform/crypto.ts";
import * as encodings from "../../src/browser/platform/encodings.ts";
import * as eventLoop from "../../src/browser/platform/event-loop.ts";
import * as files from "../../src/browser/platform/files.ts";
import * as gzip from "../../src/browser/platform/gzip.ts";
import * as colors from "../../src/browser/platform/terminal-colors.ts";
import * as connections from "../../src/browser/remote/connections.ts";
import * as openCache from "../../src/browser/remote/open-cache.ts";
import { UnsupportedError } from "../../src/errors/hindcast-error.ts";
import * as nodesCrypto from "../../src/primitives/platform/crypto.ts";
import * as nodesEncodings from "../../src/primitives/platform/encodings.ts";
import * as nodesEventLoop from "../../src/primitives/platform/event-loop.ts";
import type * as nodesFiles from "../../src/primitives/platform/files.ts";
import * as nodesGzip from "../../src/primitives/platform/gzip.ts";
import * as nodesColors from "../../src/primitives/platform/terminal-colors.ts";
import type * as nodesOpenCache from "../../src/remote/cache/open-cache.ts";
import type * as nodesConnections from "../../src/remote/transport/connections.ts";

/** What the compiler compares: a counterpart has functions of the same types. */
const sameTypes = <Names extends object>(_names: Names): void => undefined;
sameTypes<typeof nodesCrypto>(crypto);
sameTypes<typeof nodesEncodings>(encodings);
sameTypes<typeof nodesEventLoop>(eventLoop);
sameTypes<typeof nodesFiles>(files);
sameTypes<typeof nodesGzip>(gzip);
sameTypes<typeof nodesColors>(colors);
sameTypes<typeof nodesConnections>(connections);
sameTypes<typeof nodesOpenCache>(openCache);

const ownEncodings: typeof nodesEncodings = { ...encodings };
const theirEncodings = { ...nodesEncodings };

const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => new Uint8Array(value));
const text = fc.string({ unit: "binary", maxLength: 100 });

const collected = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new Uint8Array(Buffer.concat(all));
};
/** Arrays of either platform, as plain ones. */
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? new Uint8Array(value) : value);

function same<Value>(
  values: fc.Arbitrary<Value>,
  own: (value: Value) => unknown,
  nodes: (value: Value) => unknown,
): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(plain(own(value))).toEqual(plain(nodes(value)));
    }),
  );
}

it("each says whose place it takes", () => {
  const unsaid = Object.entries(COUNTERPARTS).filter(([module, counterpart]) => {
    const source = readFileSync(new URL(`../../src/${counterpart}`, import.meta.url), "utf8");
    return !source.includes(`Counterpart of \`${module}\`.`);
  });
  expect(unsaid).toEqual([]);
});

describe("encodings of bytes are those of Node", () => {
  const ofBytes = ["toHexDigits", "toLatin1", "toUtf8", "toBase64"] as const;
  const ofText = ["fromHexDigits", "fromLatin1", "fromUtf8"] as const;

  it.each(ofBytes)("%s", (name) => {
    same(bytes, ownEncodings[name], theirEncodings[name]);
  });

  it.each(ofText)("%s", (name) => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEFgé"), maxLength: 40 });
    const texts = fc.oneof(text, digits);
    same(texts, ownEncodings[name], theirEncodings[name]);
  });

  it("of long ones, and of parts of others", () => {
    const long = new Uint8Array(100_000).map((_, index) => index * 7);
    const part = long.subarray(3, 90_001);
    for (const name of ofBytes) expect(ownEncodings[name](part)).toBe(theirEncodings[name](part));
    expect(encodings.fromLatin1(encodings.toLatin1(part))).toEqual(part.slice());
    expect(encodings.toUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  });

  it("compareLongBytes and indexOfBytes", () => {
    const few = fc.uint8Array({ max: 2, maxLength: 6 });
    fc.assert(
      fc.property(few, few, fc.nat(7), (left, right, from) => {
        expect(encodings.compareLongBytes(left, right)).toBe(nodesEncodings.compareLongBytes(left, right));
        expect(encodings.indexOfBytes(left, right, from)).toBe(nodesEncodings.indexOfBytes(left, right, from));
      }),
    );
  });
});

it("hashes, derived keys and public keys are those of Node", () => {
  fc.assert(
    fc.property(bytes, bytes, (left, right) => {
      expect(crypto.sha256(left)).toEqual(nodesCrypto.sha256(left));
      expect(crypto.ripemd160(left)).toEqual(nodesCrypto.ripemd160(left));
      expect(crypto.hmacSha512(left, right)).toEqual(nodesCrypto.hmacSha512(left, right));
    }),
  );
  const derived = ["a passphrase", "salt", 3, 64] as const;
  expect(crypto.pbkdf2Sha512(...derived)).toEqual(nodesCrypto.pbkdf2Sha512(...derived));
  for (const form of ["uncompressed", "compressed"] as const) {
    const key = new Uint8Array(32).fill(7);
    expect(crypto.secp256k1PublicKey(key, form)).toEqual(nodesCrypto.secp256k1PublicKey(key, form));
  }
  expect(crypto.randomBytes(32)).not.toEqual(crypto.randomBytes(32));
});

describe("gzip", () => {
  it("of either platform is unpacked by the other, and checksums are the same", async () => {
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (value, next) => {
        expect(await collected(nodesGzip.unpackedChunks(await gzip.zipped(value)))).toEqual(value);
        expect(await collected(gzip.unpackedChunks(await nodesGzip.zipped(value)))).toEqual(value);
        expect(gzip.crc32Of(next, gzip.crc32Of(value))).toBe(nodesGzip.crc32Of(next, nodesGzip.crc32Of(value)));
      }),
    );
  });

  it("of megabytes comes in chunks, and stops when nobody reads on", async () => {
    const value = new Uint8Array(4 * 2 ** 20).map((_, index) => index ** 2);
    const zipped = await gzip.zipped(value);
    expect(await collected(gzip.unpackedChunks(zipped))).toEqual(value);
    for await (const chunk of gzip.unpackedChunks(zipped)) {
      expect(chunk.length).toBeLessThan(value.length);
      break;
    }
  });

  it("that is truncated or damaged is an error", async () => {
    const zipped = await gzip.zipped(new Uint8Array(1000).fill(1));
    await expect(collected(gzip.unpackedChunks(zipped.slice(0, -9)))).rejects.toThrow();
    zipped[12] = (zipped[12] ?? 0) ^ 0xff;
    await expect(collected(gzip.unpackedChunks(zipped))).rejects.toThrow();
  });
});

it("tasks of the next turn run in their order, after what is awaited", async () => {
  for (const { onNextTurn, nextTurn, inBackground } of [nodesEventLoop, eventLoop]) {
    const order: number[] = [];
    onNextTurn(() => order.push(2));
    onNextTurn(() => order.push(3));
    void Promise.resolve().then(() => order.push(1));
    await nextTurn();
    expect(order).toEqual([1, 2, 3]);
    clearTimeout(inBackground(setTimeout(() => order.push(4), 60_000)));
  }
});

it("colours are those of Node", () => {
  for (const isColored of [true, false]) {
    const [own, nodes] = [colors.terminalColors(isColored), nodesColors.terminalColors(isColored)];
    for (const name of Object.keys(nodes) as (keyof typeof nodes)[])
      expect(own[name]("text")).toBe(nodes[name]("text"));
  }
  expect(colors.hasTerminalColors()).toBe(false);
});

it("what a browser does not have is refused in words", () => {
  const refused = [
    () => files.listFolder("out"),
    () => files.readBytes("out/a.json"),
    () => files.readPieces("out/a.json"),
    () => files.readParts("out/a.json", []),
    () => connections.socketFileAt("/tmp/geth.ipc"),
    () => connections.webSocketTo("wss://example.org", { authorization: "Bearer secret" }),
    () => openCache.openCache({ folder: "cache" }),
  ];
  for (const act of refused) expect(act).toThrow(UnsupportedError);
  expect(files.stampOf("out")).toBeUndefined();
  expect(openCache.openCache()).toBeDefined();
});

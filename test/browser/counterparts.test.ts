/** The files that stand in place of Node's in browsers do as those do, or refuse in words. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COUNTERPARTS } from "../../.ci/browser.mjs";
import * as engines from "../../src/browser/engines.ts";
import { loadQuickJs } from "../../src/browser/load-quickjs.ts";
import * as builtFiles from "../../src/browser/platform/built-files.ts";
import * as crypto from "../../src/browser/platform/crypto.ts";
import * as encodings from "../../src/browser/platform/encodings.ts";
import * as eventLoop from "../../src/browser/platform/event-loop.ts";
import * as files from "../../src/browser/platform/files.ts";
import { GiveBack } from "../../src/browser/platform/give-back.ts";
import * as gzip from "../../src/browser/platform/gzip.ts";
import * as packages from "../../src/browser/platform/packages.ts";
import * as colors from "../../src/browser/platform/terminal-colors.ts";
import * as thread from "../../src/browser/platform/thread.ts";
import * as connections from "../../src/browser/remote/connections.ts";
import * as openCache from "../../src/browser/remote/open-cache.ts";
import * as sourceCache from "../../src/browser/remote/source-cache.ts";
import * as servers from "../../src/browser/servers.ts";
import * as dataFolder from "../../src/browser/store/data-folder.ts";
import * as folderDatabase from "../../src/browser/store/folder-database.ts";
import * as folderLock from "../../src/browser/store/folder-lock.ts";
import * as storedSequences from "../../src/browser/stored-sequences.ts";
import { UnsupportedError } from "../../src/errors/hindcast-error.ts";
import type * as nodesEngines from "../../src/node/engines.ts";
import type * as nodesBuiltFiles from "../../src/primitives/platform/built-files.ts";
import * as nodesCrypto from "../../src/primitives/platform/crypto.ts";
import * as nodesEncodings from "../../src/primitives/platform/encodings.ts";
import * as nodesEventLoop from "../../src/primitives/platform/event-loop.ts";
import type * as nodesFiles from "../../src/primitives/platform/files.ts";
import * as nodesGzip from "../../src/primitives/platform/gzip.ts";
import * as nodesPackages from "../../src/primitives/platform/packages.ts";
import * as nodesColors from "../../src/primitives/platform/terminal-colors.ts";
import type * as nodesThread from "../../src/primitives/platform/thread.ts";
import type * as nodesOpenCache from "../../src/remote/cache/open-cache.ts";
import * as nodesSourceCache from "../../src/remote/cache/source-cache.ts";
import type * as nodesConnections from "../../src/remote/transport/connections.ts";
import type { loadQuickJs as loadNodesQuickJs } from "../../src/sandbox/load-quickjs.ts";
import type * as nodesDataFolder from "../../src/store/backends/data-folder.ts";
import type * as nodesFolderDatabase from "../../src/store/backends/folder-database.ts";
import type * as nodesFolderLock from "../../src/store/backends/folder-lock.ts";
import type { StoredSequences as NodesStoredSequences } from "../../src/testing/fuzz/stored-sequences.ts";
import { slowIt } from "../support/slow-suite.ts";

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
sameTypes<Pick<typeof nodesBuiltFiles, "packageVersion" | "readBuilt">>(builtFiles);
sameTypes<typeof nodesDataFolder>(dataFolder);
sameTypes<typeof nodesFolderDatabase>(folderDatabase);
sameTypes<typeof nodesFolderLock>(folderLock);
sameTypes<typeof nodesSourceCache>(sourceCache);
sameTypes<typeof nodesPackages>(packages);
sameTypes<typeof loadNodesQuickJs>(loadQuickJs);
sameTypes<Pick<typeof nodesEngines, "openEngine">>(engines);
sameTypes<Pick<typeof nodesThread, "canStartThreads" | "processorCount">>(thread);

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
  slowIt("of either platform is unpacked by the other, and checksums are the same", async () => {
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (value, next) => {
        expect(await collected(nodesGzip.unpackedChunks(await collected(gzip.packedChunks([value]))))).toEqual(value);
        expect(await collected(gzip.unpackedChunks(await collected(nodesGzip.packedChunks([value]))))).toEqual(value);
        expect(gzip.crc32Of(next, gzip.crc32Of(value))).toBe(nodesGzip.crc32Of(next, nodesGzip.crc32Of(value)));
      }),
    );
  });

  it("of megabytes comes in chunks, and stops when nobody reads on", async () => {
    const value = new Uint8Array(4 * 2 ** 20).map((_, index) => index ** 2);
    const zipped = await collected(gzip.packedChunks([value]));
    expect(await collected(gzip.unpackedChunks(zipped))).toEqual(value);
    for await (const chunk of gzip.unpackedChunks(zipped)) {
      expect(chunk.length).toBeLessThan(value.length);
      break;
    }
  });

  it("of chunks that fail is an error", async () => {
    function* failing(): Generator<Uint8Array> {
      yield new Uint8Array(100_000);
      throw new Error("no more chunks");
    }
    for (const { packedChunks } of [gzip, nodesGzip])
      await expect(collected(packedChunks(failing()))).rejects.toThrow("no more chunks");
  });

  it("that is truncated or damaged is an error", async () => {
    const zipped = await collected(gzip.packedChunks([new Uint8Array(1000).fill(1)]));
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

it("packages are those that Node loads, and others are errors", () => {
  for (const name of ["@noble/curves/secp256k1.js", "micro-eth-signer/abi.js"]) {
    const [own, nodes] = [packages.packages()(name), nodesPackages.packages()(name)] as Record<string, unknown>[];
    for (const [member, value] of Object.entries(own ?? {})) expect(typeof value).toBe(typeof nodes?.[member]);
    expect(Object.keys(own ?? {}).length).toBeGreaterThan(0);
  }
  expect(() => packages.packages()("ws")).toThrow("does not have ws");
  expect(() => packages.compileEmbeddedWasm("mcl", /x/)).toThrow("was not fetched");
});

it("bytes and versions that the build did not put in are errors", () => {
  expect(() => builtFiles.readBuilt("core.wasm")).toThrow("core.wasm");
  expect(() => builtFiles.packageVersion()).toThrow("version");
});

it("QuickJS is not there unless the build put it in", async () => {
  await expect(loadQuickJs()).rejects.toThrow("quickjs.wasm");
});

it("sources of contracts are remembered in memory, as in Node without a folder", () => {
  const address = new Uint8Array(20).fill(7);
  for (const { openSourceCache } of [sourceCache, nodesSourceCache]) {
    const cache = openSourceCache(undefined, "https://sources.example");
    expect(cache.get(1n, address)).toBeUndefined();
    cache.put(1n, address, "{}");
    expect(cache.get(1n, address)?.text).toBe("{}");
    expect(cache.get(2n, address)).toBeUndefined();
  }
  expect(sourceCache.sourceFolderOf(true)).toBeUndefined();
  expect(nodesSourceCache.sourceFolderOf(false)).toBeUndefined();
});

it("there are no threads, no collector, no servers and no reference engine", async () => {
  expect(thread.canStartThreads()).toBe(false);
  expect(thread.processorCount()).toBe(1);
  const options = { kind: "proofs", onMessage: () => undefined, onEnd: () => undefined } as const;
  const failed = (cause: unknown): Error => new Error("no thread", { cause });
  expect(() => new thread.Thread({ ...options, failed })).toThrow("no thread");
  expect(new GiveBack().isEffective).toBe(false);
  for (const start of [servers.httpServer, servers.ipcServer])
    await expect(start()).rejects.toMatchObject({ code: "UNSUPPORTED", message: expect.stringContaining("serveOn") });
  await expect(engines.openEngine("ethereumjs")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  const engine = await engines.openEngine();
  expect(engine.name).toBe("wasm");
  await engine.close();
});

it("data folders are refused in words where files are not synchronous", async () => {
  const identity = { genesisHash: new Uint8Array(32), chainId: 1n };
  const refused = [
    () => dataFolder.makeDataFolder("chain"),
    () => dataFolder.readDataFolder("chain"),
    () => dataFolder.claimDataFolder("chain", identity),
    () => folderDatabase.requireDatabase("chain"),
    () => folderLock.lockFolder("chain"),
  ];
  for (const act of refused) {
    await expect(act()).rejects.toMatchObject({
      code: "DATA_DIR_UNUSABLE",
      message: expect.stringMatching(/only a node in a worker.*createWorkerNode of hindcast\/worker/),
    });
  }
});

it("a browser stores no sequences of the fuzzer, and says so", () => {
  const nodes: Pick<NodesStoredSequences, "path" | "read" | "add"> = new storedSequences.StoredSequences(
    undefined,
    "x",
  );
  nodes.add([]);
  expect(nodes.read()).toEqual([]);
  expect(() => new storedSequences.StoredSequences("/a/test.ts", "x")).toThrow(UnsupportedError);
});

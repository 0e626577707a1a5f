/** The cache on disk: what it survives, who shares it, how it is bounded. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { DiskCache } from "../../../src/remote/cache/disk-cache.ts";
import { cleanCache, listCache, trimCache } from "../../../src/remote/cache/manage.ts";
import { blockFolder, defaultCacheFolder } from "../../../src/remote/cache/paths.ts";
import { decodeRecords, encodeRecords, fileHead } from "../../../src/remote/cache/records.ts";
import { aFolder } from "../../support/a-folder.ts";

const HASH = keccak256(Uint8Array.of(1));
const OTHER = keccak256(Uint8Array.of(2));
const MANY = 1e9;
const entry = (key: string, value: number, isProven = false) => ({ key, value: Uint8Array.of(value), isProven });

const entries = fc.array(
  fc.record({
    key: fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    value: fc.uint8Array({ maxLength: 200 }),
    isProven: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

describe("a file of records", () => {
  it("gives back what was written", () => {
    fc.assert(
      fc.property(entries, (written) => {
        expect([...decodeRecords(Buffer.concat([fileHead(), encodeRecords(written)]))]).toEqual(written);
      }),
    );
  });

  it("cut anywhere, gives back the records that are whole", () => {
    fc.assert(
      fc.property(entries, fc.nat(), (written, at) => {
        const file = Buffer.concat([fileHead(), encodeRecords(written)]);
        const cut = at % (file.length + 1);
        const read = [...decodeRecords(file.subarray(0, cut))];
        const whole = written.filter(
          (_, index) => fileHead().length + encodeRecords(written.slice(0, index + 1)).length <= cut,
        );
        expect(read).toEqual(whole);
      }),
    );
  });

  it("damaged anywhere, gives back a beginning of what was written", () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.integer({ min: 1, max: 255 }), (written, at, change) => {
        const file = Buffer.concat([fileHead(), encodeRecords(written)]);
        const place = at % file.length;
        file[place] = (file[place] as number) ^ change;
        const read = [...decodeRecords(file)];
        expect(read).toEqual(written.slice(0, read.length));
        expect(read.length).toBeLessThan(written.length);
      }),
    );
  });
});

describe("a cache on disk", () => {
  it("holds what was put, as soon as it was put, for every process that opens it then", async () => {
    const folder = await aFolder();
    const block = new DiskCache(folder, MANY).openBlock(1n, HASH);
    for (let index = 0; index < 5; index++) {
      block.put([entry(`a${index}`, index)]);
      // Nothing was closed: as after a SIGKILL.
      const copy = join(await aFolder(), "copy");
      cpSync(folder, copy, { recursive: true });
      const other = new DiskCache(copy, MANY).openBlock(1n, HASH);
      for (let known = 0; known <= index; known++) expect(other.get(`a${known}`, false)).toEqual(Uint8Array.of(known));
    }
  });

  it("is shared by processes that write at once, none of which waits", async () => {
    const folder = await aFolder();
    const caches = Array.from({ length: 4 }, () => new DiskCache(folder, MANY));
    const blocks = caches.map((cache) => cache.openBlock(1n, HASH));
    for (let round = 0; round < 20; round++) {
      blocks.forEach((block, index) => {
        block.put([entry(`a${index} ${round}`, index)]);
      });
    }
    for (const cache of caches) cache.close();
    const all = new DiskCache(folder, MANY).openBlock(1n, HASH);
    for (let round = 0; round < 20; round++) {
      for (let index = 0; index < 4; index++)
        expect(all.get(`a${index} ${round}`, false)).toEqual(Uint8Array.of(index));
    }
  });

  it("makes one file of many that nobody writes to any more, and loses nothing", async () => {
    const folder = await aFolder();
    for (let run = 0; run < 20; run++) {
      const cache = new DiskCache(folder, MANY);
      cache.openBlock(1n, HASH).put([entry(`a${run}`, run)]);
      cache.close();
    }
    const path = blockFolder(folder, 1n, HASH);
    expect(readdirSync(path).length).toBeLessThanOrEqual(13);
    const block = new DiskCache(folder, MANY).openBlock(1n, HASH);
    for (let run = 0; run < 20; run++) expect(block.get(`a${run}`, false)).toEqual(Uint8Array.of(run));
  });

  it("keeps chains and blocks apart, and proven answers from others", async () => {
    const cache = new DiskCache(await aFolder(), MANY);
    cache.openBlock(1n, HASH).put([entry("a", 1), entry("b", 2, true)]);
    expect(cache.openBlock(2n, HASH).get("a", false)).toBeUndefined();
    expect(cache.openBlock(1n, OTHER).get("a", false)).toBeUndefined();
    expect(cache.openBlock(1n, HASH).get("a", true)).toBeUndefined();
    expect(cache.openBlock(1n, HASH).get("b", true)).toEqual(Uint8Array.of(2));
    cache.openBlock(1n, HASH).put([entry("b", 3)]);
    expect(cache.openBlock(1n, HASH).get("b", false)).toEqual(Uint8Array.of(2));
  });

  it("keeps codes by their hash, and gives none that does not have it", async () => {
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const code = Uint8Array.of(1, 2, 3);
    cache.putCode(keccak256(code), code);
    expect(new DiskCache(folder, MANY).getCode(keccak256(code))).toEqual(code);
    const name = Buffer.from(keccak256(code)).toString("hex");
    appendFileSync(join(folder, "codes", name.slice(0, 2), name), "x");
    expect(cache.getCode(keccak256(code))).toBeUndefined();
    expect(cache.getCode(HASH)).toBeUndefined();
  });

  it("knows chains, and blocks by number, by URL without any URL in it", async () => {
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const url = "https://mainnet.example/v3/a-secret-key";
    cache.putChainId(url, 1n);
    cache.putFinalBlock(url, 17n, { chainId: 1n, hash: HASH });
    cache.openBlock(1n, HASH).put([entry("a", 1)]);
    const other = new DiskCache(folder, MANY);
    expect(other.getChainId(url)).toBe(1n);
    expect(other.getChainId(`${url}2`)).toBeUndefined();
    expect(other.getFinalBlock(url, 17n)).toEqual({ chainId: 1n, hash: HASH });
    expect(other.getFinalBlock(url, 18n)).toBeUndefined();
    expect(other.getFinalBlock(`${url}2`, 17n)).toBeUndefined();
    expect(other.findChains(HASH)).toEqual([1n]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    for (const file of files) {
      expect(file.name).not.toContain("secret");
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), "latin1")).not.toContain("secret");
    }
  });

  it.each([undefined, "1"])("drops what another version wrote (version: %s)", async (version) => {
    const folder = await aFolder();
    const url = "https://mainnet.example";
    const old = new DiskCache(folder, MANY);
    old.openBlock(1n, HASH).put([entry("a", 1)]);
    old.putFinalBlock(url, 17n, { chainId: 1n, hash: HASH });
    old.close();
    rmSync(join(folder, "version"));
    if (version !== undefined) writeFileSync(join(folder, "version"), version);
    const cache = new DiskCache(folder, MANY);
    expect(listCache(folder)).toMatchObject({ blocks: [], bytes: 0 });
    expect(cache.getFinalBlock(url, 17n)).toBeUndefined();
    cache.openBlock(1n, HASH).put([entry("a", 2)]);
    expect(new DiskCache(folder, MANY).openBlock(1n, HASH).get("a", false)).toEqual(Uint8Array.of(2));
  });

  it("is no reason to fail where it cannot be written", async () => {
    const folder = await aFolder();
    const file = join(folder, "file");
    writeFileSync(file, "");
    const cache = new DiskCache(join(file, "below"), MANY);
    cache.openBlock(1n, HASH).put([entry("a", 1)]);
    cache.putCode(HASH, Uint8Array.of(1));
    cache.putChainId("https://x.example", 1n);
    expect(cache.openBlock(1n, HASH).get("a", false)).toEqual(Uint8Array.of(1));
    expect(cache.getCode(HASH)).toBeUndefined();
    cache.close();
  });

  it("stays below its bound: what was not used for longest goes first", async () => {
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const value = new Uint8Array(1000);
    for (const [hash, days] of [
      [HASH, 3],
      [OTHER, 1],
    ] as const) {
      cache.openBlock(1n, hash).put([{ key: "a", value, isProven: false }]);
      const then = new Date(Date.now() - days * 86_400_000);
      utimesSync(blockFolder(folder, 1n, hash), then, then);
    }
    expect(listCache(folder)).toMatchObject({ blocks: [{ chainId: 1n, entries: 1, number: undefined }, {}] });
    trimCache(folder, 1500);
    expect(existsSync(blockFolder(folder, 1n, HASH))).toBe(false);
    expect(existsSync(blockFolder(folder, 1n, OTHER))).toBe(true);
    // Opening does so too, where it was not done for a while.
    cache.close();
    rmSync(join(folder, "trimmed"));
    new DiskCache(folder, 0).close();
    expect(listCache(folder)).toMatchObject({ blocks: [], bytes: 0 });
  });

  it("is cleaned by chain, by block, by age, or as a whole", async () => {
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    for (const [chainId, hash] of [
      [1n, HASH],
      [1n, OTHER],
      [2n, HASH],
      [3n, HASH],
    ] as const) {
      cache.openBlock(chainId, hash).put([entry("a", 1)]);
    }
    cache.putCode(HASH, Uint8Array.of(1));
    const left = (): string[] =>
      listCache(folder)
        .blocks.map(({ chainId, hash }) => `${chainId} ${hash.slice(2, 6)}`)
        .sort();
    const [first, second] = [HASH, OTHER].map((hash) => Buffer.from(hash).toString("hex").slice(0, 4));
    expect(cleanCache(folder, { chainId: 2n })).toBeGreaterThan(0);
    expect(left()).toEqual([`1 ${first}`, `1 ${second}`, `3 ${first}`].sort());
    cleanCache(folder, { blockHash: `0x${Buffer.from(OTHER).toString("hex")}` });
    expect(left()).toEqual([`1 ${first}`, `3 ${first}`]);
    cleanCache(folder, { usedBefore: Date.now() - 86_400_000 });
    expect(left()).toHaveLength(2);
    expect(listCache(folder).codes.count).toBe(1);
    cleanCache(folder);
    expect(listCache(folder)).toMatchObject({ blocks: [], codes: { count: 0 }, bytes: 0 });
  });

  it("is by default in the user's folder for caches", () => {
    expect(defaultCacheFolder({ XDG_CACHE_HOME: "/caches" })).toBe("/caches/hindcast/fork");
    expect(defaultCacheFolder({})).toMatch(/\.cache\/hindcast\/fork$/);
  });
});

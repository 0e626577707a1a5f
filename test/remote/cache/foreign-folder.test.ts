/** Cache folders that others have written, or that are none: nothing of others is deleted, and nothing wrong is read. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { PIN_KEY } from "../../../src/remote/cache/cache-keys.ts";
import { DiskCache } from "../../../src/remote/cache/disk-cache.ts";
import { cleanCache, listCache } from "../../../src/remote/cache/manage.ts";
import { blockFolder, codePath } from "../../../src/remote/cache/paths.ts";
import { encodeRecords, fileHead } from "../../../src/remote/cache/records.ts";
import type { RemoteProvider } from "../../../src/remote/upstream.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, aNode, NOW } from "../../support/a-node.ts";
import { anUpstream } from "../../support/an-upstream.ts";

const MANY = 1e9;
const HASH = keccak256(Uint8Array.of(1));
const entry = (key: string, value: string | Uint8Array, isProven = false) => ({
  key,
  value: typeof value === "string" ? new TextEncoder().encode(value) : value,
  isProven,
});

/** Writes a file, and the folders that it lies in. */
function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

describe("a folder with files of another program", () => {
  it.each([undefined, "1.4.2"])(
    "loses none of them when it is opened, cleaned and filled (version: %s)",
    async (version) => {
      const folder = await aFolder();
      const files = ["blocks/genesis.json", "blocks/1/notes.txt", "codes/one/src.ts", "numbers/list", "urls/list.txt"];
      for (const file of files) write(join(folder, file), "mine");
      if (version !== undefined) write(join(folder, "version"), version);
      const cache = new DiskCache(folder, 0);
      cache.openBlock(1n, HASH).put([entry("a", "1")]);
      cache.close();
      cleanCache(folder);
      for (const file of files) expect(readFileSync(join(folder, file), "utf8"), file).toBe("mine");
      expect(listCache(folder)).toMatchObject({ blocks: [], bytes: 0 });
    },
  );

  it("is left without a trace of the cache by cleaning it", async () => {
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const code = Uint8Array.of(1, 2);
    cache.openBlock(1n, HASH).put([entry("a", "1")]);
    cache.putCode(keccak256(code), code);
    cache.putChainId("https://node.example", 1n);
    cache.putFinalBlock("https://node.example", 7n, { chainId: 1n, hash: HASH });
    cache.close();
    cleanCache(folder);
    expect(readdirSync(folder).sort()).toEqual(["trimmed", "version"]);
  });
});

describe.skipIf(process.platform === "win32")("a link in the folder", () => {
  it("to a device without an end is not read", async () => {
    const folder = await aFolder();
    const cache = new DiskCache(folder, MANY);
    const block = blockFolder(folder, 1n, HASH);
    mkdirSync(block, { recursive: true });
    symlinkSync("/dev/zero", join(block, "0-0-0.log"));
    mkdirSync(dirname(codePath(folder, HASH)), { recursive: true });
    symlinkSync("/dev/zero", codePath(folder, HASH));
    expect(cache.openBlock(1n, HASH).get("a", false)).toBeUndefined();
    expect(cache.getCode(HASH)).toBeUndefined();
    cache.close();
  });

  it("to a folder of others is removed, and what it leads to stays", async () => {
    const [folder, others] = [await aFolder(), await aFolder()];
    write(join(others, "precious"), "mine");
    const cache = new DiskCache(folder, MANY);
    const block = blockFolder(folder, 1n, HASH);
    mkdirSync(dirname(block), { recursive: true });
    symlinkSync(others, block);
    cache.close();
    cleanCache(folder);
    expect(existsSync(block)).toBe(false);
    expect(readFileSync(join(others, "precious"), "utf8")).toBe("mine");
  });
});

describe("a fork whose cache holds", () => {
  it.each<[string, (json: Record<string, unknown>) => string]>([
    ["no JSON for its block", () => "{"],
    ["another value for its block", () => "[]"],
    [
      "a block with another hash",
      (json) => JSON.stringify({ isFinal: true, block: { ...json, hash: `0x${"11".repeat(32)}` } }),
    ],
    ["a block without members", () => JSON.stringify({ isFinal: true, block: {} })],
  ])("%s asks for it again", async (_what, poisoned) => {
    const chain = await aNode();
    await chain.mine({ blocks: 3 });
    const { url } = await anUpstream(chain.provider as RemoteProvider);
    const json = (await chain.provider.send("eth_getBlockByNumber", ["0x2", false])) as { hash: string };
    const hash = decodeData(json.hash);
    const folder = await aFolder();
    const path = join(blockFolder(folder, chain.chainId, hash), "0-0-0.log");
    new DiskCache(folder, MANY).close();
    write(path, Buffer.concat([fileHead(), encodeRecords([entry(PIN_KEY, poisoned(json), true)])]));
    const fork = { url, blockHash: json.hash, cache: { folder }, retryBackoffMs: 5 };
    const node = await aNode({ clock: () => NOW, accounts: 0, fork });
    const balance = await chain.provider.send("eth_getBalance", [ALICE, "0x2"]);
    expect(await node.provider.send("eth_getBalance", [ALICE, "0x2"])).toBe(balance);
    expect(node.head.hash).toEqual(hash);
    rmSync(path);
  });
});

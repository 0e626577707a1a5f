/**
 * The cache on disk, which several processes use at once without waiting for one another.
 *
 *     blocks/<chain id>/<block hash>/*.log         answers about a block: see disk-block.ts
 *     codes/<first byte>/<code hash>               codes
 *     numbers/<SHA-256 of the URL>/<block number>  chain id and hash of a block that was final at an upstream
 *     urls/<SHA-256 of the URL>                    the chain id of an upstream
 *     sources/<SHA-256 of the URL>/<chain id>/…    answers of servers of contract sources: see source-cache.ts
 *     version                                      the version of this layout
 *
 * No URL and no header is ever written.
 */
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { DiskBlock } from "./disk-block.ts";
import { attempt, namesIn, readFileAt, remove, sizeOf, touch, writeWhole } from "./files.ts";
import { cleanCache, trimCache } from "./manage.ts";
import { blockFolder, CACHE_PARTS, CACHE_VERSION, codePath } from "./paths.ts";
import type { BlockCache, CachedBlockId, RemoteCache } from "./remote-cache.ts";

/** Milliseconds after which reading a code updates the time of its last use. */
const CODE_USE_MS = 86_400_000;
/** Milliseconds between two checks of the cache's size. */
const TRIM_MS = 600_000;

/** One for each fork. From time to time, opening it deletes the entries that were unused for longest. */
export class DiskCache implements RemoteCache {
  readonly #folder: string;
  readonly #blocks = new Map<string, DiskBlock>();

  /**
   * Opens or creates a cache. The entries of another version are deleted. If it is larger than allowed, the blocks and
   * codes that were unused for longest are deleted.
   *
   * @param folder - an existing cache, or a path at which to create one
   */
  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    const version = join(folder, "version");
    if (readFileAt(version)?.toString("latin1") !== CACHE_VERSION) {
      cleanCache(folder);
      writeWhole(version, CACHE_VERSION);
    }
    const mark = join(folder, "trimmed");
    if (Date.now() - sizeOf(mark).usedAt > TRIM_MS) {
      writeWhole(mark, "");
      trimCache(folder, maxBytes);
    }
  }

  openBlock(chainId: bigint, blockHash: Bytes): BlockCache {
    const path = blockFolder(this.#folder, chainId, blockHash);
    const block = this.#blocks.get(path) ?? new DiskBlock(path);
    this.#blocks.set(path, block);
    return block;
  }

  getCode(codeHash: Bytes): Bytes | undefined {
    const path = codePath(this.#folder, codeHash);
    const code = readFileAt(path);
    if (code === undefined) return undefined;
    if (!equalBytes(keccak256(code), codeHash)) {
      remove(path);
      return undefined;
    }
    if (Date.now() - (attempt(() => statSync(path).mtimeMs) ?? 0) > CODE_USE_MS) touch(path);
    return new Uint8Array(code.buffer, code.byteOffset, code.length);
  }

  putCode(codeHash: Bytes, code: Bytes): void {
    const path = codePath(this.#folder, codeHash);
    if (!existsSync(path)) writeWhole(path, code);
  }

  getChainId(url: string): bigint | undefined {
    return readInteger(join(this.#folder, CACHE_PARTS.urls, digestOf(url)));
  }

  putChainId(url: string, chainId: bigint): void {
    writeOnce(join(this.#folder, CACHE_PARTS.urls, digestOf(url)), `${chainId}`);
  }

  getFinalBlock(url: string, number: bigint): CachedBlockId | undefined {
    const text = readFileAt(this.#numberPath(url, number))?.toString("latin1") ?? "";
    const [, chainId, hash] = /^([0-9]+) ([0-9a-f]{64})$/.exec(text) ?? [];
    if (chainId === undefined || hash === undefined) return undefined;
    return { chainId: BigInt(chainId), hash: new Uint8Array(Buffer.from(hash, "hex")) };
  }

  putFinalBlock(url: string, number: bigint, { chainId, hash }: CachedBlockId): void {
    writeOnce(this.#numberPath(url, number), `${chainId} ${Buffer.from(hash).toString("hex")}`);
  }

  findChains(blockHash: Bytes): readonly bigint[] {
    return namesIn(join(this.#folder, CACHE_PARTS.blocks))
      .filter((name) => /^[0-9]+$/.test(name))
      .map(BigInt)
      .filter((chainId) => existsSync(blockFolder(this.#folder, chainId, blockHash)));
  }

  close(): void {
    for (const block of this.#blocks.values()) block.close();
    this.#blocks.clear();
  }

  #numberPath(url: string, number: bigint): string {
    return join(this.#folder, CACHE_PARTS.numbers, digestOf(url), `${number}`);
  }
}

const digestOf = (url: string): string => createHash("sha256").update(url).digest("hex");

function readInteger(path: string): bigint | undefined {
  const text = readFileAt(path)?.toString("latin1") ?? "";
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined;
}

function writeOnce(path: string, text: string): void {
  if (readFileAt(path)?.toString("latin1") !== text) writeWhole(path, text);
}

/** Paths in the cache's folder. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** Version of the cache's layout. Entries of other versions are not read. */
export const CACHE_VERSION = "2";
/** Folders of the cache. */
export const CACHE_PARTS = {
  blocks: "blocks",
  codes: "codes",
  numbers: "numbers",
  urls: "urls",
  sources: "sources",
} as const;

/** The default folder of the cache: in $XDG_CACHE_HOME, or in ~/.cache. */
export function defaultCacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const base = environment.XDG_CACHE_HOME;
  return join(base === undefined || base === "" ? join(homedir(), ".cache") : base, "hindcast", "fork");
}

const hex = (bytes: Bytes): string => Buffer.from(bytes).toString("hex");

/** Folder of a block's answers. Its hash keeps blocks of reorgs apart. */
export function blockFolder(folder: string, chainId: bigint, blockHash: Bytes): string {
  return join(folder, CACHE_PARTS.blocks, `${chainId}`, hex(blockHash));
}

/** File of a code, in folders by the first byte of its hash. */
export function codePath(folder: string, codeHash: Bytes): string {
  const name = hex(codeHash);
  return join(folder, CACHE_PARTS.codes, name.slice(0, 2), name);
}

/** Lists and shrinks a cache. Other processes may use it meanwhile; they only lose cached answers. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { PIN_KEY } from "./cache-keys.ts";
import { readFolder } from "./disk-block.ts";
import { attempt, namesIn, remove, removeEmpty, sizeOf } from "./files.ts";
import { CACHE_PARTS } from "./paths.ts";

/** A block with cached answers. */
export interface CachedBlock {
  readonly chainId: bigint;
  readonly hash: Hex;
  /** Undefined if the block itself is not cached. */
  readonly number: bigint | undefined;
  /** Accounts, slots and other answers. */
  readonly entries: number;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** Contents of a cache. Sizes are in bytes. */
export interface CacheListing {
  /** Last used first. */
  readonly blocks: readonly CachedBlock[];
  readonly codes: { readonly count: number; readonly bytes: number };
  /** Answers of servers of contract sources. */
  readonly sources: { readonly count: number; readonly bytes: number };
  readonly bytes: number;
}

/** Restricts what is deleted; by default everything. */
export interface CleanOptions {
  readonly chainId?: bigint | undefined;
  readonly blockHash?: Hex | undefined;
  /** Deletes only blocks and codes last used before this time, in milliseconds since 1970. */
  readonly usedBefore?: number | undefined;
}

const HASH = /^[0-9a-f]{64}$/;
const SOURCE = /^[0-9a-f]{40}\.json$/;

/** A block, a code or the sources of a contract, which is deleted as a whole. */
interface Piece {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

interface SourcePiece extends Piece {
  readonly chainId: bigint;
}

interface BlockPiece extends Piece {
  readonly chainId: bigint;
  readonly hash: Hex;
}

/** Lists a cache: blocks with their sizes, and the codes shared by all. */
export function listCache(folder: string): CacheListing {
  const blocks = blocksIn(folder).map(({ path, ...piece }): CachedBlock => {
    const { entries } = readFolder(path);
    return { ...piece, number: numberIn(entries.get(PIN_KEY)?.value), entries: entries.size };
  });
  const codes = codesIn(folder);
  const codeBytes = total(codes);
  const sources = sourcesIn(folder);
  const sourceBytes = total(sources);
  return {
    blocks: blocks.sort((left, right) => right.usedAt - left.usedAt),
    codes: { count: codes.length, bytes: codeBytes },
    sources: { count: sources.length, bytes: sourceBytes },
    bytes: total(blocks) + codeBytes + sourceBytes,
  };
}

/** Deletes the named parts, and nothing that a cache does not write: the folder may be another one. Returns the number of bytes freed. */
export function cleanCache(folder: string, { chainId, blockHash, usedBefore }: CleanOptions = {}): number {
  const before = total(piecesIn(folder));
  if (chainId === undefined && blockHash === undefined && usedBefore === undefined) {
    for (const { path } of piecesIn(folder)) remove(path);
    for (const path of namesOfChains(folder)) remove(path);
    for (const part of Object.values(CACHE_PARTS)) {
      for (const name of namesIn(join(folder, part))) {
        for (const below of namesIn(join(folder, part, name))) removeEmpty(join(folder, part, name, below));
        removeEmpty(join(folder, part, name));
      }
      removeEmpty(join(folder, part));
    }
    return before;
  }
  const isOld = (piece: Piece): boolean => usedBefore === undefined || piece.usedAt < usedBefore;
  for (const block of blocksIn(folder).filter(isOld)) {
    const isNamed = chainId === undefined || block.chainId === chainId;
    if (isNamed && (blockHash === undefined || block.hash === blockHash.toLowerCase())) remove(block.path);
  }
  // Sources do not belong to a block, codes not to a chain either.
  const sources = blockHash === undefined ? sourcesIn(folder).filter(isOld) : [];
  for (const source of sources) if (chainId === undefined || source.chainId === chainId) remove(source.path);
  if (chainId === undefined && blockHash === undefined)
    for (const code of codesIn(folder).filter(isOld)) remove(code.path);
  return before - total(piecesIn(folder));
}

/** Deletes the blocks, codes and sources that were unused for longest, until the cache is at most `maxBytes` large. */
export function trimCache(folder: string, maxBytes: number): void {
  const pieces = [...piecesIn(folder)];
  let bytes = total(pieces);
  for (const piece of pieces.sort((left, right) => left.usedAt - right.usedAt)) {
    if (bytes <= maxBytes) return;
    remove(piece.path);
    bytes -= piece.bytes;
  }
}

const piecesIn = (folder: string): readonly Piece[] => [...blocksIn(folder), ...codesIn(folder), ...sourcesIn(folder)];

const total = (pieces: readonly { readonly bytes: number }[]): number =>
  pieces.reduce((sum, { bytes }) => sum + bytes, 0);

function blocksIn(folder: string): readonly BlockPiece[] {
  const root = join(folder, CACHE_PARTS.blocks);
  return namesIn(root)
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((chain) =>
      namesIn(join(root, chain))
        .filter((name) => HASH.test(name))
        .map((name): BlockPiece => {
          const path = join(root, chain, name);
          return { chainId: BigInt(chain), hash: `0x${name}`, path, ...sizeOf(path) };
        }),
    );
}

function codesIn(folder: string): readonly Piece[] {
  const root = join(folder, CACHE_PARTS.codes);
  if (!existsSync(root)) return [];
  return namesIn(root)
    .filter((part) => /^[0-9a-f]{2}$/.test(part))
    .flatMap((part) =>
      namesIn(join(root, part))
        .filter((name) => HASH.test(name))
        .map((name) => join(root, part, name)),
    )
    .map((path) => ({ path, ...sizeOf(path) }));
}

function sourcesIn(folder: string): readonly SourcePiece[] {
  const root = join(folder, CACHE_PARTS.sources);
  const servers = namesIn(root).filter((name) => HASH.test(name));
  return servers.flatMap((server) =>
    namesIn(join(root, server))
      .filter((name) => /^[0-9]+$/.test(name))
      .flatMap((chain) =>
        namesIn(join(root, server, chain))
          .filter((name) => SOURCE.test(name))
          .map((name): SourcePiece => {
            const path = join(root, server, chain, name);
            return { chainId: BigInt(chain), path, ...sizeOf(path) };
          }),
      ),
  );
}

/** Files and folders of the chains and numbers that were known by URL. */
function namesOfChains(folder: string): readonly string[] {
  return [CACHE_PARTS.numbers, CACHE_PARTS.urls].flatMap((part) =>
    namesIn(join(folder, part))
      .filter((name) => HASH.test(name))
      .map((name) => join(folder, part, name)),
  );
}

function numberIn(pin: Uint8Array | undefined): bigint | undefined {
  if (pin === undefined) return undefined;
  const json = attempt(() => JSON.parse(Buffer.from(pin).toString()) as { block?: { number?: unknown } } | null);
  const number = json?.block?.number;
  return typeof number === "string" && /^0x[0-9a-f]+$/i.test(number) ? BigInt(number) : undefined;
}

/** Imports a file of blocks: concatenated RLP, as geth's `export` writes it, gzipped or not. */
import { gunzipSync } from "node:zlib";
import { decodeHeader } from "../chainspec/header.ts";
import { InvalidParamsError, LimitError } from "../errors/hindcast-error.ts";
import { ExecutionClock } from "../executor/evm-clock.ts";
import { type Bytes, equalBytes } from "../primitives/bytes.ts";
import { keccak256 } from "../primitives/hash.ts";
import { encodeData } from "../primitives/hex.ts";
import type { Chain } from "./chain.ts";
import { rlpItemLength } from "./rlp-stream.ts";

export interface ImportOptions {
  /** Called after each block. */
  readonly onProgress?: (progress: {
    readonly blocks: number;
    readonly bytes: number;
    readonly totalBytes: number;
  }) => void;
  readonly signal?: AbortSignal;
}

export interface ImportSummary {
  /** Blocks that were new. */
  readonly imported: number;
  /** Blocks that were known already, the genesis block among them. */
  readonly known: number;
}

/**
 * Imports all blocks of a file in order.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` at the first bad block; what came before it stays
 * @throws {LimitError} `EXECUTION_ABORTED` between two blocks
 */
export async function importChain(chain: Chain, file: Bytes, options: ImportOptions = {}): Promise<ImportSummary> {
  const bytes = isGzip(file) ? unzip(file) : file;
  let imported = 0;
  let known = 0;
  let offset = 0;
  // A store in memory writes without waiting: between blocks the event loop has its turn all the same.
  const clock = new ExecutionClock();
  while (offset < bytes.length) {
    await clock.check();
    if (options.signal?.aborted === true) {
      throw new LimitError({ code: "EXECUTION_ABORTED", what: `The import was aborted after ${imported} blocks.` });
    }
    const length = rlpItemLength(bytes, offset);
    if (length === undefined || offset + length > bytes.length) throw truncated(offset, imported + known);
    const block = bytes.subarray(offset, offset + length);
    if (isKnown(chain, block)) known++;
    else {
      await chain.importBlock(block);
      imported++;
    }
    offset += length;
    options.onProgress?.({ blocks: imported + known, bytes: offset, totalBytes: bytes.length });
  }
  return { imported, known };
}

function unzip(file: Bytes): Bytes {
  try {
    return new Uint8Array(gunzipSync(file));
  } catch (cause) {
    throw new InvalidParamsError({
      code: "BLOCK_REJECTED",
      what: `The file looks like gzip, but cannot be unpacked: ${(cause as Error).message}.`,
      fix: "Check that the file is complete.",
      cause,
    });
  }
}

function isGzip(bytes: Bytes): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Known by its header's hash. A genesis block of another chain is refused with both hashes named. */
function isKnown(chain: Chain, block: Bytes): boolean {
  const outer = block[0] as number;
  const headerOffset = outer <= 0xf7 ? 1 : 1 + (outer - 0xf7);
  const headerLength = rlpItemLength(block, headerOffset);
  if (headerLength === undefined) return false;
  const headerBytes = block.subarray(headerOffset, headerOffset + headerLength);
  const hash = keccak256(headerBytes);
  if (chain.getBlockByHash(hash) !== undefined) return true;
  if (decodeHeader(headerBytes).number !== 0n || equalBytes(hash, chain.genesis.hash)) return false;
  throw new InvalidParamsError({
    code: "BLOCK_REJECTED",
    what: "The file begins with the genesis block of another chain.",
    where: `Its hash is ${encodeData(hash)}, this chain's is ${encodeData(chain.genesis.hash)}.`,
    fix: "Start the node with the genesis that belongs to the file.",
  });
}

function truncated(offset: number, blocks: number): InvalidParamsError {
  return new InvalidParamsError({
    code: "BLOCK_REJECTED",
    what: `The file is no whole list of blocks: after ${blocks} blocks, at byte ${offset}, comes no complete RLP list.`,
    fix: "Check that the file is complete; it must be block RLP as geth export writes it, gzipped or not.",
  });
}

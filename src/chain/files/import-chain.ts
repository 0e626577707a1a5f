/** Imports a file of blocks: concatenated RLP, as geth's `export` writes it, gzipped or not. */
import { InvalidParamsError, LimitError } from "../../errors/hindcast-error.ts";
import type { AbortState } from "../../primitives/abort-state.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { unzipped } from "../../primitives/platform/compression.ts";
import type { Chain } from "../chain.ts";
import type { ChainWriter } from "../chain-writer.ts";
import type { ForeignBlock } from "../rules/foreign-block.ts";
import { FileReader, type FileReaderOptions } from "./file-reader.ts";

/** Reports the progress of an import, and stops it. Blocks before the stop stay imported. */
export interface ImportOptions {
  /** Called after each block. */
  readonly onProgress?: (progress: {
    readonly blocks: number;
    readonly bytes: number;
    readonly totalBytes: number;
  }) => void;
  readonly signal?: AbortState;
}

/** The number of blocks of a file that were new. */
export interface ImportSummary {
  /** Blocks that were new. */
  readonly imported: number;
  /** Blocks that were known already, including the genesis block. */
  readonly known: number;
}

/**
 * Imports all blocks of a file in order.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` at the first invalid block; the blocks before it stay imported
 * @throws {LimitError} `EXECUTION_ABORTED` between two blocks
 */
export async function importChain(
  writer: ChainWriter,
  file: Bytes,
  options: ImportOptions & FileReaderOptions = {},
): Promise<ImportSummary> {
  const bytes = await unzipped(file).catch(refuseGzip);
  const reader = new FileReader(writer.chain, bytes, options);
  let imported = 0;
  let known = 0;
  let isAtEnd = false;
  const next = (): ForeignBlock | undefined => {
    const block = reader.next();
    isAtEnd = block === undefined;
    if (block === undefined) return undefined;
    if (options.signal?.aborted === true) {
      throw new LimitError({ code: "EXECUTION_ABORTED", what: `The import was aborted after ${imported} blocks.` });
    }
    checkGenesis(writer.chain, block);
    return block;
  };
  const took = (isNew: boolean): void => {
    if (isNew) imported++;
    else known++;
    options.onProgress?.({ blocks: imported + known, bytes: reader.position, totalBytes: bytes.length });
  };
  try {
    while (!isAtEnd) await writer.importBlocks({ next, took });
  } finally {
    await reader.close();
  }
  return { imported, known };
}

function refuseGzip(cause: Error): never {
  throw new InvalidParamsError({
    code: "BLOCK_REJECTED",
    what: `The file looks like gzip, but cannot be unpacked: ${cause.message}.`,
    fix: "Check that the file is complete, or unpack it first.",
    cause,
  });
}

/** Refuses a genesis block of another chain; the error names both hashes. */
function checkGenesis(chain: Chain, { hash, header }: ForeignBlock): void {
  if (header.number !== chain.spec.firstNumber || equalBytes(hash, chain.genesis.hash)) return;
  throw new InvalidParamsError({
    code: "BLOCK_REJECTED",
    what: "The file begins with the genesis block of another chain.",
    where: `Its hash is ${encodeData(hash)}, this chain's is ${encodeData(chain.genesis.hash)}.`,
    fix: "Start the node with the genesis that belongs to the file.",
  });
}

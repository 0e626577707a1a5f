/**
 * Reads the blocks of a file in order, and reads ahead: transactions of later blocks are decoded, and another thread
 * recovers their signers, while earlier blocks are executed.
 */
import { SignerThread } from "../../chainspec/signer-thread.ts";
import { transactionFromBodyItem } from "../../chainspec/transaction/decode-transaction.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { processorCount } from "../../primitives/platform/thread.ts";
import { itemBytes, LIST } from "../../primitives/rlp/rlp-head.ts";
import type { Chain } from "../chain.ts";
import { type DecodedAhead, type ForeignBlock, readBlock } from "../rules/foreign-block.ts";

/** When a thread recovers the signers of transactions. */
export interface FileReaderOptions {
  /**
   * Smallest file in bytes for which a thread is started, because starting one takes time; default 256 KiB, with two
   * cores.
   */
  readonly leastBytesForThread?: number;
}

const LEAST_BYTES_FOR_THREAD = 256 * 1024;
/** Most bytes and most blocks to read ahead. */
const BYTES_AHEAD = 512 * 1024;
const BLOCKS_AHEAD = 256;
/** Blocks that are read per turn: one that is taken and one ahead, so that no turn takes long. */
const BLOCKS_A_TURN = 2;

/** A block that was read ahead. Errors are reported when it is taken. */
interface Read {
  readonly block?: ForeignBlock;
  readonly error?: unknown;
  /** Its end in the file. */
  readonly end: number;
}

/** Lives for one import. The caller must {@link close} it, which ends its thread. */
export class FileReader {
  readonly #chain: Chain;
  readonly #bytes: Bytes;
  readonly #signers: SignerThread | undefined;
  readonly #ahead: Read[] = [];
  /** Start of the next block to read. */
  #offset = 0;
  #count = 0;
  /** The last block that was read, with its total difficulty. */
  #last: { readonly hash: Bytes; readonly totalDifficulty: bigint } | undefined;
  #end = 0;

  constructor(chain: Chain, bytes: Bytes, options: FileReaderOptions = {}) {
    this.#chain = chain;
    this.#bytes = bytes;
    const { leastBytesForThread = processorCount() > 1 ? LEAST_BYTES_FOR_THREAD : Infinity } = options;
    this.#signers = bytes.length >= leastBytesForThread ? new SignerThread() : undefined;
  }

  /** Position in the file after the block that was returned last. */
  get position(): number {
    return this.#end;
  }

  /**
   * The next block; undefined at the end of the file.
   *
   * @throws {InvalidParamsError} `BLOCK_REJECTED` if the bytes are not a block
   * @throws {LimitError} `TOO_MANY_ITEMS`
   */
  next(): ForeignBlock | undefined {
    for (let turn = 0; turn < BLOCKS_A_TURN && (turn === 0 || this.#wantsMore()); turn++) this.#read();
    const next = this.#ahead.shift();
    if (next === undefined) return undefined;
    if (next.block === undefined) throw next.error;
    this.#end = next.end;
    return next.block;
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.#signers?.close();
  }

  #wantsMore(): boolean {
    if (this.#signers === undefined) return false;
    return this.#ahead.length < BLOCKS_AHEAD && this.#offset - this.#end < BYTES_AHEAD;
  }

  #read(): void {
    if (this.#offset >= this.#bytes.length || this.#ahead.at(-1)?.error !== undefined) return;
    const start = this.#offset;
    try {
      const bytes = this.#nextItem();
      this.#ahead.push({ block: this.#decodeAhead(readBlock(bytes)), end: this.#offset });
      this.#count++;
    } catch (error) {
      this.#ahead.push({ error: placed(error, start, this.#count), end: this.#offset });
    }
  }

  #nextItem(): Bytes {
    const bytes = this.#bytes;
    const length = rlpListLength(bytes, this.#offset);
    if (length === undefined || this.#offset + length > bytes.length) throw truncated(this.#offset, this.#count);
    this.#offset += length;
    return bytes.subarray(this.#offset - length, this.#offset);
  }

  #decodeAhead(block: ForeignBlock): ForeignBlock {
    const { hash, header } = block;
    const parentTotalDifficulty = this.#totalDifficultyOf(header.parentHash);
    this.#last =
      parentTotalDifficulty === undefined
        ? undefined
        : { hash, totalDifficulty: parentTotalDifficulty + header.difficulty };
    if (this.#signers === undefined || parentTotalDifficulty === undefined) return block;
    if (block.body.transactions.length === 0 || this.#chain.archive.getHeader(hash) !== undefined) return block;
    return { ahead: this.#transactionsOf(block, parentTotalDifficulty, this.#signers), ...block };
  }

  #totalDifficultyOf(hash: Bytes): bigint | undefined {
    if (this.#last !== undefined && equalBytes(this.#last.hash, hash)) return this.#last.totalDifficulty;
    return this.#chain.archive.getTotalDifficulty(hash);
  }

  /** Undefined if a transaction cannot be decoded; the error is reported when the block is taken. */
  #transactionsOf(
    { header, body }: ForeignBlock,
    parentTotalDifficulty: bigint,
    signers: SignerThread,
  ): DecodedAhead | undefined {
    const { spec } = this.#chain;
    const { number, timestamp } = header;
    const { hardfork } = spec.rulesAt({ number, timestamp, parentTotalDifficulty });
    try {
      const signatureRules = spec.signatureRules(hardfork, number);
      const transactions = body.transactions.map((item) => transactionFromBodyItem(item, signatureRules));
      // If the thread fails, the signers are recovered when the block is executed.
      return { hardfork, transactions, signed: signers.recover(transactions).catch(() => {}) };
    } catch {
      return undefined;
    }
  }
}

const FORMAT = "it must be block RLP as geth export writes it, gzipped or not";

/** The error of bytes that are no block, with their place in the file. */
function placed(error: unknown, offset: number, blocks: number): unknown {
  if (!(error instanceof InvalidParamsError) || error.fix !== undefined) return error;
  const { what } = error;
  const where = `It is at byte ${offset} of the file, after ${blocks} blocks.`;
  return new InvalidParamsError({
    code: "BLOCK_REJECTED",
    what,
    where,
    fix: `Check the file; ${FORMAT}.`,
    cause: error,
  });
}

function truncated(offset: number, blocks: number): InvalidParamsError {
  return new InvalidParamsError({
    code: "BLOCK_REJECTED",
    what: `The file is not a complete list of blocks: after ${blocks} blocks, at byte ${offset}, there is no complete RLP list.`,
    fix: `Check that the file is complete; ${FORMAT}.`,
  });
}

/** Length in bytes of the RLP list at `offset`, with its head; undefined if no list can begin there. */
export function rlpListLength(bytes: Bytes, offset: number): number | undefined {
  return (bytes[offset] ?? 0) < LIST ? undefined : itemBytes(bytes, offset);
}

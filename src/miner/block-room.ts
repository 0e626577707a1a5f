/**
 * The room that a block being built has for transactions, beside its gas: blobs (EIP-4844), and bytes from Osaka on
 * (EIP-7934).
 */
import type { ContextHeader } from "../chain/block-context.ts";
import type { Rules } from "../chainspec/hardforks/rules.ts";
import { MAXIMUM_BLOCK_SIZE, sizeOfParts, type Withdrawal } from "../chainspec/header/block.ts";
import { BLOB_GAS_PER_BLOB } from "../chainspec/header/fees.ts";
import type { Header } from "../chainspec/header/header.ts";
import type { Transaction } from "../chainspec/transaction/transaction.ts";
import { LEGACY_TYPE } from "../chainspec/transaction/transaction-fields.ts";
import { TransactionRejectedError } from "../errors/hindcast-error.ts";
import { EMPTY_BLOOM } from "../primitives/hash/bloom.ts";
import { EMPTY_UNCLES_HASH, ZERO_HASH } from "../primitives/hash/hash.ts";

/** Bytes of the prefixes of the block's list and the list of its transactions, beyond those of the empty block. */
const LIST_PREFIXES = 1 + 3;

/** A block before its first transaction. */
export interface EmptyBlock {
  readonly rules: Rules;
  readonly draft: ContextHeader & Pick<Header, "parentBeaconBlockRoot">;
  readonly extraData: Uint8Array;
  readonly withdrawals: readonly Withdrawal[] | undefined;
  readonly maxBlobs: bigint;
}

/** Counts down as transactions are added. */
export class BlockRoom {
  #blobs: number;
  /** May be negative, if withdrawals alone take more than there is. */
  #bytes: number;

  constructor(block: EmptyBlock) {
    this.#blobs = Number(block.maxBlobs);
    this.#bytes = block.rules.has(7934) ? MAXIMUM_BLOCK_SIZE - largestSize(block) : Number.POSITIVE_INFINITY;
  }

  /** True if the block would be too large without any transaction. */
  get isExceeded(): boolean {
    return this.#bytes < 0;
  }

  /** @throws {TransactionRejectedError} `GAS_LIMIT_EXCEEDS_BLOCK` if the transaction does not fit */
  require(tx: Transaction): void {
    const blobs = tx.blobVersionedHashes.length;
    if (blobs > 0 && blobs > this.#blobs) throw noRoom("blob gas limit reached");
    if (sizeInBlock(tx) > this.#bytes) throw noRoom("block size limit reached");
  }

  /** Must be called for each transaction that was added. */
  take(tx: Transaction): void {
    this.#blobs -= tx.blobVersionedHashes.length;
    this.#bytes -= sizeInBlock(tx);
  }
}

/** A transaction of a type is a string in the block's body, which has a prefix; a legacy one is a list of its own. */
function sizeInBlock(tx: Transaction): number {
  const { length } = tx.encode();
  return tx.type === LEGACY_TYPE ? length : length + 1 + lengthOfLength(length);
}

/** Bytes of the length in a string's prefix; short strings have none. */
function lengthOfLength(length: number): number {
  if (length < 56) return 0;
  return Math.ceil((32 - Math.clz32(length)) / 8);
}

/** Bytes of the block without transactions, if each number that is not known yet takes as many bytes as it can. */
function largestSize({ rules, draft, extraData, withdrawals, maxBlobs }: EmptyBlock): number {
  const header: Header = {
    ...draft,
    unclesHash: EMPTY_UNCLES_HASH,
    stateRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    logsBloom: EMPTY_BLOOM,
    gasUsed: draft.gasLimit,
    extraData,
    nonce: new Uint8Array(8),
    withdrawalsRoot: ZERO_HASH,
    blobGasUsed: maxBlobs * BLOB_GAS_PER_BLOB,
    requestsHash: ZERO_HASH,
    blockAccessListHash: rules.has(7928) ? ZERO_HASH : undefined,
  };
  return sizeOfParts(header, [], withdrawals) + LIST_PREFIXES;
}

function noRoom(what: string): TransactionRejectedError {
  return new TransactionRejectedError({ code: "GAS_LIMIT_EXCEEDS_BLOCK", what });
}

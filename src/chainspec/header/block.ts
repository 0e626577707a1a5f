/** Blocks: header and body, their RLP, and the roots of the body. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../primitives/bytes/limits.ts";
import { EMPTY_UNCLES_HASH, keccak256 } from "../../primitives/hash/hash.ts";
import { encodeByteList, encodeListOf } from "../../primitives/rlp/byte-list.ts";
import { decodeRlp, decodeRlpInTurns, type RlpItem } from "../../primitives/rlp/rlp.ts";
import { RlpBudget } from "../../primitives/rlp/rlp-reader.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { LEGACY_TYPE } from "../transaction/transaction-fields.ts";
import type { UpstreamJson } from "../upstream-json.ts";
import { encodeHeader, type Header, headerFromList } from "./header.ts";

/** A withdrawal of the consensus layer (EIP-4895). */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Bytes;
  /** gwei */
  readonly amount: bigint;
}

/** All of a block except its header. */
export interface BlockBody {
  readonly transactions: readonly Transaction[];
  readonly uncles: readonly Header[];
  /** undefined before Shanghai */
  readonly withdrawals: readonly Withdrawal[] | undefined;
}

/** A block. Immutable; the hash is computed once. */
export interface Block extends BlockBody {
  readonly hash: Bytes;
  readonly header: Header;
  /** JSON of the upstream node, if the block belongs to a forked chain. */
  readonly given?: UpstreamJson;
  /** The same for its uncles. */
  readonly givenUncles?: readonly UpstreamJson[];
}

/** Joins a header and a body. */
export function makeBlock(header: Header, body: BlockBody): Block {
  return { hash: keccak256(encodeHeader(header)), header, ...body };
}

/** RLP of a body: the list of transactions, uncles and, from Shanghai on, withdrawals. */
export function encodeBody(body: BlockBody): Bytes {
  const writer = new RlpWriter();
  writeBody(writer, body);
  writer.list(0);
  return writer.take();
}

/** RLP of a whole block, as `--import` reads it. */
export function encodeBlock(block: Block): Bytes {
  const writer = new RlpWriter();
  writeBody(writer, block);
  writer.raw(encodeHeader(block.header));
  writer.list(0);
  return writer.take();
}

/** Writes the members of a body; transactions are already encoded. */
function writeBody(writer: RlpWriter, { transactions, uncles, withdrawals }: BlockBody): void {
  if (withdrawals !== undefined) writer.raw(encodeListOf(withdrawals.map(withdrawalItem)));
  writer.raw(encodeListOf(uncles.map((uncle) => encodeHeader(uncle))));
  const transactionsEnd = writer.length;
  for (let index = transactions.length - 1; index >= 0; index--) {
    const tx = transactions[index] as Transaction;
    writeTransaction(writer, tx.type, tx.encode());
  }
  writer.list(transactionsEnd);
}

function writeTransaction(writer: RlpWriter, type: number, encoded: Bytes): void {
  if (type === LEGACY_TYPE) writer.raw(encoded);
  else writer.string(encoded);
}

/** Most bytes of a block's RLP from Osaka on (EIP-7934). */
export const MAXIMUM_BLOCK_SIZE = 8_388_608;

/** Size of the block's RLP in bytes, as in `size`. */
export function blockSize(block: Block): number {
  return encodeBlock(block).length;
}

/** Size in bytes of a block without uncles, from its transactions' EIP-2718 bytes. */
export function sizeOfParts(
  header: Header,
  transactions: readonly { readonly type: number; readonly bytes: Bytes }[],
  withdrawals: readonly Withdrawal[] | undefined,
): number {
  const writer = new RlpWriter();
  if (withdrawals !== undefined) writer.raw(encodeListOf(withdrawals.map(withdrawalItem)));
  writer.raw(encodeListOf([]));
  const transactionsEnd = writer.length;
  for (const { type, bytes } of transactions) writeTransaction(writer, type, bytes);
  writer.list(transactionsEnd);
  writer.raw(encodeHeader(header));
  writer.list(0);
  return writer.length;
}

/** `sha3Uncles` of a list of uncles. */
export function hashUncles(uncles: readonly Header[]): Bytes {
  return uncles.length === 0 ? EMPTY_UNCLES_HASH : keccak256(encodeListOf(uncles.map((uncle) => encodeHeader(uncle))));
}

/** RLP of a withdrawal, as in the withdrawals trie. */
export function withdrawalItem(withdrawal: Withdrawal): Bytes {
  return encodeByteList(withdrawalToList(withdrawal));
}

/** A decoded body whose transactions are not decoded yet. */
export interface RawBody {
  readonly transactions: readonly unknown[];
  readonly uncles: readonly Header[];
  readonly withdrawals: readonly Withdrawal[] | undefined;
}

/** Most RLP items of a block, including lists: a transaction without an access list has ten. */
export const MAX_BLOCK_ITEMS = 1_000_000;

/** A block's parts. */
export interface SplitBlock {
  readonly header: Header;
  readonly body: RawBody;
}

/**
 * Splits a block's RLP into header and raw body.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` if it is not a block
 * @throws {LimitError} `TOO_MANY_ITEMS`
 */
export function splitBlock(bytes: Bytes): SplitBlock {
  try {
    checkBlockItems(bytes);
    return partsOf(decodeRlp(bytes));
  } catch (error) {
    throw readable(error);
  }
}

/** As {@link splitBlock}, yielding to the event loop. */
export async function splitBlockInTurns(bytes: Bytes): Promise<SplitBlock> {
  try {
    checkBlockItems(bytes);
    return partsOf(await decodeRlpInTurns(bytes));
  } catch (error) {
    throw readable(error);
  }
}

function checkBlockItems(bytes: Bytes): void {
  // Shorter blocks cannot have too many.
  if (bytes.length > MAX_BLOCK_ITEMS)
    new RlpBudget(MAX_BLOCK_ITEMS, "block", "No client builds such blocks.").take(bytes);
}

function readable(error: unknown): unknown {
  return error instanceof RangeError ? malformed("its bytes are not RLP", error) : error;
}

function partsOf(decoded: RlpItem): SplitBlock {
  if (!Array.isArray(decoded) || decoded.length < 3 || decoded.length > 4) {
    throw malformed("a block is a list of header, transactions, uncles and, from Shanghai on, withdrawals");
  }
  const [header, ...body] = decoded as unknown[];
  return { header: headerFromList(header), body: rawBodyFromList(body) };
}

/**
 * The raw body of a decoded list.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED`
 */
export function rawBodyFromList(list: readonly unknown[]): RawBody {
  const [transactions, uncles, withdrawals] = list;
  if (!Array.isArray(transactions) || !Array.isArray(uncles)) throw malformed("transactions and uncles are lists");
  if (withdrawals !== undefined && !Array.isArray(withdrawals)) throw malformed("withdrawals are a list");
  return {
    transactions,
    uncles: uncles.map(headerFromList),
    withdrawals: withdrawals?.map(withdrawalFromList),
  };
}

function withdrawalToList(withdrawal: Withdrawal): Bytes[] {
  return [
    bigIntToBytes(withdrawal.index),
    bigIntToBytes(withdrawal.validatorIndex),
    withdrawal.address,
    bigIntToBytes(withdrawal.amount),
  ];
}

function withdrawalFromList(item: unknown): Withdrawal {
  if (!Array.isArray(item) || item.length !== 4 || !item.every((part) => part instanceof Uint8Array)) {
    throw malformed("a withdrawal has four items");
  }
  const [index, validatorIndex, address, amount] = item as [Bytes, Bytes, Bytes, Bytes];
  if (address.length !== 20) throw malformed("a withdrawal's address has 20 bytes");
  for (const integer of [index, validatorIndex, amount]) {
    if (integer[0] === 0) throw malformed("a withdrawal's integer has a leading zero byte");
    if (bytesToBigInt(integer) > MAX_UINT64) throw malformed("a withdrawal's integer exceeds 64 bits");
  }
  return {
    index: bytesToBigInt(index),
    validatorIndex: bytesToBigInt(validatorIndex),
    address,
    amount: bytesToBigInt(amount),
  };
}

function malformed(rule: string, cause?: unknown): InvalidParamsError {
  return new InvalidParamsError({ code: "BLOCK_REJECTED", what: `Malformed block: ${rule}.`, cause });
}

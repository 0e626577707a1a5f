/**
 * Checks of what another chain's node says of a block, for forks with `verify`: its body and its receipts, by the roots
 * in its header, whose hash was checked before.
 *
 * Each returns the reason why an answer is false or cannot be checked, or undefined.
 */
import { type Block, hashUncles, withdrawalItem } from "../../chainspec/header/block.ts";
import { hashHeader } from "../../chainspec/header/header.ts";
import { encodeReceipts, type Receipt } from "../../chainspec/transaction/receipt.ts";
import { effectiveGasPrice, type Transaction } from "../../chainspec/transaction/transaction.ts";
import type { UpstreamJson } from "../../chainspec/upstream-json.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import { createAddress } from "../../primitives/address.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { decodeBlockJson, decodeHeaderJson } from "../../remote/decode/block.ts";
import { data, quantity, requireList, requireObject } from "../../remote/decode/members.ts";
import { decodeReceiptJson } from "../../remote/decode/receipt.ts";
import { listRoot } from "../../state/trie/list-root.ts";

/**
 * Checks a block with whole transactions: these, their hashes and senders, and the withdrawals.
 *
 * @param chainId - of the chain, for the senders
 */
export function problemOfBody(json: unknown, chainId: bigint): string | undefined {
  return whereReadable(() => {
    const given = requireObject(json, "block");
    // Signatures are only recovered here, so the rules of every hardfork are allowed.
    const block = decodeBlockJson(given, [], () => ({ chainId, hasLowS: false, namesChain: true }));
    const { header, transactions, withdrawals } = block;
    const root = listRoot(transactions.map((tx) => tx.encode()));
    if (!equalBytes(root, header.transactionsRoot)) return "its transactions are not those of its transactionsRoot";
    if (header.withdrawalsRoot !== undefined) {
      const isListed = equalBytes(listRoot((withdrawals ?? []).map(withdrawalItem)), header.withdrawalsRoot);
      if (!isListed) return "its withdrawals are not those of its withdrawalsRoot";
    }
    const hasUncles = requireList(given.uncles ?? [], "uncles").length > 0;
    if (hasUncles === equalBytes(header.unclesHash, hashUncles([])))
      return "its uncles are not those of its sha3Uncles";
    return transactions
      .map((tx, index) => problemOfIdentity(tx, index, block))
      .find((problem) => problem !== undefined);
  });
}

/** Compares the members of a transaction's JSON that its bytes do not contain. */
function problemOfIdentity(tx: Transaction, index: number, block: Block): string | undefined {
  const { given = {} } = tx;
  const name = `transaction ${encodeData(tx.hash)}`;
  const price = effectiveGasPrice(tx, block.header.baseFeePerGas);
  const problem = problemOfPlace(given, block, index) ?? differing(given, { gasPrice: price });
  if (problem !== undefined) return `${name} has another ${problem}`;
  const sender = data(given, "from", 20);
  // Development nodes mine transactions without a signature: r has the sender, or nothing.
  if (tx.r === 0n || tx.r === bytesToBigInt(sender)) return undefined;
  if (!equalBytes(keccak256(tx.encode()), tx.hash)) return `${name} has another hash`;
  const publicKey = tx.publicKey ?? EMPTY_BYTES;
  return equalBytes(keccak256(publicKey).slice(12), sender)
    ? undefined
    : `${name} has another sender than its signature gives`;
}

/** @param answer - from eth_getBlockReceipts, or the receipts of all transactions in order */
export function problemOfReceipts(answer: unknown, block: Block): string | undefined {
  return whereReadable(() => {
    const receipts = requireList(answer, "receipts").map((json) => decodeReceiptJson(requireObject(json, "receipt")));
    if (!equalBytes(listRoot(encodeReceipts(receipts)), block.header.receiptsRoot)) {
      return "they are not those of the receiptsRoot";
    }
    let gasBefore = 0n;
    let firstLog = 0;
    for (const [index, receipt] of receipts.entries()) {
      const tx = block.transactions[index];
      const problem = tx && problemOfReceipt(receipt, block, { tx, index, gasBefore, firstLog });
      if (problem !== undefined) return `receipt ${index} has another ${problem}`;
      gasBefore = receipt.cumulativeGasUsed;
      firstLog += receipt.logs.length;
    }
    return undefined;
  });
}

interface ReceiptPlace {
  readonly tx: Transaction;
  readonly index: number;
  /** Gas used by the transactions before it. */
  readonly gasBefore: bigint;
  /** Index of its first log in the block. */
  readonly firstLog: number;
}

/** Compares the members of a receipt's JSON that its bytes do not contain. */
function problemOfReceipt({ given = {}, ...receipt }: Receipt, block: Block, place: ReceiptPlace): string | undefined {
  const { tx, index, gasBefore, firstLog } = place;
  const { sender: from, to } = tx;
  const own = {
    transactionHash: tx.hash,
    gasUsed: receipt.cumulativeGasUsed - gasBefore,
    effectiveGasPrice: effectiveGasPrice(tx, block.header.baseFeePerGas),
    from,
    ...(to === undefined ? { contractAddress: createAddress(from, tx.nonce) } : { to }),
  };
  const problem = problemOfPlace(given, block, index) ?? differing(given, own);
  if (problem !== undefined) return problem;
  for (const [offset, json] of requireList(given.logs, "logs").entries()) {
    const log = requireObject(json, "logs");
    const logIndex = BigInt(firstLog + offset);
    const wrong = problemOfPlace(log, block, index) ?? differing(log, { transactionHash: tx.hash, logIndex });
    if (wrong !== undefined) return `${wrong} in a log`;
  }
  return undefined;
}

/** Compares where a transaction, a receipt or a log says that it stands. */
function problemOfPlace(given: UpstreamJson, { hash, header }: Block, index: number): string | undefined {
  return differing(given, { blockHash: hash, blockNumber: header.number, transactionIndex: BigInt(index) });
}

/** The first of these members that is there with another value. */
function differing(given: UpstreamJson, expected: Readonly<Record<string, Bytes | bigint>>): string | undefined {
  return Object.entries(expected)
    .filter(([name]) => given[name] !== undefined && given[name] !== null)
    .map(([name, value]) => {
      const isSame = typeof value === "bigint" ? quantity(given, name) === value : equalBytes(data(given, name), value);
      return isSame ? undefined : name;
    })
    .find((name) => name !== undefined);
}

/** The uncle of a block, by its hash. */
export function problemOfUncle(answer: unknown, hash: Bytes): string | undefined {
  return whereReadable(() =>
    equalBytes(hashHeader(decodeHeaderJson(requireObject(answer, "uncle"))), hash) ? undefined : "it has another hash",
  );
}

/** An answer that cannot be read cannot be checked either. */
function whereReadable(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof HindcastError) return error.message;
    throw error;
  }
}

/** Receipts in the store's encoding, without their blooms, which are computed from the logs. */

import type { GasDimensions, Receipt } from "../../chainspec/transaction/receipt.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { bloomOfLogs } from "../../primitives/hash/bloom.ts";
import { type Log, writeLogs } from "../../primitives/rlp/log-list.ts";
import { RlpReader } from "../../primitives/rlp/rlp-reader.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";

/** The stored data of a receipt. Its bloom is computed from the logs, and JSON of another node is stored elsewhere. */
export type ReceiptRecord = Omit<Receipt, "logsBloom" | "given">;

/** A decoded receipt, whose bloom is computed on first access. */
export type StoredReceipt = Omit<Receipt, "given">;

const SUCCESS = Uint8Array.of(1);
const STATE_ROOT_BYTES = 32;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;

/**
 * Value of the table `receipts`.
 *
 * @throws {TypeError} for a receipt with neither status nor state root
 */
export function encodeReceipts(receipts: readonly ReceiptRecord[]): Bytes {
  const writer = new RlpWriter(64 * (receipts.length + 1));
  for (let index = receipts.length - 1; index >= 0; index--) {
    const receipt = receipts[index] as ReceiptRecord;
    const end = writer.length;
    if (receipt.dimensions !== undefined) writeDimensions(writer, receipt.dimensions);
    writeLogs(writer, receipt.logs);
    writer.string(receipt.contractAddress ?? EMPTY_BYTES);
    writer.integer(receipt.cumulativeGasUsed);
    writer.string(outcomeBytes(receipt));
    writer.integer(BigInt(receipt.type));
    writer.list(end);
  }
  writer.list(0);
  return writer.take();
}

/**
 * Decodes the receipts of one block. Bytes in them are views into `value`.
 *
 * @throws {Error} if the value was not made by {@link encodeReceipts}
 */
export function decodeReceipts(value: Bytes): StoredReceipt[] {
  const whole = new RlpReader(value);
  const list = whole.readList();
  whole.expectEnd();
  const receipts: StoredReceipt[] = [];
  while (!list.atEnd) receipts.push(decodeReceipt(list.readList()));
  return receipts;
}

function decodeReceipt(items: RlpReader): StoredReceipt {
  const type = items.readBytes();
  if (type.length > 1) throw new RangeError(`a transaction type of ${type.length} bytes`);
  const outcome = items.readBytes();
  if (outcome.length > 1 && outcome.length !== STATE_ROOT_BYTES) {
    throw new RangeError(`a status or state root of ${outcome.length} bytes`);
  }
  const hasRoot = outcome.length === STATE_ROOT_BYTES;
  const cumulativeGasUsed = bytesToBigInt(items.readBytes());
  const contractAddress = items.readBytes();
  if (contractAddress.length !== 0) expectLength("a contract address", contractAddress, ADDRESS_BYTES);
  const logs = decodeLogs(items.readList());
  const dimensions = items.atEnd ? undefined : decodeDimensions(items);
  items.expectEnd();
  let bloom: Bytes | undefined;
  return {
    type: type[0] ?? 0,
    status: hasRoot ? undefined : outcome.length === 1,
    stateRoot: hasRoot ? outcome : undefined,
    cumulativeGasUsed,
    contractAddress: contractAddress.length === 0 ? undefined : contractAddress,
    logs,
    dimensions,
    get logsBloom() {
      bloom ??= bloomOfLogs(logs);
      return bloom;
    },
  };
}

function writeDimensions(writer: RlpWriter, { executionGasUsed, stateGasUsed, gasRefund }: GasDimensions): void {
  writer.integer(gasRefund);
  writer.integer(stateGasUsed);
  writer.integer(executionGasUsed);
}

function decodeDimensions(items: RlpReader): GasDimensions {
  const executionGasUsed = bytesToBigInt(items.readBytes());
  const stateGasUsed = bytesToBigInt(items.readBytes());
  return { executionGasUsed, stateGasUsed, gasRefund: bytesToBigInt(items.readBytes()) };
}

function decodeLogs(items: RlpReader): Log[] {
  const logs: Log[] = [];
  while (!items.atEnd) {
    const log = items.readList();
    const address = log.readBytes();
    expectLength("a log's address", address, ADDRESS_BYTES);
    const topicItems = log.readList();
    const topics: Bytes[] = [];
    while (!topicItems.atEnd) {
      const topic = topicItems.readBytes();
      expectLength("a topic", topic, TOPIC_BYTES);
      topics.push(topic);
    }
    const data = log.readBytes();
    log.expectEnd();
    logs.push({ address, topics, data });
  }
  return logs;
}

function outcomeBytes({ status, stateRoot }: ReceiptRecord): Bytes {
  if (stateRoot !== undefined) return stateRoot;
  if (status === undefined) throw new TypeError("encodeReceipts: a receipt has a status or a state root");
  return status ? SUCCESS : EMPTY_BYTES;
}

function expectLength(what: string, bytes: Bytes, length: number): void {
  if (bytes.length !== length) throw new RangeError(`${what} of ${bytes.length} bytes`);
}

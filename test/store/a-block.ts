/** Blocks as the store sees them, made up from small numbers: equal numbers, equal bytes. */
import { RLP } from "@ethereumjs/rlp";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import type { Log } from "../../src/primitives/rlp/log-list.ts";
import type { BlockRecord } from "../../src/store/chain-batch.ts";
import type { ReceiptRecord } from "../../src/store/codecs/receipt-codec.ts";

/** Bytes of a given length that end in the given numbers. */
export function bytesOf(length: number, ...tail: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(tail, length - tail.length);
  return bytes;
}

export function hashOf(...numbers: readonly number[]): Uint8Array {
  return keccak256(Buffer.from(numbers.join(",")));
}

export const anAddress = (number: number): Uint8Array => bytesOf(20, 0xa0, number);
export const aTopic = (number: number): Uint8Array => bytesOf(32, 0x70, number);

export function aLog(address: number, topics: readonly number[], data: Uint8Array = new Uint8Array(0)): Log {
  return { address: anAddress(address), topics: topics.map(aTopic), data };
}

export function aReceipt(logs: readonly Log[], changes: Partial<ReceiptRecord> = {}): ReceiptRecord {
  return {
    type: 2,
    status: true,
    stateRoot: undefined,
    cumulativeGasUsed: 21_000n,
    contractAddress: undefined,
    logs,
    ...changes,
  };
}

export interface BlockChoices {
  readonly number: number;
  /** Tells blocks of one number apart. */
  readonly branch?: number;
  readonly parentHash?: Uint8Array;
  /** Logs of each transaction. */
  readonly logs?: readonly (readonly Log[])[];
  readonly startStateRoot?: Uint8Array;
}

/** A block whose transactions have hashes of its own. */
export function aBlock({ number, branch = 0, parentHash, logs = [], startStateRoot }: BlockChoices): BlockRecord {
  const parent = parentHash ?? bytesOf(32, number >> 8, number & 0xff);
  const header = RLP.encode([parent, Uint8Array.from([number & 0xff, number >> 8, branch])]);
  return {
    hash: keccak256(header),
    number: BigInt(number),
    parentHash: parent,
    header,
    body: RLP.encode([logs.map((_, index) => bytesOf(3, number & 0xff, index)), []]),
    receipts: logs.map((entries) => aReceipt(entries)),
    txHashes: logs.map((_, index) => hashOf(number, branch, index)),
    totalDifficulty: BigInt(number) * 131_072n,
    startStateRoot,
  };
}

export const anIdentity = { genesisHash: aBlock({ number: 0 }).hash, chainId: 31_337n };

/** Receipts: what a transaction left behind, and their consensus encoding (yellow paper §4.3.1, EIP-658, EIP-2718). */
import { RLP } from "@ethereumjs/rlp";
import { LEGACY_TYPE } from "../chainspec/transaction.ts";
import { type Bytes, bigIntToBytes, EMPTY_BYTES } from "../primitives/bytes.ts";
import type { Log } from "./types.ts";

export interface Receipt {
  /** Transaction type, 0 to 4. */
  readonly type: number;
  /** From Byzantium on; before, `stateRoot` stands in its place. */
  readonly status: boolean | undefined;
  /** State root after the transaction, before Byzantium. */
  readonly stateRoot: Bytes | undefined;
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint;
  /** 256 bytes */
  readonly logsBloom: Bytes;
  readonly logs: readonly Log[];
  /** Address of the contract a creation transaction made or would have made. */
  readonly contractAddress: Bytes | undefined;
}

const SUCCESS = Uint8Array.of(1);

/** The bytes that the receipts trie holds. */
export function encodeReceipt(receipt: Receipt): Bytes {
  const encoded = RLP.encode([
    receipt.stateRoot ?? (receipt.status === true ? SUCCESS : EMPTY_BYTES),
    bigIntToBytes(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, [...topics], data]),
  ]);
  if (receipt.type === LEGACY_TYPE) return encoded;
  const typed = new Uint8Array(encoded.length + 1);
  typed[0] = receipt.type;
  typed.set(encoded, 1);
  return typed;
}

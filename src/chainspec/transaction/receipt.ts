/** Receipts and their consensus encoding (yellow paper §4.3.1, EIP-658, EIP-2718). */

import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { Log } from "../../primitives/rlp/log-list.ts";
import { writeLogs } from "../../primitives/rlp/log-list.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import type { UpstreamJson } from "../upstream-json.ts";
import { LEGACY_TYPE } from "./transaction-fields.ts";

/** Gas of a transaction in the two dimensions of EIP-8037, before refunds (execution-apis#852). */
export interface GasDimensions {
  /** Gas that counts towards the block's limit for execution: at least the floor (EIP-7976). */
  readonly executionGasUsed: bigint;
  readonly stateGasUsed: bigint;
  /** Within its cap (EIP-3529). */
  readonly gasRefund: bigint;
}

/** The consensus members of a receipt, and what its JSON derives from the execution. */
export interface Receipt {
  /** Transaction type, 0 to 4. */
  readonly type: number;
  /** Undefined before Byzantium, which has `stateRoot` instead. */
  readonly status: boolean | undefined;
  /** State root after the transaction; undefined since Byzantium. */
  readonly stateRoot: Bytes | undefined;
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint;
  /** 256 bytes */
  readonly logsBloom: Bytes;
  readonly logs: readonly Log[];
  /** Address of the contract that a creation transaction created, or would have if it had not failed. */
  readonly contractAddress: Bytes | undefined;
  /** With EIP-8037, but not if the receipt comes from a program that does not keep it. */
  readonly dimensions?: GasDimensions | undefined;
  /** JSON of the upstream node, if the receipt belongs to a forked chain. */
  readonly given?: UpstreamJson;
}

const SUCCESS = Uint8Array.of(1);

/** The bytes in the receipts trie. */
export function encodeReceipt(receipt: Receipt): Bytes {
  return encodeWith(new RlpWriter(), receipt);
}

/** {@link encodeReceipt} of each. */
export function encodeReceipts(receipts: readonly Receipt[]): Bytes[] {
  const writer = new RlpWriter();
  return receipts.map((receipt) => encodeWith(writer, receipt));
}

function encodeWith(writer: RlpWriter, receipt: Receipt): Bytes {
  writeLogs(writer, receipt.logs);
  writer.string(receipt.logsBloom);
  writer.integer(receipt.cumulativeGasUsed);
  writer.string(receipt.stateRoot ?? (receipt.status === true ? SUCCESS : EMPTY_BYTES));
  writer.list(0);
  if (receipt.type !== LEGACY_TYPE) writer.raw(Uint8Array.of(receipt.type));
  return writer.take();
}

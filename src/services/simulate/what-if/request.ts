/** Requests of a what-if replay: the part of history that runs again, and its changes. */
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { JsonObject } from "../../../explain/source/read/json-values.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { SlotOverride } from "../../../state/working/overrides.ts";

/** The code that an account has instead: bytecode, or a compiled contract whose gaps are filled from the code it replaces. */
export interface CodeChange {
  readonly address: Bytes;
  readonly code: Bytes | JsonObject;
}

/** Slots of an account that have other values. */
export interface StorageChange {
  readonly address: Bytes;
  readonly slots: readonly SlotOverride[];
}

/** A call that runs as a transaction beside a mined one, or after all transactions of a block. */
export interface InsertedTransaction {
  /** One of three: hash of the mined transaction that runs next. */
  readonly before?: Bytes | undefined;
  /** Hash of the mined transaction that ran last. */
  readonly after?: Bytes | undefined;
  readonly block?: BlockId | undefined;
  /** Without a price it is free. Its gas does not count towards the block's limit. */
  readonly call: CallRequest;
}

/** A mined transaction with other members. */
export interface ReplacedTransaction {
  readonly transaction: Bytes;
  /** The members that change; the others are those of the mined transaction. */
  readonly call: CallRequest;
  /** True for a creation in its place: the call has no recipient. */
  readonly creates?: boolean | undefined;
}

/** Changes of the list of transactions. */
export interface TransactionChanges {
  readonly drop?: readonly Bytes[] | undefined;
  readonly insert?: readonly InsertedTransaction[] | undefined;
  readonly replace?: readonly ReplacedTransaction[] | undefined;
}

/** The parameters of `hindcast_replay`. Exactly one of `transaction` and `blocks` is given. */
export interface WhatIfRequest {
  /** Hash of a mined transaction. */
  readonly transaction?: Bytes | undefined;
  /** First and last block. */
  readonly blocks?: readonly [from: BlockId, to: BlockId] | undefined;
  readonly code?: readonly CodeChange[] | undefined;
  readonly storage?: readonly StorageChange[] | undefined;
  readonly transactions?: TransactionChanges | undefined;
}

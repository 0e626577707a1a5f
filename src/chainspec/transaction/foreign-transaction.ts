/** Transactions of another chain's blocks: of types that we know, and of those that only that chain knows. */
import type { Common } from "@ethereumjs/common";
import { createLegacyTx } from "@ethereumjs/tx";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { Given } from "../given.ts";
import { transactionFromBodyItem, txOptions } from "./decode-transaction.ts";
import { Transaction, type TransactionFields } from "./transaction.ts";

/** What the other chain says of a transaction. */
export interface ForeignIdentity {
  readonly hash: Bytes;
  readonly sender: Bytes;
  readonly given: Given;
}

/**
 * A transaction of another chain from its item in a block body. Its sender is believed.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function foreignTransaction(item: unknown, common: Common, identity: ForeignIdentity): Transaction {
  return transactionFromBodyItem(item, common, undefined, identity);
}

/** A transaction that cannot be run or encoded here: only that chain knows its type. */
export class OpaqueTransaction extends Transaction {
  readonly #fields: TransactionFields;

  constructor(fields: TransactionFields, common: Common, identity: ForeignIdentity) {
    super(createLegacyTx({}, txOptions(common)), { signer: identity.sender, ...identity });
    this.#fields = fields;
  }

  override get type(): number {
    return this.#fields.type;
  }

  override get to(): Bytes | undefined {
    return this.#fields.to;
  }

  override get nonce(): bigint {
    return this.#fields.nonce;
  }

  override get gasLimit(): bigint {
    return this.#fields.gasLimit;
  }

  override get value(): bigint {
    return this.#fields.value;
  }

  override get data(): Bytes {
    return this.#fields.data;
  }

  override get maxFeePerGas(): bigint {
    return this.#fields.maxFeePerGas;
  }

  override get maxPriorityFeePerGas(): bigint {
    return this.#fields.maxPriorityFeePerGas;
  }

  override get blobVersionedHashes(): readonly Bytes[] {
    return [];
  }

  override get maxFeePerBlobGas(): bigint {
    return 0n;
  }

  /** @throws {UnsupportedError} `FOREIGN_TRANSACTION` */
  override encode(): Bytes {
    throw new UnsupportedError({
      code: "FOREIGN_TRANSACTION",
      what: `Transactions of type 0x${this.type.toString(16)} are shown as the other chain gives them, and not encoded or run.`,
      where: `Transaction ${encodeData(this.hash)}.`,
      fix: "Ask a node of that chain for it.",
    });
  }
}

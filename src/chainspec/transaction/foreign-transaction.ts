/** Transactions of another chain's blocks: of types that we know, and of those that only that chain knows. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { Given } from "../given.ts";
import { transactionFromBodyItem } from "./decode-transaction.ts";
import { type SignatureRules, Transaction } from "./transaction.ts";
import type { TransactionFields } from "./transaction-fields.ts";

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
export function foreignTransaction(item: unknown, rules: SignatureRules, identity: ForeignIdentity): Transaction {
  const tx = transactionFromBodyItem(item, rules);
  const { hash, sender, given } = identity;
  // A transaction that stands without a valid signature has one of zeros, or a hash of its own.
  const isSigned = tx.r !== 0n && equalBytes(hash, tx.hash);
  return new Transaction(tx, rules, {
    ...(isSigned ? { signer: sender } : { sender }),
    encoded: tx.encode(),
    hash,
    given,
  });
}

/** A transaction that cannot be run or encoded here: only that chain knows its type. */
export class OpaqueTransaction extends Transaction {
  constructor(fields: TransactionFields, rules: SignatureRules, { hash, sender, given }: ForeignIdentity) {
    const noSignature = { chainId: undefined, v: 0n, r: 0n, s: 0n };
    super({ ...fields, ...noSignature }, rules, { signer: sender, hash, given });
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

/** Transactions of a forked chain, of types known here or only to that chain. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { UpstreamJson } from "../upstream-json.ts";
import { transactionFromBodyItem } from "./decode-transaction.ts";
import { type SignatureRules, Transaction } from "./transaction.ts";
import type { TransactionFields } from "./transaction-fields.ts";

/** Hash and sender of a transaction, from the upstream node. */
export interface ForeignIdentity {
  readonly hash: Bytes;
  readonly sender: Bytes;
  readonly given: UpstreamJson;
}

/**
 * A transaction of a forked chain from its item in a block body. Its sender is not verified.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function foreignTransaction(item: unknown, rules: SignatureRules, identity: ForeignIdentity): Transaction {
  const tx = transactionFromBodyItem(item, rules);
  const { hash, sender, given } = identity;
  // A transaction without a valid signature has zeros there, or a hash that is not that of its bytes.
  const isSigned = tx.r !== 0n && equalBytes(hash, tx.hash);
  return new Transaction(tx, rules, {
    ...(isSigned ? { signer: sender } : { sender }),
    encoded: tx.encode(),
    hash,
    given,
  });
}

/** A transaction of a type that this chain's blocks cannot have. It cannot be encoded, nor executed unless by a subclass. */
export class OpaqueTransaction extends Transaction {
  constructor(fields: TransactionFields, rules: SignatureRules, { hash, sender, given }: ForeignIdentity) {
    const noSignature = { chainId: undefined, v: 0n, r: 0n, s: 0n };
    super({ ...fields, ...noSignature }, rules, { signer: sender, hash, given });
  }

  /** @throws {UnsupportedError} `FOREIGN_TRANSACTION` */
  override encode(): Bytes {
    throw new UnsupportedError({
      code: "FOREIGN_TRANSACTION",
      what: `Transactions of type 0x${this.type.toString(16)} are shown as the other chain gives them, and not mined here.`,
      where: `Transaction ${encodeData(this.hash)}.`,
      fix: "Ask a node of that chain for it.",
    });
  }
}

/** A deposit of an OP chain. It pays no fees, and has neither a signature nor a nonce to check. */
export class DepositTransaction extends OpaqueTransaction {
  /** wei */
  readonly mint: bigint;

  /** @param fields - with {@link TransactionFields.mint} */
  constructor(fields: TransactionFields, rules: SignatureRules, identity: ForeignIdentity) {
    super({ ...fields, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, rules, identity);
    this.mint = fields.mint ?? 0n;
  }
}

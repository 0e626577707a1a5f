/**
 * Recovers signers of transactions in a thread of its own, because recovery is a large part of an import and nothing
 * else needs to wait for it.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { openEcdsa } from "../primitives/curves/ecdsa.ts";
import { packages } from "../primitives/platform/packages.ts";
import { TaskThreads } from "../primitives/platform/task-threads.ts";
import type { Transaction } from "./transaction/transaction.ts";

/** Bytes of a signature in a message: hash(32) r(32) s(32) yParity(1). */
const SIGNATURE_BYTES = 97;
/** Bytes of a public key in a message: 1, or 0 for none, then the key without its prefix. */
const KEY_BYTES = 65;

/** Must be closed after the last use. */
export class SignerThread {
  readonly #thread = new TaskThreads<Bytes, Bytes>({
    kind: "signers",
    subject: "signer",
    most: 1,
    usersEach: Number.POSITIVE_INFINITY,
  });

  /**
   * Recovers the signers and sets them on the transactions. Transactions with an invalid signature are not changed;
   * their `sender` throws the reason.
   */
  async recover(transactions: readonly Transaction[]): Promise<void> {
    const open = transactions.flatMap((transaction) => {
      const { openSignature } = transaction;
      return openSignature === undefined ? [] : [{ transaction, ...openSignature }];
    });
    if (open.length === 0) return;
    const signatures = new Uint8Array(open.length * SIGNATURE_BYTES);
    for (const [index, { hash, r, s, yParity }] of open.entries()) {
      const offset = index * SIGNATURE_BYTES;
      signatures.set(hash, offset);
      signatures.set(r, offset + 32);
      signatures.set(s, offset + 64);
      signatures[offset + 96] = yParity;
    }
    const keys = await this.#thread.run(signatures);
    for (const [index, { transaction }] of open.entries()) {
      const offset = index * KEY_BYTES;
      if (keys[offset] === 1) transaction.takeSigner(keys.subarray(offset + 1, offset + KEY_BYTES));
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** The thread's part: makes the public keys of signatures. */
export function openSigners(): (signatures: Bytes) => Bytes {
  const { recover } = openEcdsa(packages());
  return (signatures) => {
    const count = signatures.length / SIGNATURE_BYTES;
    const keys = new Uint8Array(count * KEY_BYTES);
    for (let index = 0; index < count; index++) {
      const signature = signatures.subarray(index * SIGNATURE_BYTES, (index + 1) * SIGNATURE_BYTES);
      const key = recover(signature.subarray(0, 32), signature.subarray(32, 96), signature[96] === 0 ? 0 : 1);
      if (key !== undefined) {
        keys[index * KEY_BYTES] = 1;
        keys.set(key, index * KEY_BYTES + 1);
      }
    }
    return keys;
  };
}

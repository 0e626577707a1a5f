/**
 * Recovers signers of transactions on a thread of its own: a seventh of what an import of transfers takes with a compiled
 * library (reckoned), two fifths without, and nothing of the rest has to wait for it.
 */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { type Ecdsa, openEcdsa } from "../primitives/curves/ecdsa.ts";
import { TaskThread } from "../primitives/platform/task-thread.ts";
import type { Transaction } from "./transaction/transaction.ts";

/** Of a signature on the way: hash(32) r(32) s(32) yParity(1). */
const SIGNATURE_BYTES = 97;
/** Of a public key on the way: 1, or 0 for none, and the key without its prefix. */
const KEY_BYTES = 65;

/** To be closed when no more is coming. */
export class SignerThread {
  readonly #thread = new TaskThread<Ecdsa, Bytes, Bytes>({ open: openEcdsa, work });

  /**
   * Tells transactions their signers. Those whose signature nobody can have made are left as they are: asked for their
   * sender, they say why.
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

function work({ recover }: Ecdsa): (signatures: Bytes) => Bytes {
  // As above: it travels as text.
  const [signatureBytes, keyBytes] = [97, 65];
  return (signatures) => {
    const count = signatures.length / signatureBytes;
    const keys = new Uint8Array(count * keyBytes);
    for (let index = 0; index < count; index++) {
      const signature = signatures.subarray(index * signatureBytes, (index + 1) * signatureBytes);
      const key = recover(signature.subarray(0, 32), signature.subarray(32, 96), signature[96] === 0 ? 0 : 1);
      // The prefix of an uncompressed key is 4: what stands there says that there is one.
      if (key !== undefined) keys.set([1, ...key.subarray(1)], index * keyBytes);
    }
    return keys;
  };
}

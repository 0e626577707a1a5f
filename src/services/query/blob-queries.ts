/** Keeps the blobs of the latest blob transactions, because blocks hold only the hashes of blobs. */
import { type Bytes, bytesKey, equalBytes } from "../../primitives/bytes/bytes.ts";
import type { TxPool } from "../../txpool/tx-pool.ts";

/** Most blobs that are held, of 128 KiB each. */
const MAX_BLOBS = 512;

interface HeldBlobs {
  /** 32 bytes each (EIP-4844) */
  readonly versionedHashes: readonly Bytes[];
  readonly blobs: readonly Bytes[];
}

/** Listens to the pool from its creation on. Blobs of transactions that were sent before are unknown. */
export class BlobQueries {
  /** By transaction hash, the oldest first. */
  readonly #held = new Map<string, HeldBlobs>();
  #count = 0;

  constructor(pool: Pick<TxPool, "onPending" | "sidecarOf">) {
    pool.onPending(({ hash, blobVersionedHashes }) => {
      const blobs = pool.sidecarOf(hash)?.blobs;
      if (blobs !== undefined) this.#keep(bytesKey(hash), { versionedHashes: blobVersionedHashes, blobs });
    });
  }

  #keep(key: string, held: HeldBlobs): void {
    this.#drop(key);
    this.#held.set(key, held);
    this.#count += held.blobs.length;
    for (const oldest of this.#held.keys()) {
      if (this.#count <= MAX_BLOBS) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#count -= this.#held.get(key)?.blobs.length ?? 0;
    this.#held.delete(key);
  }

  /** Blobs of a transaction, 131,072 bytes each; undefined if it had none, or if they are no longer held. */
  ofTransaction(hash: Bytes): readonly Bytes[] | undefined {
    return this.#held.get(bytesKey(hash))?.blobs;
  }

  /** The blob whose commitment has this versioned hash; undefined as for {@link ofTransaction}. */
  byVersionedHash(versionedHash: Bytes): Bytes | undefined {
    for (const { versionedHashes, blobs } of this.#held.values()) {
      const index = versionedHashes.findIndex((hash) => equalBytes(hash, versionedHash));
      if (index >= 0) return blobs[index];
    }
    return undefined;
  }
}

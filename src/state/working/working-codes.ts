/** Codes added to a working state, by hash, and which of them were not committed yet. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, keccak256 } from "../../primitives/hash/hash.ts";
import { wordKey } from "../map-keys.ts";
import type { HashedBytes } from "../view.ts";
import type { WorkingAccount } from "./working-account.ts";

/** One for each working state. Forks start with its codes. */
export class WorkingCodes {
  readonly #codes = new Map<string, HashedBytes>();
  readonly #new = new Map<string, HashedBytes>();

  /** The code with a hash, if it was added here. */
  get(hash: Bytes): Bytes | undefined {
    return this.#codes.size === 0 ? undefined : this.#codes.get(wordKey(hash))?.bytes;
  }

  /** Adds a code. Returns its hash. */
  put(code: Bytes): Bytes {
    if (code.length === 0) return EMPTY_CODE_HASH;
    const hash = keccak256(code);
    this.add(hash, code);
    return hash;
  }

  /** Adds a code whose hash is known. */
  add(hash: Bytes, code: Bytes): void {
    const key = wordKey(hash);
    const bytes = this.#codes.get(key)?.bytes ?? code;
    const entry = { hash, bytes };
    this.#codes.set(key, entry);
    this.#new.set(key, entry);
  }

  /** Codes of these accounts that no earlier call returned. */
  takeNew(accounts: Iterable<WorkingAccount>): HashedBytes[] {
    const taken: HashedBytes[] = [];
    if (this.#new.size === 0) return taken;
    for (const { isWritten, record } of accounts) {
      if (!isWritten || record === undefined || record === null) continue;
      const key = wordKey(record.codeHash);
      const code = this.#new.get(key);
      if (code === undefined) continue;
      taken.push(code);
      this.#new.delete(key);
    }
    return taken;
  }

  /** A copy in which every code counts as new, because the commits of this one may be discarded. */
  fork(): WorkingCodes {
    const fork = new WorkingCodes();
    for (const [key, code] of this.#codes) {
      fork.#codes.set(key, code);
      fork.#new.set(key, code);
    }
    return fork;
  }
}

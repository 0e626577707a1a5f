/** A map whose keys are hashes. */
import type { Bytes } from "./bytes.ts";
import { HashIndex } from "./hash-index.ts";

/** Values by hash. Keys must be 32 uniformly distributed bytes, because they are not hashed again. */
export class HashMap<Value> extends HashIndex {
  #values: Value[] = [];

  /** The value of the hash at `offset` of some bytes. */
  get(bytes: Bytes, offset = 0): Value | undefined {
    const entry = this.find(bytes, offset);
    return entry < 0 ? undefined : this.#values[entry];
  }

  set(hash: Bytes, value: Value): void {
    const known = this.find(hash, 0);
    if (known >= 0) this.#values[known] = value;
    else this.#put(hash, value);
  }

  /** As {@link set}, but returns false and changes nothing if the hash is in the map already. */
  add(hash: Bytes, value: Value): boolean {
    if (this.find(hash, 0) >= 0) return false;
    this.#put(hash, value);
    return true;
  }

  #put(hash: Bytes, value: Value): void {
    this.#values[this.enter(hash)] = value;
  }

  delete(hash: Bytes): void {
    const entry = this.remove(hash);
    if (entry < 0) return;
    const last = this.#values.pop() as Value;
    if (entry < this.length) this.#values[entry] = last;
  }

  override clear(): void {
    super.clear();
    this.#values = [];
  }
}

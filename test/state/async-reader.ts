/** A reader that answers every question later, as a remote chain does, and counts what it was asked. */
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import type { AccountState, StateReader } from "../../src/state/view.ts";

export class AsyncReader implements StateReader {
  readonly #reader: StateReader;
  asked = 0;

  constructor(reader: StateReader) {
    this.#reader = reader;
  }

  getAccount(address: Bytes): Promise<AccountState | undefined> {
    return this.#later(() => this.#reader.getAccount(address));
  }

  getStorage(address: Bytes, slot: Bytes): Promise<Bytes> {
    return this.#later(() => this.#reader.getStorage(address, slot));
  }

  getCode(codeHash: Bytes): Promise<Bytes> {
    return this.#later(() => this.#reader.getCode(codeHash));
  }

  async #later<T>(read: () => T | Promise<T>): Promise<T> {
    this.asked++;
    await new Promise((resolve) => setImmediate(resolve));
    return read();
  }
}

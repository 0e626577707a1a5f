/** Limits the bytes that wait for all clients of a server together. */
import { heldMemory } from "../../primitives/platform/held-memory.ts";

/** A connection that may be closed. */
export interface Reader {
  cutOff(reason: string): void;
}

/** The bytes that wait for the clients of one server, and their limit. */
export class WaitingAnswers {
  readonly #maxBytes: number;
  readonly #bytes = new Map<Reader, number>();
  #total = 0;

  /** @param maxBytes - limit for all clients together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True if so much waits that clients with unread answers get no further ones. */
  get isCrowded(): boolean {
    return this.#total > this.#maxBytes / 4;
  }

  /** Updates the bytes that wait for a client. If the sum is too large, the client with the most is disconnected. */
  note(reader: Reader, bytes: number): void {
    const added = bytes - (this.#bytes.get(reader) ?? 0);
    this.#total += added;
    heldMemory().add(added);
    if (bytes === 0) this.#bytes.delete(reader);
    else this.#bytes.set(reader, bytes);
    while (this.#total > this.#maxBytes) {
      const slowest = this.#slowest();
      if (slowest === undefined) return;
      this.note(slowest, 0);
      slowest.cutOff("too much waits for all readers together");
    }
  }

  #slowest(): Reader | undefined {
    let slowest: Reader | undefined;
    let most = 0;
    for (const [reader, bytes] of this.#bytes) {
      if (bytes <= most) continue;
      slowest = reader;
      most = bytes;
    }
    return slowest;
  }
}

/**
 * Memory that clients have a process hold: bodies that are received, answers that nobody reads, and recordings whose traces
 * are being read. Clients decide how long it is held, so that work which may take much memory has less room meanwhile.
 */
import { once } from "../once.ts";

/** Bytes, counted by those who hold them. */
export class HeldMemory {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** @param bytes - negative for what is no longer held */
  add(bytes: number): void {
    this.#bytes += bytes;
  }
}

/** Of this thread, whose nodes and servers have one heap. */
export const heldMemory = once(() => new HeldMemory());

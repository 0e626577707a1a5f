/** Random numbers that follow from a seed and a number of their sequence, the same on every machine. */
import type { Bytes } from "../../../../src/primitives/bytes/bytes.ts";

export class Random {
  // The state of sfc32 (Chris Doty-Humphrey's PractRand): four 32-bit words, the last a counter.
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param sequence - each number of the same seed gives numbers of its own */
  constructor(seed: number, sequence: number) {
    this.#a = seed | 0;
    this.#b = sequence | 0;
    this.#c = Math.floor(sequence / 2 ** 32) | 0;
    for (let round = 0; round < 12; round++) this.uint32();
  }

  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 on and below a limit. */
  below(limit: number): number {
    return Math.floor((this.uint32() / 2 ** 32) * limit);
  }

  /** A whole number from one to another, both included. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.uint32() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One of several, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new TypeError("Random: nothing to choose from");
  }

  bytes(length: number): Bytes {
    const bytes = new Uint8Array(length);
    for (let index = 0; index < length; index++) bytes[index] = this.below(256);
    return bytes;
  }
}

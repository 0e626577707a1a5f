/** The places of call frames in their tree, counted once: looking for each among its siblings is quadratic. */
import type { CallFrame } from "./recording.ts";

/** The addresses of one recording's frames. */
export class TraceAddresses {
  readonly #frames: readonly CallFrame[];
  #places: Uint32Array | undefined;

  constructor(frames: readonly CallFrame[]) {
    this.#frames = frames;
  }

  /** Indexes of the calls on the path from the outermost frame to this one; `[]` is the outermost. */
  of(index: number): number[] {
    this.#places ??= placesOf(this.#frames);
    const address: number[] = [];
    for (let frame = this.#frames[index]; frame !== undefined && frame.parent >= 0; frame = this.#frames[frame.parent])
      address.push(this.#places[frame.index] as number);
    return address.reverse();
  }
}

function placesOf(frames: readonly CallFrame[]): Uint32Array {
  const places = new Uint32Array(frames.length);
  const begun = new Uint32Array(frames.length);
  for (const { index, parent } of frames)
    if (parent >= 0) {
      places[index] = begun[parent] as number;
      begun[parent] = (begun[parent] as number) + 1;
    }
  return places;
}

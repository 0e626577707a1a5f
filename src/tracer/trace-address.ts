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

/** The address of each frame among frames that are visited depth first. Lives for one visit. */
export class TracePath {
  /** For each frame around the next one: the number of its frames that have ended. */
  readonly #counts: number[] = [];

  /** Enters the next frame, at this depth, and gives its address; `[]` is the outermost, at depth 0. */
  enter(depth: number): number[] {
    const counts = this.#counts;
    // The last frame at this depth has ended, and all below it.
    if (counts.length > depth) {
      counts.length = depth;
      if (depth > 0) counts[depth - 1] = (counts[depth - 1] as number) + 1;
    }
    const address = counts.slice();
    counts.push(0);
    return address;
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

/** Adds up how often each instruction of each code ran, over transactions. */
import type { CodeRun, CoverageSink } from "../../evm/coverage-sink.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";

/** A code that ran, with its counts. */
export interface CountedCode {
  /** Deployed code, or init code with its arguments. */
  readonly code: Bytes;
  /** For each byte offset: the count there minus the count at the byte before. */
  readonly differences: Float64Array;
}

/** A code with the offsets at which a counted range has begun: there is a 1. */
interface ReachedCode extends CountedCode {
  readonly reached: Uint8Array;
}

/** A copy of all counts, by code hash. */
export type CoverageSnapshot = ReadonlyMap<string, CountedCode>;

/** Lives from one start of coverage to the next. */
export class CoverageCounts implements CoverageSink {
  readonly #codes = new Map<string, ReachedCode>();
  /** Counts by code array, so that an array that is passed again is not hashed again. */
  readonly #known = new WeakMap<Bytes, ReachedCode>();
  #blocks = 0;

  /** Number of different ranges of code that have run. */
  get blocks(): number {
    return this.#blocks;
  }

  count(code: Bytes, runs: readonly CodeRun[]): void {
    const { differences, reached } = this.#known.get(code) ?? this.#find(code);
    for (const { start, end, times } of runs) {
      if (reached[start] === 0) {
        reached[start] = 1;
        this.#blocks++;
      }
      differences[start] = (differences[start] ?? 0) + times;
      differences[end] = (differences[end] ?? 0) - times;
    }
  }

  #find(code: Bytes): ReachedCode {
    const key = bytesKey(keccak256(code));
    let counted = this.#codes.get(key);
    if (counted === undefined) {
      // Two more than the code: the implicit STOP after its end may be counted, too.
      const length = code.length + 2;
      counted = { code, differences: new Float64Array(length), reached: new Uint8Array(length) };
      this.#codes.set(key, counted);
    }
    this.#known.set(code, counted);
    return counted;
  }

  /** Copies the counts. */
  snapshot(): CoverageSnapshot {
    return new Map(
      Array.from(this.#codes, ([key, { code, differences }]) => [key, { code, differences: differences.slice() }]),
    );
  }
}

/** Subtracts an earlier snapshot from a later one. */
export function countedBetween(before: CoverageSnapshot, after: CoverageSnapshot): CoverageSnapshot {
  return new Map(
    Array.from(after, ([key, { code, differences }]) => {
      const old = before.get(key)?.differences;
      const since = old === undefined ? differences : differences.map((value, index) => value - (old[index] ?? 0));
      return [key, { code, differences: since }];
    }),
  );
}

/** Converts the differences into counts by byte offset. */
export function timesOf({ differences }: CountedCode): Float64Array {
  const times = new Float64Array(differences.length);
  let sum = 0;
  for (let place = 0; place < times.length; place++) {
    sum += differences[place] as number;
    times[place] = sum;
  }
  return times;
}

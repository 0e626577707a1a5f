/** How often each instruction of each code ran, added up over transactions. */
import type { CodeRun, CoverageSink } from "../../evm/coverage-sink.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";

/** A code that ran. */
export interface CountedCode {
  /** Deployed code, or init code with its arguments. */
  readonly code: Bytes;
  /** By place: by how much the count differs from that of the byte before. */
  readonly differences: Float64Array;
}

/** What was counted up to a moment, by the code's hash. */
export type CoverageSnapshot = ReadonlyMap<string, CountedCode>;

export class CoverageCounts implements CoverageSink {
  readonly #codes = new Map<string, CountedCode>();
  /** Hashes of arrays that are handed over again and again. */
  readonly #known = new WeakMap<Bytes, CountedCode>();

  count(code: Bytes, runs: readonly CodeRun[]): void {
    const { differences } = this.#known.get(code) ?? this.#find(code);
    for (const { start, end, times } of runs) {
      differences[start] = (differences[start] ?? 0) + times;
      differences[end] = (differences[end] ?? 0) - times;
    }
  }

  #find(code: Bytes): CountedCode {
    const key = bytesKey(keccak256(code));
    let counted = this.#codes.get(key);
    if (counted === undefined) {
      // Beyond the end of the code stands a STOP, which may be counted.
      counted = { code, differences: new Float64Array(code.length + 2) };
      this.#codes.set(key, counted);
    }
    this.#known.set(code, counted);
    return counted;
  }

  /** A copy of what has been counted. */
  snapshot(): CoverageSnapshot {
    return new Map(
      Array.from(this.#codes, ([key, { code, differences }]) => [key, { code, differences: differences.slice() }]),
    );
  }
}

/** What was counted between two moments. */
export function countedBetween(before: CoverageSnapshot, after: CoverageSnapshot): CoverageSnapshot {
  return new Map(
    Array.from(after, ([key, { code, differences }]) => {
      const old = before.get(key)?.differences;
      const since = old === undefined ? differences : differences.map((value, index) => value - (old[index] ?? 0));
      return [key, { code, differences: since }];
    }),
  );
}

/** The counts by place. */
export function timesOf({ differences }: CountedCode): Float64Array {
  const times = new Float64Array(differences.length);
  let sum = 0;
  for (let place = 0; place < times.length; place++) {
    sum += differences[place] as number;
    times[place] = sum;
  }
  return times;
}

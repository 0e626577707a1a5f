/** Counts how far the functions that a build names agree with those of the build without the optimizer. */
import type { Named } from "./observed.ts";

export class Score {
  failures = 0;
  /** Frames of the plain build's stack traces, and those of them that are named, marked and left out. */
  frames = 0;
  named = 0;
  marked = 0;
  dropped = 0;
  /** Names without a mark that the plain build does not have, by tool. */
  readonly wrong = { frames: 0, writes: 0, pairs: 0, covered: 0 };
  /** Each wrong name once, with the call. */
  readonly details = new Set<string>();

  addStack(call: string, truth: readonly Named[], given: readonly Named[]): void {
    this.failures++;
    this.frames += truth.length;
    const pairs = common(truth, given);
    for (const place of pairs) {
      if (given[place]?.isApproximate) this.marked++;
      else this.named++;
    }
    this.dropped += truth.length - pairs.length;
    for (const [place, { name, isApproximate }] of given.entries()) {
      if (!isApproximate && !pairs.includes(place)) this.#wrong("frames", `${call}: ${name}`);
    }
  }

  addWriters(
    call: string,
    truth: ReadonlyMap<string, readonly Named[]>,
    given: ReadonlyMap<string, readonly Named[]>,
  ): void {
    for (const [variable, writers] of given) {
      for (const [index, { name, isApproximate }] of writers.entries()) {
        const expected = truth.get(variable)?.[index]?.name;
        if (!isApproximate && expected !== undefined && name !== expected) {
          this.#wrong("writes", `${call}: ${name} for ${expected}`);
        }
      }
    }
  }

  addAll(tool: "pairs" | "covered", call: string, truth: ReadonlySet<string>, given: ReadonlySet<string>): void {
    for (const each of given) if (!truth.has(each)) this.#wrong(tool, `${call}: ${each}`);
  }

  /** A row of the table. */
  row(name: string): string {
    const share = (count: number): string => `${((100 * count) / this.frames).toFixed(1)} %`;
    const { frames, writes, pairs, covered } = this.wrong;
    return `| ${[name, this.failures, this.frames, share(this.named), share(this.marked), share(this.dropped), frames, writes, pairs, covered].join(" | ")} |`;
  }

  #wrong(tool: keyof Score["wrong"], detail: string): void {
    this.wrong[tool]++;
    this.details.add(`${tool}: ${detail}`);
  }
}

/** Places in `given` of a longest common subsequence of the names. */
function common(truth: readonly Named[], given: readonly Named[]): readonly number[] {
  const lengths = Array.from({ length: truth.length + 1 }, () => new Array<number>(given.length + 1).fill(0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const isSame = (row: number, column: number): boolean => truth[row]?.name === given[column]?.name;
  for (let row = truth.length - 1; row >= 0; row--) {
    for (let column = given.length - 1; column >= 0; column--) {
      const longest = isSame(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
      (lengths[row] as number[])[column] = longest;
    }
  }
  const places: number[] = [];
  for (let row = 0, column = 0; row < truth.length && column < given.length; ) {
    if (isSame(row, column)) {
      places.push(column);
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return places;
}

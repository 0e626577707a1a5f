/** Parts of a long run, each kept in a file of its own, so that a run can be ended and continued. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Difference } from "./compare.ts";
import { Counts, type PlainCounts } from "./counts.ts";
import { type Compared, compareMany, type LongRun } from "./long-run.ts";

/** What a file holds. */
interface Part {
  readonly seed: number;
  /** Number of the first scenario. */
  readonly first: number;
  /** Number of the first scenario that has not run. */
  readonly next: number;
  /** Time that it took, without the pauses. */
  readonly seconds: number;
  readonly counts: PlainCounts;
  readonly differences: readonly Difference[];
}

const SAVED_EVERY_MS = 60_000;

/**
 * Compares as {@link compareMany} does and keeps counts and differences in a file, once a minute and at the end. Where
 * the file exists, continues behind its last scenario. Without a file nothing is kept.
 */
export async function comparePart(
  options: LongRun,
  file: string | undefined,
): Promise<Compared & { readonly seconds?: number }> {
  if (file === undefined) return compareMany(options);
  const { seed, first = 0, onProgress, onDifference } = options;
  const before: Part = existsSync(file)
    ? readPart(file)
    : { seed, first, next: first, seconds: 0, counts: {}, differences: [] };
  if (before.seed !== seed) throw new TypeError(`${file} is of seed ${before.seed}, not of seed ${seed}.`);
  const counts = new Counts();
  counts.addPlain(before.counts);
  const differences = [...before.differences];
  const began = Date.now();
  const seconds = (): number => before.seconds + Math.round((Date.now() - began) / 1000);
  let next = before.next;
  const save = (): void => {
    const part: Part = { ...before, next, seconds: seconds(), counts: counts.toJSON(), differences };
    writeFileSync(`${file}.tmp`, `${JSON.stringify(part)}\n`);
    // In one step: the run may be killed.
    renameSync(`${file}.tmp`, file);
  };
  let saved = began;
  await compareMany({
    ...options,
    first: next,
    counts,
    onDifference: (difference) => {
      differences.push(difference);
      onDifference?.(difference);
    },
    onProgress: (now, behind) => {
      next = behind;
      if (Date.now() - saved >= SAVED_EVERY_MS) {
        save();
        saved = Date.now();
      }
      return onProgress?.(now, behind) === true;
    },
  });
  save();
  return { counts, differences, seconds: seconds() };
}

/** Adds up what files hold, none of which has a scenario of another. A line for each file, then the counts. */
export function sumOfParts(files: readonly string[]): string[] {
  const parts = files.map(readPart).sort((left, right) => left.seed - right.seed || left.first - right.first);
  const counts = new Counts();
  const lines = parts.map((part, index) => {
    const { seed, first, next, seconds, differences } = part;
    const before = parts[index - 1];
    if (before?.seed === seed && before.next > first) throw new TypeError(`Scenario ${first} is in two files.`);
    counts.addPlain(part.counts);
    return `seed ${seed}, scenarios ${first} to ${next - 1}, ${seconds} s, ${differences.length} differences`;
  });
  return [...lines, ...counts.lines()];
}

function readPart(file: string): Part {
  return JSON.parse(readFileSync(file, "utf8")) as Part;
}

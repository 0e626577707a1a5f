/** Hardforks that a development chain reaches after its first block: by block number, or from Shanghai on by time. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { HARDFORKS, type Hardfork, hardforkName, isAtLeast, parseHardfork } from "../hardforks/hardforks.ts";
import type { ForkSchedule } from "./genesis.ts";

/**
 * The first block of each hardfork, by the hardfork's name. From Shanghai on it is a time: a timestamp in seconds, or
 * below 1,000,000,000 seconds after the chain's first block.
 */
export type HardforkStarts = Readonly<Record<string, bigint | number>>;

const SMALLEST_TIMESTAMP = 1_000_000_000n;

/**
 * The schedule of the later hardforks. A hardfork that is not named begins with the next one that is.
 *
 * @param first - hardfork of the first block
 * @param timestamp - of the first block, in seconds
 * @throws {InvalidParamsError} `INVALID_OPTION` for unknown names, and for hardforks that would not follow one another
 */
export function laterHardforks(
  first: Hardfork,
  starts: HardforkStarts,
  timestamp: bigint,
): Pick<ForkSchedule, "blocks" | "times" | "mergeBlock"> {
  const named = inOrder(first, starts, timestamp);
  const blocks: Partial<Record<Hardfork, bigint>> = {};
  const times: Partial<Record<Hardfork, bigint>> = {};
  for (const hardfork of HARDFORKS.filter((name) => !isAtLeast(first, name))) {
    const next = named.find(([name]) => isAtLeast(name, hardfork));
    if (next === undefined) break;
    const [name, start] = next;
    if (isTimed(name) && !isTimed(hardfork)) {
      throw invalid(`${hardforkName(name)} begins at a time, which a chain has only from paris on`, "paris too");
    }
    if (isTimed(name)) times[hardfork] = start;
    else blocks[hardfork] = start;
  }
  const { paris: mergeBlock, ...others } = blocks;
  return { blocks: others, times, mergeBlock };
}

/** The newest hardfork that a development chain reaches. */
export function lastHardfork(first: Hardfork, starts: HardforkStarts): Hardfork {
  const names = [first, ...Object.keys(starts).map(parseHardfork)];
  return HARDFORKS.findLast((name) => names.includes(name)) as Hardfork;
}

/** True for hardforks that begin at a time, not at a block number. */
export function isTimed(hardfork: Hardfork): boolean {
  return isAtLeast(hardfork, "shanghai");
}

/** The named hardforks from the oldest on, with block number or timestamp. */
function inOrder(first: Hardfork, starts: HardforkStarts, timestamp: bigint): (readonly [Hardfork, bigint])[] {
  const named = new Map<Hardfork, bigint>();
  for (const [name, start] of distinctStarts(Object.entries(starts))) named.set(name, BigInt(start));
  let block = 1n;
  let time = timestamp + 1n;
  return HARDFORKS.filter((name) => named.has(name)).map((hardfork) => {
    if (isAtLeast(first, hardfork)) {
      const what = `${hardforkName(hardfork)} is not newer than the chain's first hardfork, ${hardforkName(first)}`;
      throw invalid(what, "a newer one, or begin with an older one: --hardfork");
    }
    const given = named.get(hardfork) as bigint;
    if (!isTimed(hardfork)) {
      if (given < block) throw invalid(`${hardforkName(hardfork)} at block ${given} is too early`, `${block} or more`);
      block = given;
      return [hardfork, given];
    }
    const start = given < SMALLEST_TIMESTAMP ? timestamp + given : given;
    if (start < time) {
      const fix = `a timestamp from ${time} on, or the seconds after the first block, such as 1000`;
      throw invalid(`${hardforkName(hardfork)} at the timestamp ${start} is too early`, fix);
    }
    time = start;
    return [hardfork, start];
  });
}

/**
 * Hardforks by our names, each with its start.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for unknown names, and for a hardfork that is named twice
 */
export function distinctStarts<Start>(starts: readonly (readonly [string, Start])[]): (readonly [Hardfork, Start])[] {
  const named = new Set<Hardfork>();
  return starts.map(([name, start]) => {
    const hardfork = parseHardfork(name);
    if (named.has(hardfork)) throw invalid(`${hardforkName(hardfork)} is named twice`, "each hardfork once");
    named.add(hardfork);
    return [hardfork, start] as const;
  });
}

function invalid(what: string, fix: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what: `hardforkAt: ${what}.`, fix: `Give ${fix}.` });
}

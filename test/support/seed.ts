/**
 * The seed of every random test, so that what failed once fails again, on every machine.
 *
 * Default tests have a fixed one (vitest.config.ts), slow ones a new one with every run; `.ci/run` makes it from the files
 * that it checks. `HINDCAST_SEED` sets either: a number, or `random`.
 *
 * Loaded before every test file; fast-check takes it by itself, other randomness asks {@link testSeed}.
 */
import fc from "fast-check";

const wanted = process.env.HINDCAST_SEED ?? "random";

/**
 * True in `npm run test:slow`, as vitest.config.ts sets it. In files named `*.sweep.test.ts`, which run in both ways, it
 * guards the tests that take long for what they add to others.
 */
export const isSlow: boolean = process.env.PROPERTY_RUNS === "all";

/** 32 bits. */
export const testSeed: number = (wanted === "random" ? Date.now() % 2 ** 31 : Number(wanted)) | 0;

if (isSlow) console.log(`seed ${testSeed} (repeat with HINDCAST_SEED=${testSeed})`);
// Left alone, fast-check makes lists of at most ten more members than the least, whatever `maxLength` says.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: testSeed,
  numRuns: runs(100),
  defaultSizeToMaxWhenMaxSpecified: true,
});

/**
 * How often a property runs: a fortieth of the full count in default tests, whose inputs are the same every time, and all of
 * it in `npm run test:slow`, which runs the properties as well. Short ones run in full.
 */
export function runs(count: number): number {
  return isSlow || count <= 4 ? count : Math.ceil(count / 40);
}

/**
 * The cases of a table in a file named `*.sweep.test.ts`: those that are selected in default tests, all of them in
 * `npm run test:slow`.
 */
export function sweep<Case>(all: readonly Case[], isSelected: (each: Case, index: number) => boolean): readonly Case[] {
  return isSlow ? all : all.filter(isSelected);
}

/**
 * The cases of a table that has several of each kind, in a file named `*.sweep.test.ts`: so many of each kind in default
 * tests, chosen by the seed, and all of them in `npm run test:slow`.
 */
export function someOfEach<Case>(all: readonly Case[], kindOf: (each: Case) => unknown, count = 1): readonly Case[] {
  if (isSlow) return all;
  const kinds = new Map<unknown, Case[]>();
  for (const each of all) kinds.set(kindOf(each), [...(kinds.get(kindOf(each)) ?? []), each]);
  const chosen = new Set<Case>();
  for (const cases of kinds.values()) {
    const first = (testSeed >>> 0) % cases.length;
    for (const each of [...cases.slice(first), ...cases.slice(0, first)].slice(0, count)) chosen.add(each);
  }
  return all.filter((each) => chosen.has(each));
}

/**
 * Pairs of members of two lists, in a file named `*.sweep.test.ts`: in default tests each member of either list is in one at
 * least, with a partner that the seed chooses; in `npm run test:slow` they are all pairs.
 */
export function pairs<First, Second>(
  first: readonly First[],
  second: readonly Second[],
): readonly (readonly [First, Second])[] {
  const all = first.flatMap((one, row) =>
    second.map((other, column) => ({ pair: [one, other] as const, row, column })),
  );
  const shorter = Math.min(first.length, second.length);
  return sweep(all, ({ row, column }) => (row + column + (testSeed >>> 0)) % shorter === 0).map(({ pair }) => pair);
}

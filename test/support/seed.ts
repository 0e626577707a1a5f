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

/** Set by vitest.config.ts. */
const isSlow = process.env.PROPERTY_RUNS === "all";

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
 * How often a property runs: a tenth of the full count in default tests, whose inputs are the same every time, and all of
 * it in `npm run test:slow`, which runs the properties as well. Short ones run in full.
 */
export function runs(count: number): number {
  return isSlow || count <= 4 ? count : Math.ceil(count / 10);
}

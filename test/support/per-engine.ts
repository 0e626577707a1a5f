/** A part of the tests that run on each engine, in files named `*.sweep.test.ts`. */
import { it } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../src/evm/engine.ts";
import { isSlow, testSeed } from "./seed.ts";

/**
 * `it` for the tests of a `describe.each(ENGINE_NAMES)`, or of a part of it. In default tests each of them, and each row of
 * `it.each`, runs on one of the engines: on one and on the other in turn, beginning by the seed. `npm run test:slow` runs all
 * of them on both.
 */
export function onEngine(engine: EngineName): typeof it {
  if (isSlow) return it;
  let count = ENGINE_NAMES.indexOf(engine) + (testSeed >>> 0);
  const isChosen = (): boolean => count++ % ENGINE_NAMES.length === 0;
  const one = (name: string, run: () => unknown): void => {
    if (isChosen()) it(name, run);
  };
  return Object.assign(one, {
    each: (rows: readonly unknown[]) => it.each(rows.filter(isChosen)),
    runIf: (isRun: boolean) => (isRun ? one : it.skip),
  }) as unknown as typeof it;
}

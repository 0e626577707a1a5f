/** `hindcast/vitest`: a chain for the tests of a file or of the `describe` around it, in one line. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Hex } from "../primitives/bytes/hex.ts";
import { createFixture, type FixtureOptions, type HindcastFixture } from "./fixture.ts";
import type { RunningTest } from "./gas-snapshots.ts";

declare module "vitest" {
  interface Assertion<T> {
    /** As `matchGasSnapshot` of the chain around the test: `await expect(hash).toMatchGasSnapshot()`. */
    toMatchGasSnapshot(title?: string): Promise<void>;
  }
}

/** Gives the surrounding tests a chain of their own, which is restored after each of them. */
export function useHindcast(options: FixtureOptions = {}): HindcastFixture {
  const fixture = createFixture(
    {
      beforeAll,
      afterAll,
      beforeEach,
      afterEach: (run) => afterEach(({ task }) => run(task.result?.state === "fail")),
      currentTest,
    },
    options,
  );
  // Of several chains around a test the innermost one comes last.
  beforeEach(() => expect.extend({ toMatchGasSnapshot: (hash, title) => compare(fixture, hash, title) }));
  return fixture;
}

function currentTest(): RunningTest | undefined {
  const { testPath: file, currentTestName: name } = expect.getState();
  return file === undefined || name === undefined ? undefined : { file, name };
}

type Comparison = Promise<{ readonly pass: boolean; readonly message: () => string }>;

async function compare(
  { matchGasSnapshot }: HindcastFixture,
  hash: Bytes | Hex,
  title: string | undefined,
): Comparison {
  try {
    await matchGasSnapshot(hash, title);
    return { pass: true, message: () => "Expected other gas than the snapshot's." };
  } catch (error) {
    return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) };
  }
}

export type { FixtureOptions, HindcastFixture };

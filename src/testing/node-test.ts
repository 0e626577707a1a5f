/** `hindcast/node-test`: a chain for the tests of a file or of the `describe` around it, in one line. */
import { after, afterEach, before, beforeEach } from "node:test";
import { createFixture, type FixtureOptions, type HindcastFixture } from "./fixture.ts";
import type { RunningTest } from "./gas-snapshots.ts";

/** Gives the surrounding tests a chain of their own, which is restored after each of them. */
export function useHindcast(options: FixtureOptions = {}): HindcastFixture {
  let current: RunningTest | undefined;
  beforeEach((context) => {
    current = testOf(context);
  });
  const currentTest = (): RunningTest | undefined => current;
  return createFixture(
    {
      beforeAll: before,
      afterAll: after,
      beforeEach,
      afterEach: (run) => afterEach((context) => run((context as { readonly passed?: boolean }).passed === false)),
      currentTest,
    },
    options,
  );
}

/** Node 20 does not say which file a test is in: with `--test` each has a process of its own. */
function testOf(context: unknown): RunningTest | undefined {
  const { filePath = process.argv[1], fullName, name } = context as Readonly<Record<string, unknown>>;
  const title = fullName ?? name;
  return typeof filePath === "string" && typeof title === "string" ? { file: filePath, name: title } : undefined;
}

export type { FixtureOptions, HindcastFixture };

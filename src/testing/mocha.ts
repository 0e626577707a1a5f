/** `hindcast/mocha`: a chain for the tests of a file or of the `describe` around it, in one line. */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { createFixture, type FixtureOptions, type HindcastFixture, type TestHooks } from "./fixture.ts";
import type { RunningTest } from "./gas-snapshots.ts";

type Hook = TestHooks["beforeAll"];

/** Gives the surrounding tests a chain of their own, which is restored after each of them. */
export function useHindcast(options: FixtureOptions = {}): HindcastFixture {
  let current: RunningTest | undefined;
  found("beforeEach")(function (this: MochaContext) {
    const { currentTest: test } = this;
    current = test?.file === undefined ? undefined : { file: test.file, name: test.fullTitle() };
  });
  return createFixture(
    {
      beforeAll: hook("before"),
      afterAll: hook("after"),
      beforeEach: hook("beforeEach"),
      afterEach: (run) => {
        found("afterEach")(function (this: MochaContext) {
          return run(this.currentTest?.state === "failed");
        });
      },
      currentTest: () => current,
    },
    options,
  );
}

/** The `this` value of Mocha's hooks. */
interface MochaContext {
  readonly currentTest?: { readonly file?: string; readonly state?: string; fullTitle(): string };
}

function hook(name: string): Hook {
  const add = found(name);
  return (run) => void add(run);
}

/** Mocha puts its hooks where every file sees them, whichever copy of Mocha runs: that one is meant. */
function found(name: string): (run: (this: MochaContext) => unknown) => unknown {
  const global = (globalThis as Readonly<Record<string, unknown>>)[name];
  if (typeof global === "function") return (run) => Reflect.apply(global, undefined, [run]);
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: `Mocha's ${name}() is not available.`,
    fix: "Call useHindcast() in a file that Mocha runs, with its bdd interface.",
  });
}

export type { FixtureOptions, HindcastFixture };

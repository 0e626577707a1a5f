/** `hindcast/mocha`: a chain for the tests of a file or of the `describe` around it, in one line. */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import { createFixture, type FixtureOptions, type HindcastFixture, type TestHooks } from "./fixture.ts";

type Hook = TestHooks["beforeAll"];

/** Gives the surrounding tests a chain of their own, which is restored after each of them. */
export function useHindcast(options: FixtureOptions = {}): HindcastFixture {
  return createFixture(
    {
      beforeAll: hook("before"),
      afterAll: hook("after"),
      beforeEach: hook("beforeEach"),
      afterEach: hook("afterEach"),
    },
    options,
  );
}

/** Mocha defines its hooks as globals; those of the running copy of Mocha must be used. */
function hook(name: string): Hook {
  const found = (globalThis as Readonly<Record<string, unknown>>)[name];
  if (typeof found === "function") return (run) => void found(run);
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: `Mocha's ${name}() is not there.`,
    fix: "Call useHindcast() in a file that Mocha runs, with its bdd interface.",
  });
}

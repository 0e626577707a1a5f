/** `hindcast/vitest`: a chain for the tests of a file or of the `describe` around it, in one line. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { createFixture, type FixtureOptions, type HindcastFixture } from "./fixture.ts";

/** Gives the surrounding tests a chain of their own, which is restored after each of them. */
export function useHindcast(options: FixtureOptions = {}): HindcastFixture {
  return createFixture({ beforeAll, afterAll, beforeEach, afterEach }, options);
}

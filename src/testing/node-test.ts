/** `hindcast/node-test`: a chain for the tests of a file or of the `describe` around it, in one line. */
import { after, afterEach, before, beforeEach } from "node:test";
import { createFixture, type FixtureOptions, type HindcastFixture } from "./fixture.ts";

/** Gives the surrounding tests a chain of their own, which is restored after each of them. */
export function useHindcast(options: FixtureOptions = {}): HindcastFixture {
  return createFixture({ beforeAll: before, afterAll: after, beforeEach, afterEach }, options);
}

/** Errors of opening a data folder keep what LevelDB said. */
import { expect, it } from "vitest";
import { openingFailed } from "../../src/store/folder-errors.ts";

it.each([
  ["the error itself", (inner: Error) => inner],
  [
    "the cause of the error, where it has one",
    (inner: Error) => new Error("Database failed to open", { cause: inner }),
  ],
])("has as its cause %s", (_, around) => {
  const inner = new Error("No space left on device");
  expect(openingFailed("/data", around(inner)).cause).toBe(inner);
});

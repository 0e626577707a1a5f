import { describe, expect, it } from "vitest";
import { hasTerminalColors } from "../../../src/primitives/platform/terminal-colors.ts";

const terminal = { isTTY: true };
const pipe = {};

describe("colours", () => {
  it.each([
    ["on a terminal", terminal, {}, true],
    ["not in a pipe", pipe, {}, false],
    ["not in a pipe of CI: what a test expects there is what it expects at home", pipe, { CI: "true" }, false],
    ["not on a terminal that knows none", terminal, { TERM: "dumb" }, false],
    ["not where the user wants none", terminal, { NO_COLOR: "1" }, false],
    ["where NO_COLOR is empty, which is as good as unset", terminal, { NO_COLOR: "" }, true],
    ["wherever the user forces them", pipe, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    ["nowhere when FORCE_COLOR is 0", terminal, { FORCE_COLOR: "0" }, false],
  ])("%s", (_, stream, environment, expected) => {
    expect(hasTerminalColors(stream, environment)).toBe(expected);
  });
});

/** Names that users give hardforks. */
import { describe, expect, it } from "vitest";
import {
  HARDFORKS,
  hardforkName,
  NEWEST_STABLE_HARDFORK,
  parseHardfork,
} from "../../src/chainspec/hardforks/hardforks.ts";

describe("parseHardfork", () => {
  it.each(HARDFORKS)("knows %s by its name, in any case and with dashes", (hardfork) => {
    const name = hardforkName(hardfork);
    const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect([name, name.toUpperCase(), dashed].map(parseHardfork)).toEqual([hardfork, hardfork, hardfork]);
  });

  it.each([
    ["frontier", "chainstart"],
    ["EIP150", "tangerineWhistle"],
    ["tangerine", "tangerineWhistle"],
    ["eip158", "spuriousDragon"],
    ["spurious", "spuriousDragon"],
    ["ConstantinopleFix", "petersburg"],
    ["merge", "paris"],
    ["latest", NEWEST_STABLE_HARDFORK],
  ])("knows %s, as other clients call %s", (name, hardfork) => {
    expect(parseHardfork(name)).toBe(hardfork);
  });

  it("names the nearest and all of them otherwise", () => {
    expect(() => parseHardfork("cancum")).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        message: expect.stringMatching(
          /^Unknown hardfork "cancum"\. Did you mean cancun\? Use one of: frontier, .*\.$/,
        ),
      }),
    );
    expect(() => parseHardfork("x")).toThrow(/^Unknown hardfork "x"\. Use one of/);
  });
});

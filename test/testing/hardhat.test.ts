import { describe, expect, it } from "vitest";
import { hindcast } from "../../src/testing/hardhat.ts";

describe("the plugin of Hardhat", () => {
  it.each<[unknown, string]>([
    [null, "Options are an object, not null."],
    [[], "Options are an object, not []."],
    [{ networkName: "" }, 'The option networkName is not valid: "". It must be a string that is not empty.'],
    [{ networkName: 5 }, "The option networkName is not valid: 5. It must be a string that is not empty."],
    [{ consoleLog: "yes" }, 'The option consoleLog is not valid: "yes".'],
    [{ coverage: [] }, "The option coverage is not valid: []. It must be true, false or the path of a file."],
    [{ gasReport: "" }, 'The option gasReport is not valid: "". It must be true, false or the path of a file.'],
    [{ consolelog: true }, "There is no option consolelog. Did you mean consoleLog?"],
    [{ accounts: "ten" }, 'The option accounts is not valid: "ten".'],
  ])("refuses options that are none: %j", (options, words) => {
    expect(() => hindcast(options as never)).toThrow(words);
  });

  it("takes options of the node beside its own", () => {
    const options = { hardfork: "cancun", networkName: "local", consoleLog: false, coverage: "lcov.info" } as const;
    expect(hindcast(options).id).toBe("hindcast");
  });
});

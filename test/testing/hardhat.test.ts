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

  describe("the members of its network", () => {
    // Those of Hardhat 3.18.0's networks, simulated and over HTTP, beside type, chainType and url.
    const TAKEN = ["accounts", "chainId", "from", "gas", "gasPrice"];
    const REFUSED = [
      "allowBlocksWithSameTimestamp",
      "allowUnlimitedContractSize",
      "blockGasLimit",
      "coinbase",
      "forking",
      "gasEstimationMode",
      "gasMultiplier",
      "hardfork",
      "httpHeaders",
      "initialBaseFeePerGas",
      "initialDate",
      "loggingEnabled",
      "minGasPrice",
      "mining",
      "networkId",
      "throwOnCallFailures",
      "throwOnTransactionFailures",
      "timeout",
      "transactionGasCap",
    ];

    async function errorsOf(
      members: Readonly<Record<string, unknown>>,
    ): Promise<{ path: string[]; message: string }[]> {
      const { default: hooks } = await hindcast().hookHandlers.config();
      return (await hooks()).validateUserConfig({ networks: { hindcast: members } });
    }

    it.each(TAKEN)("%s is taken", async (member) => expect(await errorsOf({ [member]: 1 })).toEqual([]));

    it.each(REFUSED)("%s is refused with what to do", async (member) => {
      expect(await errorsOf({ [member]: 1 })).toEqual([
        { path: ["networks", "hindcast", member], message: expect.stringMatching(/(Leave it out|instead)\.$/) },
      ]);
    });
  });
});

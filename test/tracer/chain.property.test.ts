import { describe, it } from "vitest";
import { HARDFORKS_OF_ONE_GAS } from "../support/evm.ts";
import { checkRandomChain } from "./random-chain.ts";

describe("the traces of a chain", () => {
  it.each(HARDFORKS_OF_ONE_GAS)("agree with each other, with receipts and with states (%s)", (hardfork) =>
    // Another chain for each hardfork, and the same every time.
    checkRandomChain(hardfork, HARDFORKS_OF_ONE_GAS.indexOf(hardfork) + 1),
  );
});

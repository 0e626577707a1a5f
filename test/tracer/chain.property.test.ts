import { describe, it } from "vitest";
import { HARDFORKS_OF_ONE_GAS, SELECTED_HARDFORKS } from "../support/evm.ts";
import { sweep } from "../support/seed.ts";
import { checkRandomChain } from "./random-chain.ts";

describe("the traces of a chain", () => {
  it.each(sweep(HARDFORKS_OF_ONE_GAS, (hardfork) => SELECTED_HARDFORKS.has(hardfork)))(
    "agree with each other, with receipts and with states (%s)",
    (hardfork) =>
      // Another chain for each hardfork, and the same every time.
      checkRandomChain(hardfork, HARDFORKS_OF_ONE_GAS.indexOf(hardfork) + 1),
  );
});

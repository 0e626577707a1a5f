import { describe, it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import { checkRandomChain } from "./random-chain.ts";

describe("the traces of a chain", () => {
  it.each(OPCODE_HARDFORKS)("agree with each other, with receipts and with states (%s)", (hardfork) =>
    // Another chain for each hardfork, and the same every time.
    checkRandomChain(hardfork, OPCODE_HARDFORKS.indexOf(hardfork) + 1),
  );
});

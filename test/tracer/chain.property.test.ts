import { describe, it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import { checkRandomChain } from "./random-chain.ts";

describe("the traces of a chain", () => {
  // On Amsterdam the gas of a frame has what state costs in it, the gas of an operation has not (EIP-8037).
  it.each(OPCODE_HARDFORKS.filter((name) => name !== "amsterdam"))(
    "agree with each other, with receipts and with states (%s)",
    (hardfork) =>
      // Another chain for each hardfork, and the same every time.
      checkRandomChain(hardfork, OPCODE_HARDFORKS.indexOf(hardfork) + 1),
  );
});

import { describe, it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import { doesWhatEthereumJsDoes, recordsAlikeOnAnyWay, transfersAsEthereumJsDoes } from "./evm-properties.ts";

describe("the run loop", () => {
  it.each(OPCODE_HARDFORKS)("does what EthereumJS' own does (%s)", (hardfork) => doesWhatEthereumJsDoes(hardfork, 15));
});

describe("a recording", () => {
  it.each(["istanbul", "berlin", "cancun", "osaka"] as const)(
    "is the same whether the state answers at once or later, and whether accesses are recorded (%s)",
    (hardfork) => recordsAlikeOnAnyWay(hardfork, 10),
  );
});

describe("a call that runs no code", () => {
  it.each(OPCODE_HARDFORKS)("does what EthereumJS' own does (%s)", (hardfork) =>
    transfersAsEthereumJsDoes(hardfork, 40),
  );
});

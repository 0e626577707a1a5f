import { describe, it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import {
  doesWhatEthereumJsDoes,
  RANDOM_RUNS,
  recordsAlikeOnAnyWay,
  transfersAsEthereumJsDoes,
} from "./evm-properties.ts";

describe("the run loop", () => {
  it.each(OPCODE_HARDFORKS)("does what EthereumJS' own does (%s)", (hardfork) =>
    doesWhatEthereumJsDoes(hardfork, RANDOM_RUNS.any, 15),
  );
  it.each(["chainstart", "berlin", "london", "shanghai", "cancun", "osaka"] as const)(
    "creates what EthereumJS' own creates (%s)",
    (hardfork) => doesWhatEthereumJsDoes(hardfork, RANDOM_RUNS.creating, 25),
  );
  it.each(["prague", "osaka"] as const)("calls delegated accounts as EthereumJS' own does (%s)", (hardfork) =>
    doesWhatEthereumJsDoes(hardfork, RANDOM_RUNS.delegated, 40),
  );
});

describe("a recording", () => {
  it.each(["istanbul", "berlin", "cancun", "osaka"] as const)(
    "is the same whether the state answers at once or later, and whether accesses are recorded (%s)",
    (hardfork) => recordsAlikeOnAnyWay(hardfork, RANDOM_RUNS.any, 10),
  );
  it.each(["berlin", "shanghai", "osaka"] as const)("of creations is the same on any way (%s)", (hardfork) =>
    recordsAlikeOnAnyWay(hardfork, RANDOM_RUNS.creating, 4),
  );
  it("of delegated accounts is the same on any way", () => recordsAlikeOnAnyWay("osaka", RANDOM_RUNS.delegated, 10));
});

describe("a call that runs no code", () => {
  it.each(OPCODE_HARDFORKS)("does what EthereumJS' own does (%s)", (hardfork) =>
    transfersAsEthereumJsDoes(hardfork, 40),
  );
});

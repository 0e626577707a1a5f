import { it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import { doesWhatEthereumJsDoes, recordsAlikeOnAnyWay, transfersAsEthereumJsDoes } from "./evm-properties.ts";

it.each(OPCODE_HARDFORKS)("the run loop does what EthereumJS' own does, at length (%s)", (hardfork) =>
  doesWhatEthereumJsDoes(hardfork, 2000),
);

it.each(OPCODE_HARDFORKS)(
  "a recording is the same whether the state answers at once or later, and whether accesses are recorded, at length (%s)",
  (hardfork) => recordsAlikeOnAnyWay(hardfork, 500),
);

it.each(OPCODE_HARDFORKS)("a call that runs no code does what EthereumJS' own does, at length (%s)", (hardfork) =>
  transfersAsEthereumJsDoes(hardfork, 1000),
);

import { it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import {
  doesWhatEthereumJsDoes,
  RANDOM_RUNS,
  recordsAlikeOnAnyWay,
  transfersAsEthereumJsDoes,
} from "./evm-properties.ts";

it.each(OPCODE_HARDFORKS)("the run loop does what EthereumJS' own does, at length (%s)", (hardfork) =>
  doesWhatEthereumJsDoes(hardfork, RANDOM_RUNS.any, 2000),
);

it.each(OPCODE_HARDFORKS)(
  "a recording is the same whether the state answers at once or later, and whether accesses are recorded, at length (%s)",
  (hardfork) => recordsAlikeOnAnyWay(hardfork, RANDOM_RUNS.any, 500),
);

it.each(OPCODE_HARDFORKS)("a call that runs no code does what EthereumJS' own does, at length (%s)", (hardfork) =>
  transfersAsEthereumJsDoes(hardfork, 1000),
);

it.each(OPCODE_HARDFORKS)(
  "creations do what EthereumJS' own do, and are recorded alike, at length (%s)",
  async (hardfork) => {
    await doesWhatEthereumJsDoes(hardfork, RANDOM_RUNS.creating, 1000);
    await recordsAlikeOnAnyWay(hardfork, RANDOM_RUNS.creating, 200);
  },
);

it.each(["prague", "osaka"] as const)("delegated accounts are called alike, at length (%s)", async (hardfork) => {
  await doesWhatEthereumJsDoes(hardfork, RANDOM_RUNS.delegated, 2000);
  await recordsAlikeOnAnyWay(hardfork, RANDOM_RUNS.delegated, 500);
});

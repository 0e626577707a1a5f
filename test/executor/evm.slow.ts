import { it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import { doesWhatEthereumJsDoes } from "./evm-properties.ts";

it.each(OPCODE_HARDFORKS)("does what EthereumJS' own loop does on thousands of programs (%s)", (hardfork) =>
  doesWhatEthereumJsDoes(hardfork, 2000),
);

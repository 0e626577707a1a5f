import { it } from "vitest";
import { OPCODE_HARDFORKS } from "../support/evm.ts";
import { checkRandomChain } from "./random-chain.ts";

const CHAINS = 60;

it.each(OPCODE_HARDFORKS)(
  "the traces of many chains agree with each other, receipts and states (%s)",
  async (hardfork) => {
    for (let seed = 1; seed <= CHAINS; seed++) await checkRandomChain(hardfork, seed * 1_000);
  },
);

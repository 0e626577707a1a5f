import { it } from "vitest";
import { HARDFORKS_OF_ONE_GAS } from "../support/evm.ts";
import { checkRandomChain } from "./random-chain.ts";

const CHAINS = 60;

it.each(HARDFORKS_OF_ONE_GAS)(
  "the traces of many chains agree with each other, receipts and states (%s)",
  async (hardfork) => {
    for (let seed = 1; seed <= CHAINS; seed++) await checkRandomChain(hardfork, seed * 1_000);
  },
);

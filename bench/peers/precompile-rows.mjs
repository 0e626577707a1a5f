// Rows of precompiled contracts: a loop calls one as often as fits into a call, with the inputs of ../precompiles.bench.mjs.
import { CALLS, gasOf } from "../precompiles.bench.mjs";
import { equal, hex } from "./checks.mjs";
import { EDR, IN_PROCESS } from "./in-process.mjs";

const HARDFORK = "osaka";
const CALLER = `0x${"ca11".repeat(10)}`;
/** A transaction may have no more since Osaka (EIP-7825), and EDR holds calls to it, too. */
const GAS = 16_000_000n;
/** Of the loop, for a call with its input. */
const LOOP_GAS = 1_000;
/** So many times the calls that the bench in process measures together. */
const MORE = 5;
const ROW_MS = 1_000;
const word = (value) => value.toString(16).padStart(64, "0");

/**
 * Copies the third word of its call data, and what follows, to memory; calls the address in the second word with it as
 * often as the first word says; returns 1, or reverts if a call fails.
 */
const LOOP = [
  "600035", // count
  "60403603806040600037", // size of the input, which is copied
  "5b", // 0x0d
  "6040818060006020355afa", // STATICCALL; its output comes after the input
  "15603157", // to the end if it failed
  "906001900390", // count - 1
  "81600d57",
  "600160005260206000f3",
  "5b600080fd", // 0x31
].join("");

export const precompileRows = Object.entries(CALLS).map(([label, [home, input, together]]) => {
  const most = Number(GAS - 1_000_000n) / (gasOf(home, input) + LOOP_GAS + input.length);
  const count = Math.max(1, Math.min(together * MORE, Math.floor(most)));
  const data = `0x${word(count)}${word(home)}${input}`;
  return {
    label: `precompile, ${count} calls: ${label}`,
    hardfork: HARDFORK,
    runs: 3,
    rowMs: ROW_MS,
    slowMs: ROW_MS,
    nodes: [IN_PROCESS, EDR, "hindcast", "anvil"],
    isCall: true,
    prepare: (node) => node.ask("hardhat_setCode", CALLER, `0x${LOOP}`),
    request: () => ["eth_call", { to: CALLER, data, gas: hex(GAS) }, "latest"],
    check: (answer) => equal(answer, `0x${word(1)}`, label),
  };
});

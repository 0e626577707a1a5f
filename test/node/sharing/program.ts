/** Random programs of the methods that change a chain. */
import fc from "fast-check";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, BOB, quantity, wordText } from "../../support/a-node.ts";
import { COUNTER, EMITTER, logCall } from "../../support/contracts.ts";
import { CONTRACT } from "./questions.ts";
import { outcome } from "./shared-nodes.ts";

/** What a program remembers from step to step. */
export class Memory {
  snapshots: unknown[] = [];
  dump: unknown;
  foreignDump: unknown;
}

/** A step: requests, made of what is remembered, and a small number. */
type Step = readonly [name: string, (memory: Memory, n: number) => readonly (readonly [string, ...unknown[]])[]];

const transfer = (n: number): object => ({ from: ALICE, to: BOB, value: quantity(n + 1), gas: quantity(50_000) });

const STEPS: readonly Step[] = [
  ["transfer", (_, n) => [["eth_sendTransaction", transfer(n)]]],
  [
    "log",
    (_, n) => [
      ["anvil_setCode", CONTRACT, encodeData(EMITTER)],
      ["eth_sendTransaction", { from: ALICE, to: CONTRACT, data: logCall([n, n % 3], "0x1234"), gas: "0x186a0" }],
    ],
  ],
  [
    "count",
    () => [
      ["anvil_setCode", CONTRACT, encodeData(COUNTER)],
      ["eth_sendTransaction", { from: ALICE, to: CONTRACT, gas: "0x186a0" }],
    ],
  ],
  ["create", () => [["eth_sendTransaction", { from: BOB, data: "0x600160015560006000f3", gas: "0x186a0" }]]],
  [
    "wait in the pool",
    (_, n) => [
      ["evm_setAutomine", false],
      ["eth_sendTransaction", transfer(n)],
      ["eth_sendTransaction", { ...transfer(n), from: BOB }],
    ],
  ],
  ["mine the pool", () => [["evm_mine"], ["evm_setAutomine", true]]],
  ["empty the pool", () => [["anvil_dropAllTransactions"], ["evm_setAutomine", true]]],
  ["mine", (_, n) => [["anvil_mine", quantity(1 + (n % 5)), quantity(1 + n)]]],
  ["mine many", (_, n) => [["anvil_mine", quantity(40 + n)]]],
  ["mine with a time", (_, n) => [["hindcast_mine", { blocks: 1 + (n % 3), interval: 1 + n }]]],
  ["balance", (_, n) => [["anvil_setBalance", BOB, quantity(10n ** 18n + BigInt(n))]]],
  ["nonce", (_, n) => [["anvil_setNonce", addressText(0x60 + n), quantity(n)]]],
  ["storage", (_, n) => [["anvil_setStorageAt", CONTRACT, "0x0", wordText(n)]]],
  ["chain id", (_, n) => [["anvil_setChainId", 31_338 + (n % 3)]]],
  ["coinbase", (_, n) => [["anvil_setCoinbase", addressText(0x40 + n)]]],
  ["gas limit", (_, n) => [["evm_setBlockGasLimit", quantity(20_000_000 + n)]]],
  ["base fee", (_, n) => [["anvil_setNextBlockBaseFeePerGas", quantity(1_000_000_000 + n)]]],
  ["time", (_, n) => [["evm_increaseTime", 10 * n], ["evm_mine"]]],
  [
    "impersonate",
    (_, n) => [
      ["anvil_impersonateAccount", CONTRACT],
      ["anvil_setBalance", CONTRACT, quantity(10n ** 18n)],
      ["eth_sendTransaction", { from: CONTRACT, to: BOB, value: quantity(n), gas: "0x186a0" }],
    ],
  ],
  ["snapshot", () => [["evm_snapshot"]]],
  ["revert", (memory, n) => [["evm_revert", memory.snapshots[n % Math.max(1, memory.snapshots.length)] ?? "0x1"]]],
  ["reorg", (_, n) => [["anvil_reorg", 1 + (n % 4), [[transfer(n), 0]]]]],
  ["empty reorg", (_, n) => [["anvil_reorg", 1 + (n % 4), []]]],
  ["rollback", (_, n) => [["anvil_rollback", 1 + (n % 3)]]],
  ["set the head", (_, n) => [["debug_setHead", quantity(n % 3)]]],
  ["reset", () => [["anvil_reset"]]],
  ["dump", () => [["anvil_dumpState"]]],
  ["load", (memory) => [["anvil_loadState", memory.dump ?? "0x"]]],
  ["load another chain", (memory) => [["anvil_loadState", memory.foreignDump ?? "0x"]]],
];

/** A step by its name, its number, and whether the reader is asked for it. */
export interface PlannedStep {
  readonly name: string;
  readonly n: number;
  readonly atReader: boolean;
}

/** Any step. */
export const aPlannedStep: fc.Arbitrary<PlannedStep> = fc.record({
  name: fc.constantFrom(...STEPS.map(([name]) => name)),
  n: fc.nat({ max: 9 }),
  atReader: fc.boolean(),
});

/** All steps once, in the order of the table: for a program that has each. */
export const EACH_STEP: readonly PlannedStep[] = STEPS.map(([name], index) => ({
  name,
  n: index % 7,
  atReader: index % 2 === 0,
}));

/** Takes a step. Failures are answers, too. */
export async function take({ name, n }: PlannedStep, node: HindcastNode, memory: Memory): Promise<void> {
  const requests = STEPS.find(([known]) => known === name)?.[1](memory, n) ?? [];
  for (const [method, ...params] of requests) {
    const { result } = (await outcome(node, method, params)) as { result?: unknown };
    if (method === "evm_snapshot") memory.snapshots.push(result);
    if (method === "anvil_dumpState") memory.dump = result;
  }
}

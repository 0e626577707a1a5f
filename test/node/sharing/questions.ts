/** Requests that a reader has to answer as its writer does. */
import { expect } from "vitest";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import { ALICE, BOB, wordText } from "../../support/a-node.ts";
import { isSlow } from "../../support/seed.ts";
import { ask, outcome } from "./shared-nodes.ts";

/** The contract of the programs. */
export const CONTRACT = "0x00000000000000000000000000000000000c0de0";

type Question = readonly [method: string, ...params: unknown[]];

const CALL = { from: ALICE, to: CONTRACT, data: wordText(0) };

/** Of the chain as a whole. */
const GENERAL: readonly Question[] = [
  ["eth_chainId"],
  ["net_version"],
  ["eth_blockNumber"],
  ["eth_accounts"],
  ["eth_gasPrice"],
  ["eth_feeHistory", "0x4", "latest", [10, 90]],
  ["eth_getBlockByNumber", "pending", true],
  ["eth_getBlockByNumber", "safe", false],
  ["eth_getBlockByNumber", "finalized", false],
  ["eth_getBlockByNumber", "earliest", true],
  ["eth_getBalance", ALICE, "latest"],
  ["eth_getBalance", BOB, "pending"],
  ["eth_getTransactionCount", ALICE, "latest"],
  ["eth_getTransactionCount", ALICE, "pending"],
  ["eth_getCode", CONTRACT, "latest"],
  ["eth_getStorageAt", CONTRACT, "0x0", "latest"],
  ["eth_getProof", BOB, ["0x0"], "latest"],
  ["eth_call", CALL, "latest"],
  ["eth_estimateGas", { from: ALICE, to: BOB, value: "0x1" }],
  ["eth_simulateV1", { blockStateCalls: [{ calls: [CALL] }] }, "latest"],
  ["eth_getLogs", { fromBlock: "earliest", toBlock: "latest" }],
  ["trace_call", CALL, ["trace", "vmTrace", "stateDiff"], "latest"],
  ["trace_callMany", [[CALL, ["trace"]]], "latest"],
  ["trace_filter", { fromBlock: "0x0", toBlock: "latest", toAddress: [CONTRACT, BOB] }],
  ["debug_traceCall", CALL, "latest", { tracer: "prestateTracer" }],
  ["debug_accountRange", "latest", "0x", 20, false, false, false],
  ["txpool_content"],
  ["anvil_getAutomine"],
];

const ofBlock = (number: string, hash: string): readonly Question[] => [
  ["eth_getBlockByNumber", number, true],
  ["eth_getBlockByHash", hash, true],
  ["eth_getBlockReceipts", number],
  ["eth_getBalance", ALICE, number],
  ["eth_getStorageAt", CONTRACT, "0x0", hash],
  ["trace_block", number],
  ["trace_replayBlockTransactions", number, ["trace", "stateDiff"]],
  ["debug_traceBlockByHash", hash, { tracer: "callTracer" }],
];

const ofTransaction = (hash: string): readonly Question[] => [
  ["eth_getTransactionByHash", hash],
  ["eth_getTransactionReceipt", hash],
  ["trace_transaction", hash],
  ["debug_traceTransaction", hash],
];

/** Blocks and transactions that were seen in the course of a program; they may have left the chain. */
export class Seen {
  readonly #blocks = new Map<string, string>();
  readonly #transactions = new Set<string>();

  /** The head of a node, and one of its earlier blocks. */
  async look(node: HindcastNode): Promise<void> {
    const block = (await ask(node, "eth_getBlockByNumber", "latest", false)) as {
      readonly number: string;
      readonly hash: string;
      readonly transactions: readonly string[];
    };
    this.#blocks.set(block.hash, block.number);
    for (const hash of block.transactions) this.#transactions.add(hash);
  }

  /** All questions, about the last few of both. */
  questions(): readonly Question[] {
    const count = isSlow ? 4 : 2;
    const blocks = [...this.#blocks].slice(-count);
    return [
      ...GENERAL,
      ...blocks.flatMap(([hash, number]) => ofBlock(number, hash)),
      ...[...this.#transactions].slice(-count).flatMap(ofTransaction),
    ];
  }
}

/** Both nodes answer each question in the same way. */
export async function compareAnswers(
  reader: HindcastNode,
  writer: HindcastNode,
  questions: readonly Question[],
): Promise<void> {
  const answersOf = (node: HindcastNode): Promise<unknown[]> =>
    Promise.all(questions.map(async ([method, ...params]) => [method, params, await outcome(node, method, params)]));
  const [read, written] = await Promise.all([answersOf(reader), answersOf(writer)]);
  expect(read).toEqual(written);
}

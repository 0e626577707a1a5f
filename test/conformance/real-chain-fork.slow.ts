/**
 * Forks of the recorded chain at several blocks, from one with an uncle below it to the newest. Together they compare each of
 * its 54 blocks: blocks, uncles, transactions, receipts, logs and traces are those that the chain's own node gives.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { openNode, quantity } from "../support/a-node.ts";
import { hasRealChain, realChain, realGenesis, whereItIs } from "./real-chain.ts";

const DIFFS = ["trace", "stateDiff"];
/** Those of blocks with more gas are left out: some transactions spend it all in a loop, and have steps in the millions. */
const MOST_GAS_OF_STEPS = 5_000_000;
type Block = { readonly hash: string; readonly gasUsed: string; readonly transactions: readonly string[] };

const askOf =
  (node: HindcastNode) =>
  <T>(method: string, ...params: unknown[]): Promise<T> =>
    node.provider.send(method, params) as Promise<T>;

/** The error's text, where the answer is one. */
const orError = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => ({ error: (error as Error).message }));

describe.skipIf(!hasRealChain)(`forks of the real chain ${whereItIs}`, () => {
  let upstream: HindcastNode;

  beforeAll(async () => {
    upstream = await openNode({ genesis: realGenesis() as never });
    await upstream.importChain(realChain());
  });
  afterAll(() => upstream.close());

  it.each([
    [4, 0],
    [14, 5],
    [27, 15],
    [40, 28],
    [54, 41],
  ])("at block %i, from block %i on", async (pin, first) => {
    const fork = await openNode({ accounts: 0, fork: { provider: upstream.provider, blockNumber: pin, cache: false } });
    const [us, them] = [askOf(fork), askOf(upstream)];
    const same = async (method: string, ...params: unknown[]): Promise<void> => {
      const about = `${method} ${JSON.stringify(params)}`;
      expect(JSON.stringify({ about, answer: await orError(us(method, ...params)) })).toBe(
        JSON.stringify({ about, answer: await orError(them(method, ...params)) }),
      );
    };
    await same("eth_getLogs", { fromBlock: "0x0", toBlock: quantity(pin) });
    await same("trace_filter", { fromBlock: quantity(first), toBlock: quantity(pin) });
    for (let number = first; number <= pin; number++) {
      const tag = quantity(number);
      const { hash, gasUsed, transactions } = await them<Block>("eth_getBlockByNumber", tag, false);
      await same("eth_getBlockByNumber", tag, true);
      await same("eth_getUncleByBlockNumberAndIndex", tag, "0x0");
      await same("eth_getUncleByBlockHashAndIndex", hash, "0x0");
      await same("eth_getBlockReceipts", tag);
      await same("trace_block", tag);
      const kinds = Number(gasUsed) > MOST_GAS_OF_STEPS ? DIFFS : [...DIFFS, "vmTrace"];
      await same("trace_replayBlockTransactions", tag, kinds);
      await same("debug_traceBlockByNumber", tag, { tracer: "callTracer", tracerConfig: { withLog: true } });
      for (const [index, txHash] of transactions.slice(0, 2).entries()) {
        await same("eth_getTransactionByHash", txHash);
        await same("eth_getTransactionByBlockHashAndIndex", hash, quantity(index));
        await same("eth_getTransactionByBlockNumberAndIndex", tag, quantity(index));
        await same("eth_getTransactionReceipt", txHash);
        await same("trace_transaction", txHash);
        await same("trace_get", txHash, ["0x0"]);
        const { from, to, input } = await them<Record<string, string>>("eth_getTransactionByHash", txHash);
        const call = { from, ...(to === null ? {} : { to }), data: input };
        await same(
          "trace_callMany",
          [
            [call, DIFFS],
            [call, ["trace"]],
          ],
          quantity(pin),
        );
      }
    }
    await fork.close();
  });
});

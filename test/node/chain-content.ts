/** What users may read of a chain, as one text. For tests and their processes. */

import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";

/** Every block with its receipts and traces, each transaction's receipt by its hash, the logs, and some balances. */
export async function contentOf(node: HindcastNode): Promise<string> {
  const { provider } = node;
  const ask = (method: string, ...params: unknown[]): Promise<unknown> => provider.send(method, params);
  const content: unknown[] = [encodeData(node.head.hash)];
  for (let number = 0n; number <= node.head.header.number; number++) {
    const block = `0x${number.toString(16)}`;
    content.push(await ask("eth_getBlockByNumber", block, true), await ask("eth_getBlockReceipts", block));
    for (const { address } of node.accounts.slice(0, 2))
      content.push(await ask("eth_getBalance", encodeData(address), block));
    for (const { hash } of node.getBlock(number)?.transactions ?? [])
      content.push(await ask("eth_getTransactionReceipt", encodeData(hash)));
  }
  content.push(await ask("eth_getLogs", { fromBlock: "0x0" }), await ask("trace_filter", { fromBlock: "0x0" }));
  return JSON.stringify(content);
}

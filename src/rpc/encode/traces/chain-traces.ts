/** Notifications of debug_traceChain: the traces of one block each, in geth's shape. */
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { TracedChainBlock } from "../../../services/simulate/debug/chain-traces.ts";
import type { TransactionTrace } from "../../wire-types.generated.ts";
import { encodeTransactionTrace } from "./geth-trace.ts";

/** The result of one notification. */
export interface ChainTraceJson {
  block: Hex;
  hash: Hex;
  traces: (TransactionTrace | { error: string })[];
}

/** A block that cannot be traced has its error in place of its traces. */
export function encodeChainTrace({ block, traces, failure }: TracedChainBlock): ChainTraceJson {
  return {
    block: encodeQuantity(block.header.number),
    hash: encodeData(block.hash),
    traces: failure === undefined ? traces.map(encodeTransactionTrace) : [{ error: failure }],
  };
}

/** Each block's traces as JSON text. */
export async function* chainTraceTexts(blocks: AsyncIterable<TracedChainBlock>): AsyncGenerator<string> {
  for await (const block of blocks) yield JSON.stringify(encodeChainTrace(block));
}

/** Traces of blocks below a fork from the upstream node, instead of running them again (`fork.traceUpstream`). */
import type { BlockId } from "../../chain/blocks/block-id.ts";
import type { RemoteHistory } from "../../chain/read/remote-history.ts";
import { foreignHistory } from "../../chainspec/genesis/foreign-history.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** Methods by what their first parameter names. */
const OF_TRANSACTIONS: ReadonlySet<string> = new Set([
  "trace_transaction",
  "trace_get",
  "trace_replayTransaction",
  "debug_traceTransaction",
]);
const OF_BLOCKS: ReadonlySet<string> = new Set([
  "trace_block",
  "trace_replayBlockTransactions",
  "debug_traceBlockByNumber",
  "debug_traceBlockByHash",
]);

/** A request, with its parameters as the method takes them and as JSON. */
export interface TraceRequest {
  readonly method: string;
  readonly values: readonly unknown[];
  readonly params: readonly unknown[];
}

/** The history of a forked chain whose blocks cannot be run here; undefined for others. */
export function foreign(history: RemoteHistory | undefined): RemoteHistory | undefined {
  return history !== undefined && foreignHistory(history.remote.chainId) !== undefined ? history : undefined;
}

/**
 * The upstream node's answer to a request for traces; undefined if the request is for others, or is to be answered here.
 *
 * @param isWanted - false if an upstream node that does not trace is no error
 * @throws {RemoteError} if the upstream node does not trace
 */
export async function upstreamTrace(
  history: RemoteHistory,
  { method, values, params }: TraceRequest,
  isWanted: boolean,
): Promise<unknown> {
  const isBelow = OF_TRANSACTIONS.has(method)
    ? (await history.findTransaction(values[0] as Bytes)) !== undefined
    : OF_BLOCKS.has(method) && (await isBlockBelow(history, values[0] as BlockId | Bytes));
  if (!isBelow) return undefined;
  return isWanted
    ? history.remote.history(method, params)
    : ((await history.remote.history(method, params, { mayBeMissing: true })) ?? undefined);
}

/** Tags are not passed on, because on the forked chain they name other blocks. */
async function isBlockBelow(history: RemoteHistory, id: BlockId | Bytes): Promise<boolean> {
  if (id instanceof Uint8Array) return (await history.getBlockByHash(id)) !== undefined;
  if ("number" in id) return id.number <= history.pin.header.number;
  return "hash" in id && (await history.getBlockByHash(id.hash)) !== undefined;
}

/** Which flat traces a trace_filter request means (trace_filter of OpenEthereum, with reth's modes). */
import { type BlockId, LATEST } from "../../../chain/archive/block-id.ts";
import type { Chain } from "../../../chain/chain.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import type { FlatTrace } from "../../../tracer/formats/flat.ts";
import { behaviourOf, type TraceClient } from "./client.ts";

export interface TraceFilter {
  /** Default: the first block, for OpenEthereum the latest. */
  readonly fromBlock: BlockId;
  readonly toBlock: BlockId;
  /** Empty: any. */
  readonly fromAddress: readonly Bytes[];
  readonly toAddress: readonly Bytes[];
  /** Both address lists given: either side matches, or both must. */
  readonly mode: "union" | "intersection";
  /** Matching traces to skip. */
  readonly after: number;
  /** Matching traces to return; undefined: all. */
  readonly count: number | undefined;
}

/**
 * A request with what its client takes for granted.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` for a mode where the client has none
 */
export function settleFilter(request: Partial<TraceFilter>, client: TraceClient): TraceFilter {
  const { filterFromBlock, filterIsIntersection } = behaviourOf(client);
  if (filterIsIntersection && request.mode !== undefined) {
    throw new InvalidParamsError({ code: "INVALID_PARAMS", what: 'params[0]: unknown member "mode".' });
  }
  return {
    fromBlock: request.fromBlock ?? filterFromBlock,
    toBlock: request.toBlock ?? LATEST,
    fromAddress: request.fromAddress ?? [],
    toAddress: request.toAddress ?? [],
    mode: request.mode ?? (filterIsIntersection ? "intersection" : "union"),
    after: request.after ?? 0,
    count: request.count,
  };
}

/**
 * The blocks of a range, ascending, that can hold a match: all, or those that the index names for the addresses. What is
 * found in them is matched anew, since the index does not tell senders from receivers.
 */
export async function* candidateBlocks(
  chain: Chain,
  filter: TraceFilter,
  from: bigint,
  to: bigint,
): AsyncGenerator<bigint> {
  const { pinnedNumber = -1n } = chain;
  // Blocks of another chain are in no index of ours.
  for (let number = from; number <= to && number <= pinnedNumber; number++) yield number;
  yield* indexedBlocks(chain, filter, from > pinnedNumber ? from : pinnedNumber + 1n, to);
}

async function* indexedBlocks(
  chain: Chain,
  { fromAddress, toAddress, mode }: TraceFilter,
  from: bigint,
  to: bigint,
): AsyncGenerator<bigint> {
  if (from > to) return;
  if (fromAddress.length === 0 && toAddress.length === 0) {
    for (let number = from; number <= to; number++) yield number;
    return;
  }
  const isBoth = mode === "intersection" && fromAddress.length > 0 && toAddress.length > 0;
  if (!isBoth) {
    yield* await chain.archive.blocksTracing([...fromAddress, ...toAddress], from, to);
    return;
  }
  const senders = new Set(await chain.archive.blocksTracing(fromAddress, from, to));
  for (const number of await chain.archive.blocksTracing(toAddress, from, to)) if (senders.has(number)) yield number;
}

/** A predicate over single traces; relatives of a match are not added. */
export function traceMatcher(filter: TraceFilter): (trace: FlatTrace) => boolean {
  const from = new Set(filter.fromAddress.map(bytesKey));
  const to = new Set(filter.toAddress.map(bytesKey));
  return (trace) => {
    const fromHit = hits(from, fromKey(trace));
    const toHit = hits(to, toKey(trace));
    if (from.size === 0) return to.size === 0 || toHit;
    if (to.size === 0) return fromHit;
    return filter.mode === "union" ? fromHit || toHit : fromHit && toHit;
  };
}

function hits(addresses: ReadonlySet<string>, key: Bytes | undefined): boolean {
  return key !== undefined && addresses.has(bytesKey(key));
}

/** A reward has no sender. */
function fromKey(trace: FlatTrace): Bytes | undefined {
  if (trace.type === "reward") return undefined;
  return trace.type === "suicide" ? trace.action.address : trace.action.from;
}

/** A creation without a result went nowhere. */
function toKey(trace: FlatTrace): Bytes | undefined {
  switch (trace.type) {
    case "call":
      return trace.action.to;
    case "create":
      return trace.result?.address;
    case "suicide":
      return trace.action.refundAddress;
    default:
      return trace.action.author;
  }
}

/** The criteria of a trace_filter request (OpenEthereum's, with reth's modes). */
import { type BlockId, LATEST } from "../../../chain/blocks/block-id.ts";
import type { ChainBlocks } from "../../../chain/readable-chain.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import type { FlatTrace } from "../../../tracer/formats/flat.ts";
import { behaviourOf, type TraceClient } from "./client.ts";

/** The parameter of `trace_filter`. Blocks are included at both ends. */
export interface TraceFilter {
  /** Default: the first block; for OpenEthereum the latest. */
  readonly fromBlock: BlockId;
  readonly toBlock: BlockId;
  /** Empty: any address. */
  readonly fromAddress: readonly Bytes[];
  readonly toAddress: readonly Bytes[];
  /** With both address lists: one of them must match, or both. */
  readonly mode: "union" | "intersection";
  /** Number of matching traces to skip. */
  readonly after: number;
  /** Most matching traces to return; undefined: all. */
  readonly count: number | undefined;
}

/**
 * A request with its client's defaults filled in.
 *
 * @throws {InvalidParamsError} `INVALID_PARAMS` for a mode if the client has no modes
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
 * Blocks of a range in ascending order that may have a match: all, or those that the index lists for the addresses.
 * Their traces are matched again, because the index does not distinguish senders from recipients.
 */
export async function* candidateBlocks(
  chain: ChainBlocks,
  filter: TraceFilter,
  from: bigint,
  to: bigint,
): AsyncGenerator<bigint> {
  const { pinnedNumber = -1n } = chain;
  // The index does not cover blocks of the forked chain.
  for (let number = from; number <= to && number <= pinnedNumber; number++) yield number;
  yield* indexedBlocks(chain, filter, from > pinnedNumber ? from : pinnedNumber + 1n, to);
}

async function* indexedBlocks(
  chain: ChainBlocks,
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

/** A predicate for single traces. Parents and children of a match do not match by themselves. */
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

/** A creation without a result has no address. */
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

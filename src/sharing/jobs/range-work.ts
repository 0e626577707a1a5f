/** The work of a node on one range: says what a run's blocks are, or makes the results of some of them. */
import { RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { pause } from "../../primitives/platform/turns.ts";
import type { Attempt } from "./attempts.ts";
import type { JobBlock } from "./job-kind.ts";
import { kindNamed } from "./job-kinds.ts";
import type { PieceWriter } from "./piece-writer.ts";
import { type RunBlocks, type RunRow, rangesOf } from "./run-row.ts";

/** Milliseconds in which a node has to get blocks that another one has. */
const LAG_MS = 2_000;
const LOOK_MS = 20;

/** The node of a worker. */
export interface WorkingNode {
  readonly headNumber: bigint;
  /** False while it lacks changes of its writer that it knows of. */
  readonly isUpToDate: boolean;
  /** The hash of a block of its canonical chain. */
  hashAt(number: bigint): Bytes | undefined;
  /** The result of a request as JSON text. @throws {HindcastError} as the method does */
  answer(method: string, params: readonly unknown[], signal: AbortSignal): AsyncIterable<string | Bytes>;
}

/** The chain is no longer the one that a run is about, or never was: the run cannot go on. */
export class RunEnded extends Error {}

/** The blocks that a run is about, with the hash of the last one, which determines all of them. */
export async function planRun(node: WorkingNode, { wish }: RunRow, signal: AbortSignal): Promise<RunBlocks> {
  const first = BigInt(wish.from);
  const wanted = wish.to === "latest" ? undefined : BigInt(wish.to);
  const last = (): bigint => wanted ?? node.headNumber;
  await withinLag(node, () => last() <= node.headNumber && first <= last(), signal);
  const lastHash = node.hashAt(last());
  if (first > last() || lastHash === undefined) {
    throw new RunEnded(`There is no block ${first > last() ? first : last()}: the head is ${node.headNumber}.`);
  }
  return { first, last: last(), lastHash };
}

/**
 * Writes the results of a range.
 *
 * @throws {RunEnded} if the chain has changed
 * @throws {UnsupportedError} `JOBS_FAILED`, with the block that failed and why
 */
export async function workOnRange(
  node: WorkingNode,
  { run, number }: Attempt,
  { writer, signal }: { readonly writer: PieceWriter; readonly signal: AbortSignal },
): Promise<void> {
  const kind = kindNamed(run.wish.kind);
  const { first, last } = rangesOf(run).at(number);
  await requireSameChain(node, run, signal);
  // In one turn after that check: all of them are of that chain.
  const blocks: JobBlock[] = [];
  for (let block = first; block <= last; block++) blocks.push({ number: block, hash: hashOf(node, block) });
  for (const block of blocks) {
    const { method, params } = kind.request(run.wish.parameters, block);
    try {
      await writer.add(block, node.answer(method, params, signal), kind.leavesOutEmpty);
    } catch (error) {
      if (signal.aborted || (error instanceof RemoteError && error.code === "SHARED_LOG_UNREACHABLE")) throw error;
      await requireSameChain(node, run, signal);
      throw blockFailed(block, error);
    }
  }
  await requireSameChain(node, run, signal);
  await writer.flush();
}

function hashOf(node: WorkingNode, number: bigint): Bytes {
  const hash = node.hashAt(number);
  if (hash === undefined) throw new TypeError(`workOnRange: no block ${number} below one that is there`);
  return hash;
}

/** The block of a number may come late, or be about to be replaced by the one that another node has seen already. */
async function requireSameChain(node: WorkingNode, { blocks }: RunRow, signal: AbortSignal): Promise<void> {
  if (blocks === undefined) throw new TypeError("requireSameChain: the run is being planned");
  const { last, lastHash } = blocks;
  const isSame = (): boolean => equalBytes(node.hashAt(last) ?? new Uint8Array(), lastHash);
  if (await withinLag(node, isSame, signal)) return;
  const now = node.hashAt(last);
  throw new RunEnded(
    `The chain has changed: block ${last} was ${encodeData(lastHash)} when the run began and ` +
      `${now === undefined ? "is gone" : `is ${encodeData(now)} now`}. Begin another run.`,
  );
}

/** Waits for something that a node that follows may see later than others. Returns false if it did not come. */
async function withinLag(node: WorkingNode, isThere: () => boolean, signal: AbortSignal): Promise<boolean> {
  let end = performance.now() + LAG_MS;
  while (!isThere()) {
    signal.throwIfAborted();
    if (!node.isUpToDate) end = performance.now() + LAG_MS;
    if (performance.now() > end) return false;
    await pause(LOOK_MS);
  }
  return true;
}

function blockFailed({ number, hash }: JobBlock, error: unknown): UnsupportedError {
  return new UnsupportedError({
    code: "JOBS_FAILED",
    what: `Block ${number} failed: ${error instanceof Error ? error.message : String(error)}`,
    where: `Its hash: ${encodeData(hash)}.`,
    cause: error,
  });
}

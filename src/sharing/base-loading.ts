/** Brings a database to the end of a chain: from its position on, or from a base. */
import { bytesKey } from "../primitives/bytes/bytes.ts";
import type { Backend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { metaKey } from "../store/codecs/keys.ts";
import { scanTable } from "../store/scan-table.ts";
import { type Table, type TableName, tables } from "../store/schema.ts";
import { positionEntry, storedPosition } from "./chain-stream.ts";
import type { BaseChunks, ChangeSource, StreamPart } from "./change-log.ts";
import { decodeOperations, digestOf } from "./entry-codec.ts";
import { isSamePosition, positionAfter, type StreamPosition } from "./stream-position.ts";
import { untilReached } from "./until-reached.ts";

/** Operations of one batch that deletes. */
const DELETED_AT_ONCE = 10_000;

/** Tables that do not only hold values under their hashes, beginning with those that make a chain of the others. */
const ORDERED: readonly TableName[] = (Object.entries(tables) as [TableName, Table][])
  .filter(([, { ordered }]) => ordered === true)
  .map(([name]) => name);

/**
 * Fills a database that nobody reads yet. What was there is deleted, except values under their hashes, which are the same
 * everywhere. If it is interrupted, the database has no position, so that the next start begins again.
 *
 * @returns undefined if there is a later base by now
 */
async function fillFromBase(database: Backend, chunks: BaseChunks): Promise<StreamPosition | undefined> {
  for (const name of ORDERED) await deleteAll(database, name);
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return next.value;
    await database.write(next.value);
  }
}

async function deleteAll(database: Backend, name: TableName): Promise<void> {
  let operations: BatchOperation[] = [];
  for await (const { key } of scanTable(database, name)) {
    operations.push({ type: "del", key });
    if (operations.length < DELETED_AT_ONCE) continue;
    await database.write(operations);
    operations = [];
  }
  if (operations.length > 0) await database.write(operations);
}

/** A base for a database that is being read: values under hashes are written already, the rest has to be in one batch. */
export interface CollectedBase {
  readonly position: StreamPosition;
  /** Puts, and deletions of what the base does not have. */
  readonly operations: BatchOperation[];
}

/**
 * Collects a base. Nothing that is read changes before {@link CollectedBase.operations} are written.
 *
 * @returns undefined if there is a later base by now
 */
export async function collectBase(database: Backend, chunks: BaseChunks): Promise<CollectedBase | undefined> {
  const puts: BatchOperation[] = [];
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) {
      const position = next.value;
      return position && { position, operations: [...(await absentIn(database, puts)), ...puts] };
    }
    const hashed = next.value.filter(({ table }) => table !== undefined);
    for (const operation of next.value) if (operation.table === undefined) puts.push(operation);
    if (hashed.length > 0) await database.write(hashed);
  }
}

async function absentIn(database: Backend, puts: readonly BatchOperation[]): Promise<BatchOperation[]> {
  const known = new Set(puts.map(({ key }) => bytesKey(key)));
  const deletions: BatchOperation[] = [];
  for (const name of ORDERED) {
    for await (const { key } of scanTable(database, name)) {
      if (!known.has(bytesKey(key))) deletions.push({ type: "del", key });
    }
  }
  return deletions;
}

/** How a database is brought to the end of a chain. */
export interface BringingOptions {
  readonly signal: AbortSignal;
  /** Waits until the chain has a block. */
  readonly needsHead: boolean;
}

/** Milliseconds that a source waits for the first block. */
const FIRST_BLOCK_MS = 1_000;

/**
 * Brings a database, which nobody reads yet, to where the chain ends when this begins, or further. Waits ten seconds for a
 * source that cannot be reached any more.
 *
 * @returns where it is then, and whether what it had before was replaced by a base
 * @throws what the source throws
 */
export async function bringUpToDate(
  database: Backend,
  source: ChangeSource,
  { signal, needsHead }: BringingOptions,
): Promise<{ readonly position: StreamPosition; readonly isFromBase: boolean }> {
  const hasBlock = (): boolean => !needsHead || database.get("meta", metaKey("head")) !== undefined;
  let position = storedPosition(database);
  let isFromBase = false;
  let end: bigint | undefined;
  for (let waitMs = 0; ; ) {
    const from = position;
    const answer = from && (await untilReached(() => source.after(from, waitMs, signal), signal));
    const reached = position && answer?.part && (await apply(database, position, answer.part));
    if (answer === undefined || reached === undefined) {
      position = await fillFromBase(database, source.base(signal));
      isFromBase = true;
      if (position !== undefined) await database.write([positionEntry(position)]);
      // The chain may have gone back, so that it ends elsewhere.
      end = undefined;
      continue;
    }
    position = reached;
    end ??= answer.head.sequence;
    if (position.sequence < end) continue;
    if (hasBlock()) return { position, isFromBase };
    waitMs = FIRST_BLOCK_MS;
  }
}

/** Undefined if the entries do not follow the position. */
async function apply(
  database: Backend,
  from: StreamPosition,
  { position, payloads }: StreamPart,
): Promise<StreamPosition | undefined> {
  const positions: StreamPosition[] = [];
  for (const payload of payloads) positions.push(positionAfter(positions.at(-1) ?? from, await digestOf(payload)));
  if (!isSamePosition(positions.at(-1) ?? from, position)) return undefined;
  for (const [index, payload] of payloads.entries()) {
    await database.write([...decodeOperations(payload), positionEntry(positions[index] as StreamPosition)]);
  }
  return position;
}

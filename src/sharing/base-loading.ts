/** Fills a reader's database from a base of its writer. */
import { bytesKey } from "../primitives/bytes/bytes.ts";
import { fromHexDigits } from "../primitives/platform/encodings.ts";
import { pause } from "../primitives/platform/turns.ts";
import type { Backend } from "../store/backends/backend.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";
import { scanTable } from "../store/scan-table.ts";
import { type Table, type TableName, tables } from "../store/schema.ts";
import { decodeOperations } from "./entry-codec.ts";
import type { StreamPosition } from "./stream-position.ts";
import { type BaseJson, decodePositionJson } from "./wire.ts";
import { type WriterClient, WriterRefusal } from "./writer-client.ts";

/** Times that a chunk is asked for again over a connection that was cut. */
const ATTEMPTS = 5;
const PAUSE_MS = 200;
/** Operations of one batch that deletes. */
const DELETED_AT_ONCE = 10_000;

/** Tables that do not only hold values under their hashes, beginning with those that make a chain of the others. */
const ORDERED: readonly TableName[] = (Object.entries(tables) as [TableName, Table][])
  .filter(([, { ordered }]) => ordered === true)
  .map(([name]) => name);

/** Reads a base, chunk by chunk. Yields its operations. A chunk is asked for again if the connection was cut. */
async function* chunksOf(
  client: WriterClient,
  signal: AbortSignal,
): AsyncGenerator<BatchOperation[], StreamPosition, undefined> {
  let base: string | null = null;
  for (let chunk = 0; ; chunk++) {
    const answer: BaseJson = await asked(client, { base, chunk }, signal);
    base = answer.base;
    const operations = decodeOperations(fromHexDigits(answer.entries.slice(2)));
    if (operations.length === 0) return decodePositionJson(answer.position);
    yield operations;
  }
}

async function asked(client: WriterClient, params: Readonly<Record<string, unknown>>, signal: AbortSignal) {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await client.ask("stream", "hindcast_streamBase", params, signal)) as BaseJson;
    } catch (error) {
      if (error instanceof WriterRefusal || signal.aborted || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS * attempt);
    }
  }
}

/**
 * Fills a database that nobody reads yet. What was there is deleted, except values under their hashes, which are the same
 * everywhere. If it is interrupted, the database has no position, so that the next start begins again.
 */
export async function fillFromBase(
  database: Backend,
  client: WriterClient,
  signal: AbortSignal,
): Promise<StreamPosition> {
  for (const name of ORDERED) await deleteAll(database, name);
  const chunks = chunksOf(client, signal);
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

/** Collects a base. Nothing that is read changes before {@link CollectedBase.operations} are written. */
export async function collectBase(
  database: Backend,
  client: WriterClient,
  signal: AbortSignal,
): Promise<CollectedBase> {
  const puts: BatchOperation[] = [];
  const chunks = chunksOf(client, signal);
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return { position: next.value, operations: [...(await absentIn(database, puts)), ...puts] };
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

/** The backend of a reader: what is not from the writer's stream is not written. */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Backend, BackendSnapshot } from "../store/backends/backend.ts";
import type { OrderedTable, TableName } from "../store/schema.ts";

/** Reads a database, and refuses to write to it. */
export class FollowedBackend implements Backend {
  readonly #database: Backend;
  readonly #writer: string;

  /** @param writer - its address, without secrets */
  constructor(database: Backend, writer: string) {
    this.#database = database;
    this.#writer = writer;
  }

  get(table: TableName, key: Bytes): Bytes | undefined {
    return this.#database.get(table, key);
  }

  entries(table: OrderedTable, first: Bytes, last: Bytes): Promise<[Bytes, Bytes][]> {
    return this.#database.entries(table, first, last);
  }

  snapshot(): BackendSnapshot {
    return this.#database.snapshot();
  }

  async write(): Promise<void> {
    throw chainFollows(this.#writer);
  }
}

/** The error for whatever would change a chain that follows another one. */
export function chainFollows(writer: string): UnsupportedError {
  return new UnsupportedError({
    code: "CHAIN_FOLLOWS_ANOTHER",
    what: "This node follows another one, and does not change the chain.",
    where: `It follows ${writer}.`,
    fix: "Ask that node, or send a JSON-RPC request here: those that change the chain are forwarded.",
  });
}

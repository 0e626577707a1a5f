/**
 * The log of a chain in PostgreSQL, as its writer uses it.
 *
 * A writer has an epoch, a number that it gets when it takes the chain over. Each append compares it in the statement that
 * writes, under the lock of the chain's row: once another node has a later one, this one writes nothing more.
 */
import { RemoteError, type UnsupportedError } from "../../errors/hindcast-error.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { pause } from "../../primitives/platform/turns.ts";
import type { Change, ChangeLog } from "../change-log.ts";
import { bytesOf } from "./chain-row.ts";
import type { LogConnection } from "./connection.ts";
import { fenced } from "./fencing.ts";

/** Name of the announcements. */
export const CHANNEL = "hindcast";

/** Most bytes of an entry in one row: a slow connection has to send a part in the time of a statement. */
const PART_BYTES = 4 * 1024 * 1024;
/** Milliseconds to the next attempt: at first, and at most. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

const MOVE = `update hindcast.chains set sequence = $2, hash = $4
    where id = $1 and epoch = $5 and sequence = $2 - 1 and hash = $3 returning id`;
const APPEND = {
  name: "append",
  text: `with moved as (${MOVE})
    insert into hindcast.entries (chain, sequence, part, parts, epoch, hash, payload)
    select id, $2, 0, 1, $5, $4, $6 from moved`,
};
const INSERT_PART = {
  name: "append part",
  text: `insert into hindcast.entries (chain, sequence, part, parts, epoch, hash, payload)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};

/** A writer's hold on the chain that it took over. */
export interface WritingTerm {
  readonly id: string;
  readonly epoch: bigint;
  /** Tells it from a later term with the same epoch, which there is if the log was restored from a backup. */
  readonly token: string;
}

/** Options of a log. */
export interface PostgresLogOptions {
  readonly term: WritingTerm;
  /** The chain, for errors. */
  readonly label: string;
  /** For appends alone. */
  readonly connection: LogConnection;
  /** For announcements, which no append waits for. */
  readonly announcements: LogConnection;
  /** Called when another node has taken the chain over. */
  readonly onFenced: (error: UnsupportedError) => void;
  /** Called with the bytes of each entry that is in the log. */
  readonly onAppended: (bytes: number) => void;
}

/** One for each term of a writer. */
export class PostgresLog implements ChangeLog {
  readonly #options: PostgresLogOptions;
  #isClosed = false;
  /** The newest place that was announced, and the one that is being announced. */
  #announced = 0n;
  #announcing: Promise<void> | undefined;

  constructor(options: PostgresLogOptions) {
    this.#options = options;
  }

  async append(change: Change): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let isFirst = true; ; isFirst = false) {
      try {
        // An attempt that failed may have been committed, or may still be: the row's lock decides.
        const isWritten = (await this.#write(change)) || (await this.#isThere(change));
        if (isWritten) break;
      } catch (error) {
        if (!(error instanceof RemoteError) || this.#isClosed) throw error;
      }
      if (isFirst) continue;
      await pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    this.#options.onAppended(change.payload.length);
  }

  async #write({ before, position, payload }: Change): Promise<boolean> {
    const { connection, term } = this.#options;
    const moved = [term.id, position.sequence, before.hash, position.hash, term.epoch];
    if (payload.length <= PART_BYTES) return (await connection.run(APPEND, [...moved, payload])).rowCount === 1;
    return connection.transaction(async (run) => {
      if ((await run({ text: MOVE }, moved)).rowCount !== 1) return false;
      const parts = partsOf(payload);
      for (const [part, bytes] of parts.entries()) {
        const { id, epoch } = term;
        await run(INSERT_PART, [id, position.sequence, part, parts.length, epoch, position.hash, bytes]);
      }
      return true;
    });
  }

  /**
   * Whether the log has a change. Waits for whoever holds the row.
   *
   * @returns false if it can still be appended
   * @throws {UnsupportedError} `WRITER_FENCED` if it cannot
   */
  async #isThere({ before, position }: Change): Promise<boolean> {
    const { connection, term } = this.#options;
    const text = "select epoch, sequence, hash from hindcast.chains where id = $1 for update";
    const [row] = (await connection.run({ text }, [term.id])).rows;
    // Not in the same statement: it would not see what was committed while it waited.
    const entry = { text: "select epoch, hash from hindcast.entries where chain = $1 and sequence = $2 and part = 0" };
    const [found] = (await connection.run(entry, [term.id, position.sequence])).rows;
    const isOurs = found !== undefined && BigInt(String(found.epoch)) === term.epoch;
    if (isOurs && equalBytes(bytesOf(found.hash), position.hash)) return true;
    const isNext =
      row !== undefined &&
      BigInt(String(row.epoch)) === term.epoch &&
      BigInt(String(row.sequence)) === before.sequence &&
      equalBytes(bytesOf(row.hash), before.hash);
    if (isNext) return false;
    const error = fenced(this.#options.label, term.epoch, row && BigInt(String(row.epoch)));
    this.#options.onFenced(error);
    throw error;
  }

  announce({ position }: Change): void {
    this.#announced = position.sequence;
    this.#announcing ??= this.#announceAll().finally(() => {
      this.#announcing = undefined;
    });
  }

  /** Readers that it does not reach poll. */
  async #announceAll(): Promise<void> {
    for (let last = -1n; last !== this.#announced && !this.#isClosed; ) {
      last = this.#announced;
      const text = "select pg_notify($1, $2)";
      const values = [CHANNEL, `${this.#options.term.id}:${last}`];
      await this.#options.announcements.run({ name: "announce", text }, values).catch(() => undefined);
    }
  }

  /** Gives up the append that is being tried. */
  close(): void {
    this.#isClosed = true;
  }
}

function partsOf(payload: Bytes): Bytes[] {
  const parts: Bytes[] = [];
  for (let at = 0; at < payload.length; at += PART_BYTES) parts.push(payload.subarray(at, at + PART_BYTES));
  return parts;
}

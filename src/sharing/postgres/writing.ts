/** A node's part as a writer of a chain in PostgreSQL: takes it over, goes on from its end, and writes bases. */
import { RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { randomBytes } from "../../primitives/platform/crypto.ts";
import { pause } from "../../primitives/platform/turns.ts";
import type { Backend } from "../../store/backends/backend.ts";
import { metaKey } from "../../store/codecs/keys.ts";
import { bringUpToDate } from "../base-loading.ts";
import { ChainStream, positionEntry, storedPosition } from "../chain-stream.ts";
import { firstPosition, isSamePosition, type StreamPosition } from "../stream-position.ts";
import { untilReached } from "../until-reached.ts";
import { BASE_AFTER_BYTES, sizesOf, writeBase } from "./base-writing.ts";
import { type ChainRow, readChainRow } from "./chain-row.ts";
import { LogConnection } from "./connection.ts";
import { fenced } from "./fencing.ts";
import { Lease, takeOver, thisInstant } from "./lease.ts";
import { PostgresLog, type WritingTerm } from "./postgres-log.ts";
import { PostgresSource } from "./postgres-source.ts";
import { createTables } from "./tables.ts";

const DEFAULT_LEASE_MS = 10_000;
/** Milliseconds between two attempts to take over. */
const TRY_MS = 250;
const TOKEN_BYTES = 24;

/** Options of a node's writing. */
export interface WritingOptions {
  readonly url: string;
  readonly chain: string;
  /** Milliseconds after which another node may take over from a writer that gave no sign; default 10,000. */
  readonly leaseMs?: number | undefined;
  /** Bytes of entries after which there is another base; default 256 MiB. */
  readonly baseAfterBytes?: number | undefined;
  /** Called once, when another node has taken the chain over from this one. */
  readonly onFenced: (error: UnsupportedError) => void;
  readonly onError: (error: unknown) => void;
  /** Called with a sentence for the user. */
  readonly onNotice: (notice: string) => void;
}

/** One for each node that writes, or may come to. */
export class PostgresWriting {
  readonly source: PostgresSource;
  readonly token = encodeData(randomBytes(TOKEN_BYTES));
  readonly #options: WritingOptions;
  readonly #leaseMs: number;
  /** For appends; for the lease and announcements; for bases. */
  readonly #connections: readonly [LogConnection, LogConnection, LogConnection];
  #term: WritingTerm | undefined;
  #lease: Lease | undefined;
  #log: PostgresLog | undefined;
  #sizes = { entries: 0, base: 0 };
  #database: Backend | undefined;
  #stream: ChainStream | undefined;
  readonly #stopping = new AbortController();
  #writingBase: Promise<void> | undefined;

  /**
   * Connects, and creates the tables where they are missing.
   *
   * @throws {RemoteError} `SHARED_LOG_UNREACHABLE`
   * @throws {UnsupportedError} `SHARED_LOG_REFUSED`, `PACKAGE_MISSING`
   */
  static async connect(options: WritingOptions): Promise<PostgresWriting> {
    const writing = new PostgresWriting(options);
    try {
      await writing.#reach(() => createTables(writing.#connections[1]));
      return writing;
    } catch (error) {
      await writing.close();
      throw error;
    }
  }

  /** A connection may be cut at any time. */
  #reach<Result>(task: () => Promise<Result>): Promise<Result> {
    return untilReached(task, this.#stopping.signal);
  }

  private constructor(options: WritingOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? DEFAULT_LEASE_MS;
    const open = (): LogConnection => new LogConnection(options.url);
    this.#connections = [open(), open(), open()];
    this.source = new PostgresSource(options.url, options.chain);
  }

  /** The number of this term; undefined unless it writes. */
  get epoch(): bigint | undefined {
    return this.#term?.epoch;
  }

  /** Why this node may not be believed now; undefined if it may, or does not write. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** Undefined for a chain that does not exist, or whose first base is not complete. */
  async row(): Promise<ChainRow | undefined> {
    const row = await this.#reach(() => readChainRow(this.#connections[1], this.#options.chain));
    return row?.isReady === true ? row : undefined;
  }

  /**
   * Takes the chain over if its writer gave no sign in time, or in any case.
   *
   * @returns false if another node has it
   */
  async take(isForced: boolean): Promise<boolean> {
    const askedAt = thisInstant();
    const [append, side] = this.#connections;
    const { chain, onFenced } = this.#options;
    const asked = { leaseMs: this.#leaseMs, token: this.token, isForced };
    const term = await takeOver(side, chain, asked);
    if (term === undefined) return false;
    const { label } = this.source;
    const position = () => this.#stream?.position;
    const lease = new Lease({ term, label, leaseMs: this.#leaseMs, connection: side, askedAt, position, onFenced });
    this.#term = term;
    this.#lease = lease;
    this.#log = new PostgresLog({
      ...{ term, label, connection: append, announcements: side, onAppended: (bytes) => this.#count(bytes) },
      onFenced: (error) => lease.fence(error),
    });
    return true;
  }

  /** Gives a term up before anything was written in it. */
  async giveUp(): Promise<void> {
    await this.#lease?.release();
    this.#term = undefined;
    this.#lease = undefined;
    this.#log = undefined;
    this.#stream = undefined;
  }

  /** Takes over as soon as nobody else writes. @throws {UnsupportedError} `SHARED_LOG_REFUSED` if another node lives */
  async #takeInTime(): Promise<void> {
    const end = performance.now() + 2 * this.#leaseMs + TRY_MS;
    while (!(await this.#reach(() => this.take(false)))) {
      if (performance.now() > end) throw hasWriter(this.source.label, (await this.row())?.writer?.url);
      await pause(TRY_MS);
    }
  }

  /**
   * Makes a database the end of the log: of a new chain with what the database has, of an existing one with what the log has.
   *
   * @param description - of the chain, for readers
   * @param waits - until no other node writes; otherwise it is tried once
   * @returns undefined if another node writes
   */
  async open(database: Backend, description: string, waits: boolean): Promise<ChainStream | undefined> {
    const [, side] = this.#connections;
    const isThere = (await this.row()) !== undefined;
    if (isThere) await this.#goOn(database);
    const create = `insert into hindcast.chains (name, incarnation, hash) values ($1, $2, $3) on conflict do nothing`;
    const { incarnation, hash } = firstPosition();
    if (!isThere) await this.#reach(() => side.run({ text: create }, [this.#options.chain, incarnation, hash]));
    if (waits) await this.#takeInTime();
    else if (!(await this.#reach(() => this.take(false)))) return undefined;
    if ((await this.row()) === undefined) await this.#begin(database, description);
    else await this.describe(description);
    return this.stream(database, await this.#goOn(database));
  }

  /** @throws {UnsupportedError} `WRITER_FENCED` */
  async #ofTerm(text: string, values: readonly unknown[]): Promise<void> {
    const { id, epoch } = this.#writingTerm;
    const { rowCount } = await this.#reach(() => this.#connections[1].run({ text }, [id, epoch, ...values]));
    if (rowCount === 0) throw fenced(this.source.label, epoch, undefined);
  }

  get #writingTerm(): WritingTerm {
    if (this.#term === undefined) throw new TypeError("PostgresWriting: it does not write");
    return this.#term;
  }

  /** Stores the description of the chain, for readers that start. */
  describe(description: string): Promise<void> {
    return this.#ofTerm("update hindcast.chains set description = $3 where id = $1 and epoch = $2", [description]);
  }

  /** The first base is what the database has already. */
  async #begin(database: Backend, description: string): Promise<void> {
    const [, side, bases] = this.#connections;
    const position = firstPosition();
    const hasChain = database.get("meta", metaKey("head")) !== undefined;
    const { id } = this.#writingTerm;
    for (const table of ["entries", "bases"])
      await this.#reach(() => side.run({ text: `delete from hindcast.${table} where chain = $1` }, [id]));
    await this.#ofTerm(
      "update hindcast.chains set incarnation = $3, sequence = 0, hash = $4 where id = $1 and epoch = $2",
      [position.incarnation, position.hash],
    );
    await database.write([positionEntry(position)]);
    if (hasChain) await this.#reach(() => writeBase(bases, this.#writingTerm, database));
    const text = "update hindcast.chains set description = $3, is_ready = true where id = $1 and epoch = $2";
    await this.#ofTerm(text, [description]);
  }

  async #goOn(database: Backend): Promise<StreamPosition> {
    const { signal } = this.#stopping;
    const before = storedPosition(database);
    const hadChain = database.get("meta", metaKey("head")) !== undefined;
    const { position, isFromBase } = await bringUpToDate(database, this.source, { signal, needsHead: false });
    const isOther = isFromBase && hadChain && (before === undefined || before.sequence > position.sequence);
    if (isOther) {
      this.#options.onNotice("The data folder had changes that the log does not have. It has what the log has now.");
    }
    return position;
  }

  /** The end of the log, which only this node moves. */
  async end(): Promise<StreamPosition> {
    const row = await this.row();
    if (row === undefined) throw fenced(this.source.label, this.#writingTerm.epoch, undefined);
    return row.head;
  }

  /**
   * Writes go through the log from now on.
   *
   * @param position - of the database
   * @throws {UnsupportedError} `WRITER_FENCED` if the log ends elsewhere
   */
  async stream(database: Backend, position: StreamPosition): Promise<ChainStream> {
    const { epoch } = this.#writingTerm;
    if (!isSamePosition(await this.end(), position)) throw fenced(this.source.label, epoch, epoch);
    this.#sizes = await this.#reach(() => sizesOf(this.#connections[2], this.#writingTerm));
    this.#database = database;
    if (this.#log === undefined) throw new TypeError("PostgresWriting: it does not write");
    this.#stream = new ChainStream(database, this.#log, position);
    return this.#stream;
  }

  #count(bytes: number): void {
    this.#sizes.entries += bytes;
    const { entries, base } = this.#sizes;
    const isDue = entries >= Math.max(this.#options.baseAfterBytes ?? BASE_AFTER_BYTES, base);
    if (!isDue || this.#writingBase !== undefined || this.#database === undefined) return;
    this.#writingBase = this.#writeBase(this.#database).finally(() => {
      this.#writingBase = undefined;
    });
  }

  async #writeBase(database: Backend): Promise<void> {
    const { entries } = this.#sizes;
    try {
      const base = await writeBase(this.#connections[2], this.#writingTerm, database);
      // Those that came meanwhile are not in it.
      this.#sizes = { entries: this.#sizes.entries - entries, base };
    } catch (error) {
      // The log still has everything. It is tried again after as much again.
      this.#sizes = { ...this.#sizes, entries: 0 };
      if (!(error instanceof RemoteError)) this.#options.onError(error);
    }
  }

  /** Gives up what is being tried. What is written already stays. */
  stop(): void {
    this.#stopping.abort(new Error("the node is closed"));
    this.#log?.close();
  }

  /** Ends the term, so that another node can take over at once. */
  async close(): Promise<void> {
    this.stop();
    await this.#lease?.release();
    await Promise.all([...this.#connections.map((each) => each.close()), this.source.close()]);
    await this.#writingBase;
  }
}

function hasWriter(chain: string, address: string | undefined): UnsupportedError {
  return new UnsupportedError({
    code: "SHARED_LOG_REFUSED",
    what: "Another node writes this chain.",
    where: `The chain: ${chain}${address === undefined ? "" : `; the writer: ${address}`}.`,
    fix: "Stop that node, or start this one with --role standby: it takes over when that node ends.",
  });
}

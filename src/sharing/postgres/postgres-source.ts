/** The changes of a chain as its readers get them from PostgreSQL: by polling, and sooner where announcements arrive. */
import { RemoteError } from "../../errors/hindcast-error.ts";
import { type Bytes, concatList, equalBytes } from "../../primitives/bytes/bytes.ts";
import { inBackground } from "../../primitives/platform/event-loop.ts";
import type { BaseChunks, ChangeSource, SourceAnswer, StreamPart } from "../change-log.ts";
import { decodeOperations } from "../entry-codec.ts";
import { firstPosition, isSamePosition, type StreamPosition } from "../stream-position.ts";
import { untilReached } from "../until-reached.ts";
import { bytesOf, CHAIN_COLUMNS, type ChainRow, chainRowOf, readChainRow } from "./chain-row.ts";
import { type Answer, LogConnection, type Statement } from "./connection.ts";
import { CHANNEL } from "./postgres-log.ts";
import { RegisteredWriter } from "./registered-writer.ts";
import { hasTables } from "./tables.ts";

/** Most bytes of the entries of one answer, beside the first. */
const PART_BYTES = 4 * 1024 * 1024;
/** Milliseconds between two looks: without announcements, and with them. */
const POLL_MS = 40;
const ANNOUNCED_POLL_MS = 1_000;
/** Milliseconds until announcements are asked for again: where they are refused, and where they do not arrive. */
const LISTEN_AGAIN_MS = 5_000;
const MISSED_MS = 60_000;

const AFTER = {
  name: "after",
  text: `select ${CHAIN_COLUMNS}, e.sequence as at, e.part, e.parts, e.hash as entry_hash, e.payload
    from hindcast.chains c left join lateral (
      select * from (
        select sequence, part, parts, hash, payload, sum(octet_length(payload)) over (order by sequence, part) as bytes
        from hindcast.entries where chain = c.id and sequence > $2 and sequence <= least($2 + 256, c.sequence)
      ) sized where bytes <= $3 or (sequence = $2 + 1 and part = 0)
    ) e on true where c.name = $1 order by e.sequence, e.part`,
};

/** One for each reader. */
export class PostgresSource implements ChangeSource {
  readonly label: string;
  readonly writer: RegisteredWriter;
  readonly #chain: string;
  readonly #connection: LogConnection;
  readonly #announcements: LogConnection;
  readonly #waiting = new Set<() => void>();
  #listeningSince: number | undefined;
  #listenAt = 0;
  #hasTables = false;
  #row: ChainRow | undefined;
  /** Set by whatever may have brought an entry since the last look. */
  #isStale = false;

  constructor(url: string, chain: string) {
    this.#chain = chain;
    this.#connection = new LogConnection(url);
    this.#announcements = new LogConnection(url, () => this.wake());
    this.label = `${chain} in ${this.#connection.label}`;
    this.writer = new RegisteredWriter(this.label);
  }

  get isWriterAlive(): boolean {
    return this.#row?.isAlive !== false;
  }

  get epoch(): bigint | undefined {
    return this.#row?.epoch;
  }

  async describe(): Promise<{ readonly description: string; readonly head: StreamPosition }> {
    this.#hasTables ||= await hasTables(this.#connection);
    const row = this.#hasTables ? await readChainRow(this.#connection, this.#chain) : undefined;
    if (row?.isReady !== true) throw this.#notThere();
    this.#saw(row);
    const text = "select description from hindcast.chains where id = $1";
    const { rows } = await this.#connection.run({ text }, [row.id]);
    return { description: String(rows[0]?.description), head: row.head };
  }

  #notThere(): RemoteError {
    return new RemoteError({
      code: "SHARED_LOG_UNREACHABLE",
      what: `There is no chain ${this.#chain} in PostgreSQL yet.`,
      where: `Its address: ${this.#connection.label}.`,
      fix: "Start its writer first: hindcast --shared URL --role writer.",
    });
  }

  #saw(row: ChainRow): void {
    this.#row = row;
    this.writer.use(row.isAlive ? row.writer : undefined);
  }

  async after(from: StreamPosition, waitMs: number, signal: AbortSignal): Promise<SourceAnswer> {
    const end = performance.now() + waitMs;
    for (let isUnannounced = false; ; ) {
      signal.throwIfAborted();
      this.#isStale = false;
      const answer = await this.#look(from);
      const isNews = answer.part !== undefined && answer.part.payloads.length > 0;
      if (isNews && isUnannounced && !this.#isStale) this.#missed();
      const left = end - performance.now();
      if (isNews || answer.part === undefined || left <= 0) return answer;
      this.#listen();
      const isListening = this.#listeningSince !== undefined;
      await this.#pause(Math.min(left, isListening ? ANNOUNCED_POLL_MS : POLL_MS), signal);
      isUnannounced = isListening && !this.#isStale;
    }
  }

  async #look(from: StreamPosition): Promise<SourceAnswer> {
    const { rows } = await this.#connection.run(AFTER, [this.#chain, from.sequence, PART_BYTES]);
    const [first] = rows;
    if (first === undefined) throw this.#notThere();
    const row = chainRowOf(first);
    this.#saw(row);
    return { part: await this.#partOf(row, from, first.at === null ? [] : rows), head: row.head };
  }

  async #partOf(row: ChainRow, from: StreamPosition, rows: Answer["rows"]): Promise<StreamPart | undefined> {
    const { incarnation, sequence } = row.head;
    if (!equalBytes(incarnation, from.incarnation) || sequence < from.sequence) return undefined;
    if (sequence === from.sequence) {
      return isSamePosition(row.head, from) ? { position: from, payloads: [] } : undefined;
    }
    const payloads: Bytes[] = [];
    let position = from;
    for (let at = 0; at < rows.length; ) {
      const entry = rows[at] as Answer["rows"][number];
      const next = position.sequence + 1n;
      // A gap: the log is trimmed up to beyond this place.
      if (BigInt(String(entry.at)) !== next) return undefined;
      const count = Number(entry.parts);
      const parts = rows.slice(at, at + count).filter((row) => row.at === entry.at);
      if (parts.length < count && payloads.length > 0) break;
      const missing = parts.length < count ? await this.#partsOf(row.id, next, parts.length) : [];
      const all = [...parts, ...missing].map(({ payload }) => bytesOf(payload));
      if (all.length < count) return undefined;
      payloads.push(all.length === 1 ? (all[0] as Bytes) : concatList(all));
      position = { incarnation, sequence: next, hash: bytesOf(entry.entry_hash) };
      at += parts.length;
    }
    return payloads.length === 0 ? undefined : { position, payloads };
  }

  /** The parts of a long entry from a number on, one after another. */
  async #partsOf(id: string, sequence: bigint, first: number): Promise<Answer["rows"][number][]> {
    const text = "select payload from hindcast.entries where chain = $1 and sequence = $2 and part = $3";
    const found: Answer["rows"][number][] = [];
    for (let part = first; ; part++) {
      const [row] = (await this.#connection.run({ name: "part", text }, [id, sequence, part])).rows;
      if (row === undefined) return found;
      found.push(row);
    }
  }

  async *base(signal: AbortSignal): BaseChunks {
    const ask = (statement: Statement, values: readonly unknown[]): Promise<Answer> =>
      untilReached(() => this.#connection.run(statement, values), signal);
    const row = await untilReached(() => readChainRow(this.#connection, this.#chain), signal);
    if (row === undefined) throw this.#notThere();
    const { incarnation } = row.head;
    const newest =
      "select id, sequence, hash, chunks from hindcast.bases where chain = $1 and chunks is not null order by id desc limit 1";
    const [base] = (await ask({ text: newest }, [row.id])).rows;
    // Nothing is trimmed before the first base: then the log has everything.
    if (base === undefined) return { incarnation, sequence: 0n, hash: firstPosition().hash };
    const text = "select payload from hindcast.base_chunks where base = $1 and number = $2";
    for (let number = 0; number < Number(base.chunks); number++) {
      signal.throwIfAborted();
      const [chunk] = (await ask({ name: "chunk", text }, [base.id, number])).rows;
      if (chunk === undefined) return undefined;
      yield decodeOperations(bytesOf(chunk.payload));
    }
    return { incarnation, sequence: BigInt(String(base.sequence)), hash: bytesOf(base.hash) };
  }

  /** Asks for announcements, on a connection of its own. Without them, there is polling. */
  #listen(): void {
    if (this.#listeningSince !== undefined && this.#announcements.isOpen) return;
    this.#listeningSince = undefined;
    const now = performance.now();
    if (now < this.#listenAt) return;
    this.#listenAt = now + LISTEN_AGAIN_MS;
    this.#announcements.run({ text: `listen ${CHANNEL}` }).then(
      () => {
        this.#listeningSince = performance.now();
        this.wake();
      },
      () => undefined,
    );
  }

  /** A pooler may take the subscription and give the announcements to nobody. */
  #missed(): void {
    this.#listeningSince = undefined;
    this.#listenAt = performance.now() + MISSED_MS;
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#isStale || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = inBackground(setTimeout(end, ms));
      this.#waiting.add(end);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  wake(): void {
    this.#isStale = true;
    for (const wake of [...this.#waiting]) wake();
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#announcements.close(), this.writer.close()]);
  }
}

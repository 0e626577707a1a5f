/** Takes jobs of a chain while its node does nothing else than answer: one range at a time. */
import { HindcastError, RemoteError } from "../../errors/hindcast-error.ts";
import { inBackground, type Timer } from "../../primitives/platform/event-loop.ts";
import { LogConnection } from "../postgres/connection.ts";
import { type Attempt, Attempts, PLAN } from "./attempts.ts";
import { JobQueue } from "./job-queue.ts";
import { PieceWriter } from "./piece-writer.ts";
import { planRun, RunEnded, type WorkingNode, workOnRange } from "./range-work.ts";

/** Milliseconds between two looks for a job, and for workers that give no sign. */
const LOOK_MS = 200;
const LOOK_FOR_SILENT_MS = 1_000;
/** Milliseconds until PostgreSQL is tried again. */
const AWAY_MS = 1_000;
/** Milliseconds that PostgreSQL has for the last statements. */
const CLOSING_MS = 2_000;
/** Milliseconds within which a worker has to give a sign, and signs in that time. */
const DEFAULT_SILENCE_MS = 10_000;
const SIGNS = 4;

/** Options of a worker. */
export interface JobWorkerOptions {
  readonly url: string;
  readonly chain: string;
  /** Milliseconds after which others take what a worker that gives no sign was doing; default 10,000. */
  readonly leaseMs: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** One for each node that works. */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #id = crypto.randomUUID();
  /** For jobs and results; for signs, which must not wait for those. */
  readonly #connection: LogConnection;
  readonly #signs: LogConnection;
  readonly #closing = new AbortController();
  #attempts: Attempts | undefined;
  #running: Promise<void> | undefined;
  /** The attempt that is being made, and what ends it. */
  #current: { readonly attempt: Attempt; readonly aborter: AbortController } | undefined;
  #silentSince = 0;
  #problem: string | undefined;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
    this.#connection = new LogConnection(options.url);
    this.#signs = new LogConnection(options.url);
  }

  /**
   * Connects, and creates the tables where they are missing.
   *
   * @throws {UnsupportedError} `PACKAGE_MISSING`, `SHARED_LOG_REFUSED`
   * @throws {RemoteError} `SHARED_LOG_UNREACHABLE`
   */
  async connect(): Promise<void> {
    const queue = await JobQueue.open(this.#connection, this.#options.chain);
    this.#attempts = new Attempts(this.#connection, queue, this.#options.chain);
  }

  /** Works from now on. */
  start(node: WorkingNode): void {
    this.#running = this.#run(node);
  }

  async #run(node: WorkingNode): Promise<void> {
    const { signal } = this.#closing;
    const { leaseMs = DEFAULT_SILENCE_MS } = this.#options;
    const timer: Timer = inBackground(setInterval(() => void this.#sign().catch(() => undefined), leaseMs / SIGNS));
    const attempts = this.#requireAttempts();
    let isAway = true;
    while (!signal.aborted) {
      try {
        if (isAway) {
          await this.#sign();
          // Of a connection that was lost in the midst of something.
          await attempts.giveUp(this.#id, undefined);
          isAway = false;
        }
        const attempt = await attempts.take(this.#id);
        if (attempt !== undefined) await this.#make(attempt, node);
        else await this.#idle(attempts);
      } catch (error) {
        isAway = true;
        if (!(error instanceof RemoteError)) this.#report(error);
        await this.#pause(AWAY_MS);
      }
    }
    clearInterval(timer);
    // Others would notice, but later.
    await attempts.giveUp(this.#id, undefined).catch(() => undefined);
    const text = "delete from hindcast_jobs.workers where id = $1";
    await this.#signs.run({ text }, [this.#id]).catch(() => undefined);
  }

  /** Says once when the same goes wrong every second. */
  #report(error: unknown): void {
    const problem = messageOf(error);
    if (problem !== this.#problem) this.#options.onError(error);
    this.#problem = problem;
  }

  #requireAttempts(): Attempts {
    if (this.#attempts === undefined) throw new TypeError("JobWorker: it is not connected");
    return this.#attempts;
  }

  async #make(attempt: Attempt, node: WorkingNode): Promise<void> {
    const attempts = this.#requireAttempts();
    const aborter = new AbortController();
    this.#current = { attempt, aborter };
    const signal = AbortSignal.any([aborter.signal, this.#closing.signal]);
    const writer = new PieceWriter(this.#connection, attempt);
    try {
      if (attempt.number === PLAN) await attempts.finishPlan(attempt, await planRun(node, attempt.run, signal));
      else {
        await workOnRange(node, attempt, { writer, signal });
        if (await attempts.finish(attempt, writer.bytes)) return;
        await writer.drop();
      }
    } catch (error) {
      const isAway = error instanceof RemoteError && error.code === "SHARED_LOG_UNREACHABLE";
      if (isAway) throw error;
      await writer.drop();
      if (error instanceof RunEnded) await attempts.fail(attempt.run, error.message);
      else if (!isOver(error, signal)) return await attempts.giveUp(this.#id, messageOf(error));
    } finally {
      this.#current = undefined;
    }
    await attempts.giveUp(this.#id, undefined);
  }

  async #idle(attempts: Attempts): Promise<void> {
    const now = performance.now();
    if (now - this.#silentSince >= LOOK_FOR_SILENT_MS) {
      this.#silentSince = now;
      await attempts.giveUpSilent();
    }
    await this.#pause(LOOK_MS);
  }

  /** Says that this node lives. Ends an attempt that is no longer wanted. */
  async #sign(): Promise<void> {
    const { chain, leaseMs = DEFAULT_SILENCE_MS } = this.#options;
    const text = `insert into hindcast_jobs.workers (id, chain, alive_until)
      values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
      on conflict (id) do update set alive_until = excluded.alive_until`;
    await this.#signs.run({ name: "sign", text }, [this.#id, chain, leaseMs]);
    const current = this.#current;
    if (current === undefined) return;
    const wanted = `select 1 from hindcast_jobs.ranges g join hindcast_jobs.runs r on r.id = g.run
      where g.run = $1 and g.number = $2 and g.attempt = $3 and r.state in ('planning', 'running')`;
    const { id, run, number } = current.attempt;
    const { rowCount } = await this.#signs.run({ name: "wanted", text: wanted }, [run.id, number, id]);
    if (rowCount === 0) current.aborter.abort();
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = inBackground(setTimeout(end, ms));
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    });
  }

  /** Gives up what it has taken, which others take then. */
  async close(): Promise<void> {
    this.#closing.abort();
    const disconnect = () => Promise.all([this.#connection.close(), this.#signs.close()]);
    // A server that does not answer is not waited for.
    const timer = inBackground(setTimeout(() => void disconnect(), CLOSING_MS));
    await this.#running;
    clearTimeout(timer);
    await disconnect();
  }
}

/** True if an attempt was ended from outside: its node is being closed, or it is no longer wanted. */
function isOver(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || isClosed(error) || (error instanceof HindcastError && isClosed(error.cause));
}

const isClosed = (error: unknown): boolean => error instanceof HindcastError && error.code === "NODE_CLOSED";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

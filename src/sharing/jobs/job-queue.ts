/** The queue of a chain's jobs: pg-boss, which is an optional package, over a connection of ours. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { fromUtf8, toHexDigits } from "../../primitives/platform/encodings.ts";
import type { Answer, LogConnection, Run } from "../postgres/connection.ts";
import { createJobTables } from "./job-tables.ts";

/** The schema of the tables of pg-boss. */
const SCHEMA = "hindcast_queue";
/** The queue only repeats: attempts are counted in the row of the range, since a worker that is stopped has not failed. */
const RETRIES = 1_000_000;
/** Digits of the hash that names a queue. */
const NAME_DIGITS = 32;

/** A job as it is in the queue. */
export interface Job {
  readonly id: string;
  /** The range that it is about. */
  readonly data: { readonly run: string; readonly number: string };
}

/** A connection, or a transaction, for statements of pg-boss. */
interface Place {
  readonly db: { executeSql(text: string, values?: readonly unknown[]): Promise<Answer> };
}

/** The members of pg-boss that are used. */
interface Boss {
  start(): Promise<unknown>;
  createQueue(queue: string): Promise<void>;
  send(queue: string, data: Job["data"], options: object): Promise<string | null>;
  fetch(queue: string, place: Place): Promise<readonly Job[]>;
  fail(queue: string, id: string, output: object, place: Place): Promise<unknown>;
  deleteJob(queue: string, ids: readonly string[], place: Place): Promise<unknown>;
}

/** One for each connection. What changes the queue does so in a transaction of the caller. */
export class JobQueue {
  readonly #boss: Boss;
  readonly #name: string;

  /**
   * Creates the tables of runs, those of pg-boss, and the queue of a chain, where they are missing.
   *
   * @throws {UnsupportedError} `PACKAGE_MISSING`, `SHARED_LOG_REFUSED`
   * @throws {RemoteError} `SHARED_LOG_UNREACHABLE`
   */
  static async open(connection: LogConnection, chain: string): Promise<JobQueue> {
    const Boss = await loadBoss();
    const place = placeOf((statement, values) => connection.run(statement, values));
    // Neither timers nor maintenance: jobs that are done are deleted, and nodes that end are noticed by their own sign.
    const boss = new Boss({ ...place, schema: SCHEMA, supervise: false, schedule: false });
    await createJobTables(connection);
    const name = `chain-${toHexDigits(keccak256(fromUtf8(chain))).slice(0, NAME_DIGITS)}`;
    await boss.start();
    await boss.createQueue(name);
    return new JobQueue(boss, name);
  }

  private constructor(boss: Boss, name: string) {
    this.#boss = boss;
    this.#name = name;
  }

  /** Adds a job under an id of the caller. */
  async send({ id, data }: Job, run: Run): Promise<void> {
    await this.#boss.send(this.#name, data, { id, retryLimit: RETRIES, retryDelay: 0, ...placeOf(run) });
  }

  /** Takes the job that has waited longest; undefined if there is none. */
  async fetch(run: Run): Promise<Job | undefined> {
    return (await this.#boss.fetch(this.#name, placeOf(run)))[0];
  }

  /** Lets another worker take a job that was taken. */
  async giveBack(id: string, reason: string, run: Run): Promise<void> {
    await this.#boss.fail(this.#name, id, { reason }, placeOf(run));
  }

  /** Removes jobs that are done, or of which nothing is left to do. */
  async remove(ids: readonly string[], run: Run): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(this.#name, ids, placeOf(run));
  }
}

const placeOf = (run: Run): Place => ({ db: { executeSql: (text, values) => run({ text }, values) } });

/** @throws {UnsupportedError} `PACKAGE_MISSING` if it is not installed, or in another version */
async function loadBoss(): Promise<new (options: object) => Boss> {
  const library: unknown = await import("pg-boss").catch((cause: unknown) => {
    throw bossMissing("which is not installed", cause);
  });
  const { default: Boss } = library as { readonly default?: unknown };
  // Version 12 has a named export, and needs Node 22.
  if (typeof Boss !== "function") throw bossMissing("of which another version is installed");
  return Boss as new (
    options: object,
  ) => Boss;
}

function bossMissing(how: string, cause?: unknown): UnsupportedError {
  return new UnsupportedError({
    code: "PACKAGE_MISSING",
    what: `Jobs over ranges of blocks need version 10 of the package pg-boss, ${how}.`,
    fix: "Install it beside Hindcast: npm install pg-boss@10",
    cause,
  });
}

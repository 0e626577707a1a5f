/** Runs as the command sees them: begun, looked for, resumed, listed and cancelled. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { LogConnection, Run } from "../postgres/connection.ts";
import { PLAN } from "./attempts.ts";
import type { JobQueue } from "./job-queue.ts";
import { quotedTable, RUN_COLUMNS, type RunRow, type RunWish, runRowOf } from "./run-row.ts";

/** Days for which runs that have ended are listed. */
const LISTED_DAYS = 30;

/** A run that is to begin. */
export interface NewRun {
  /** A UUID. */
  readonly id: string;
  readonly wish: RunWish;
  /** A table that does not exist yet; undefined for results that a command fetches. */
  readonly table: string | undefined;
  /** For people. */
  readonly destination: string;
}

/** A run, and who is at it. */
export interface ListedRun {
  readonly run: RunRow;
  /** True while a command plans its ranges and fetches its results. */
  readonly hasCommand: boolean;
}

/** For the runs of one chain. */
export class RunRecords {
  readonly #connection: LogConnection;
  readonly #queue: JobQueue;
  readonly #chain: string;

  constructor(connection: LogConnection, queue: JobQueue, chain: string) {
    this.#connection = connection;
    this.#queue = queue;
    this.#chain = chain;
  }

  /**
   * Begins a run, and creates its table.
   *
   * @throws {UnsupportedError} `SHARED_LOG_REFUSED`
   */
  async begin({ id, wish, table, destination }: NewRun): Promise<RunRow> {
    await this.#connection.transaction(async (run) => {
      const old = `delete from hindcast_jobs.runs where ended_at < now() - interval '${LISTED_DAYS} days'`;
      await run({ text: old });
      const text = `insert into hindcast_jobs.runs (id, chain, wanted, table_name, destination, state)
        values ($1, $2, $3, $4, $5, 'planning')`;
      await run({ text }, [id, this.#chain, JSON.stringify(wish), table ?? null, destination]);
      if (table !== undefined) {
        const create = `create table ${quotedTable(table)} (
          block_number bigint primary key, block_hash text not null, traces jsonb not null)`;
        await run({ text: create });
      }
      await this.addRange(id, PLAN, run);
    });
    return this.require(id);
  }

  /** Makes a range a job. */
  async addRange(id: string, number: bigint, run: Run): Promise<void> {
    const job = jobIdOf(number);
    const text = "insert into hindcast_jobs.ranges (run, number, job) values ($1, $2, $3)";
    await run({ text }, [id, number, job]);
    await this.#queue.send({ id: job, data: { run: id, number: String(number) } }, run);
  }

  /** Undefined for a run that this chain does not have. */
  async find(id: string): Promise<RunRow | undefined> {
    const text = `select ${RUN_COLUMNS} from hindcast_jobs.runs r where r.id::text = $1 and r.chain = $2`;
    const [row] = (await this.#connection.run({ name: "run", text }, [id, this.#chain])).rows;
    return row && runRowOf(row);
  }

  /** @throws {UnsupportedError} `JOBS_REFUSED` for a run that this chain does not have */
  async require(id: string): Promise<RunRow> {
    const run = await this.find(id);
    if (run !== undefined) return run;
    throw new UnsupportedError({
      code: "JOBS_REFUSED",
      what: `The chain ${this.#chain} has no run ${id}.`,
      where: `The address of PostgreSQL: ${this.#connection.label}.`,
      fix: "hindcast jobs list says which there are.",
    });
  }

  /** The last run into a table, and whether there is such a table. */
  async ofTable(table: string): Promise<{ readonly run: RunRow | undefined; readonly isThere: boolean }> {
    const there = await this.#connection.run({ text: "select to_regclass($1) is not null as is_there" }, [
      quotedTable(table),
    ]);
    const text = `select ${RUN_COLUMNS} from hindcast_jobs.runs r where r.table_name = $1 order by r.begun_at desc limit 1`;
    const [row] = (await this.#connection.run({ text }, [table])).rows;
    return { run: row && runRowOf(row), isThere: there.rows[0]?.is_there === true };
  }

  /** True if a run is exactly what is asked for. */
  async isSame({ id }: RunRow, wish: RunWish): Promise<boolean> {
    const text = "select wanted = $2::jsonb as is_same from hindcast_jobs.runs where id = $1";
    return (await this.#connection.run({ text }, [id, JSON.stringify(wish)])).rows[0]?.is_same === true;
  }

  /** Lets a run that failed go on: what is not done is tried again, by jobs of their own. */
  async resume({ id }: RunRow): Promise<void> {
    await this.#connection.transaction(async (run) => {
      const text = `update hindcast_jobs.runs set error = null,
        state = case when last_hash is null then 'planning' else 'running' end where id = $1 and state = 'failed'`;
      if ((await run({ text }, [id])).rowCount === 0) return;
      const open = "delete from hindcast_jobs.ranges where run = $1 and not is_done returning number, job";
      const { rows } = await run({ text: open }, [id]);
      await this.#queue.remove(
        rows.map(({ job }) => String(job)),
        run,
      );
      for (const { number } of rows) await this.addRange(id, BigInt(String(number)), run);
    });
  }

  /** The runs of the chain, the newest first. */
  async list(): Promise<readonly ListedRun[]> {
    const text = `select ${RUN_COLUMNS}, r.command_until > clock_timestamp() as has_command
      from hindcast_jobs.runs r where r.chain = $1 order by r.begun_at desc`;
    const { rows } = await this.#connection.run({ text }, [this.#chain]);
    return rows.map((row) => ({ run: runRowOf(row), hasCommand: row.has_command === true }));
  }

  /** Number of nodes that take jobs of the chain. */
  async countWorkers(): Promise<number> {
    const text = `select count(*)::int as count from hindcast_jobs.workers
      where chain = $1 and alive_until > clock_timestamp()`;
    return Number((await this.#connection.run({ name: "workers", text }, [this.#chain])).rows[0]?.count);
  }

  /** Ends a run for ever. What it has delivered stays. */
  async cancel({ id }: RunRow): Promise<void> {
    await this.#end(id, "cancelled");
  }

  /** Notes that all has been delivered. */
  async complete({ id }: RunRow): Promise<void> {
    await this.#end(id, "complete");
  }

  async #end(id: string, state: "cancelled" | "complete"): Promise<void> {
    await this.#connection.transaction(async (run) => {
      const text = `update hindcast_jobs.runs set state = $2, error = null, ended_at = now(), command = null,
        command_until = '-infinity' where id = $1`;
      await run({ text }, [id, state]);
      const { rows } = await run({ text: "delete from hindcast_jobs.ranges where run = $1 returning job" }, [id]);
      await this.#queue.remove(
        rows.map(({ job }) => String(job)),
        run,
      );
      await run({ text: "delete from hindcast_jobs.pieces where run = $1" }, [id]);
    });
  }
}

/** Digits of a range's number in the id of its job. */
const NUMBER_DIGITS = 8;

/** The queue takes jobs that were added together in the order of their ids: so the first ranges are done first. */
function jobIdOf(number: bigint): string {
  const position = number < 0n ? 0n : number % 16n ** BigInt(NUMBER_DIGITS);
  return position.toString(16).padStart(NUMBER_DIGITS, "0") + crypto.randomUUID().slice(NUMBER_DIGITS);
}

/** The attempts of workers at ranges: taken, finished or given up, each in one transaction with the job in the queue. */
import type { LogConnection, Run } from "../postgres/connection.ts";
import type { Job, JobQueue } from "./job-queue.ts";
import { quotedTable, RUN_COLUMNS, type RunBlocks, type RunRow, runRowOf } from "./run-row.ts";

/** The number of the range by which a node says what the run's blocks are. */
export const PLAN = -1n;
/** Times that a range is tried before its run fails. */
export const MOST_ATTEMPTS = 3;

/** An attempt at a range. */
export interface Attempt {
  readonly id: string;
  readonly job: Job;
  readonly run: RunRow;
  /** Of the range; {@link PLAN} for none. */
  readonly number: bigint;
}

/** For the workers of one chain. */
export class Attempts {
  readonly #connection: LogConnection;
  readonly #queue: JobQueue;
  readonly #chain: string;

  constructor(connection: LogConnection, queue: JobQueue, chain: string) {
    this.#connection = connection;
    this.#queue = queue;
    this.#chain = chain;
  }

  /** Takes a job for a worker, which has no other one; undefined if there is none. */
  take(worker: string): Promise<Attempt | undefined> {
    return this.#connection.transaction(async (run) => {
      // In one transaction: a job that was taken and is nobody's would wait for ever.
      const job = await this.#queue.fetch(run);
      if (job === undefined) return undefined;
      const id = crypto.randomUUID();
      const { run: runId, number } = job.data;
      const text = `update hindcast_jobs.ranges g set worker = $4, attempt = $5, attempts = attempts + 1
        from hindcast_jobs.runs r where r.id = g.run and r.state in ('planning', 'running')
          and g.run = $1 and g.number = $2 and g.job = $3 and not g.is_done returning ${RUN_COLUMNS}`;
      const [row] = (await run({ text }, [runId, number, job.id, worker, id])).rows;
      if (row !== undefined) return { id, job, run: runRowOf(row), number: BigInt(number) };
      // Of a run that has ended meanwhile.
      await this.#queue.remove([job.id], run);
      return undefined;
    });
  }

  /** Says which blocks a run is about. */
  async finishPlan({ job, run: { id } }: Attempt, { first, last, lastHash }: RunBlocks): Promise<void> {
    await this.#connection.transaction(async (run) => {
      const text = `update hindcast_jobs.runs set first = $2, last = $3, last_hash = $4, state = 'running'
        where id = $1 and state = 'planning'`;
      await run({ text }, [id, first, last, lastHash]);
      await run({ text: "delete from hindcast_jobs.ranges where run = $1 and number = $2" }, [id, PLAN]);
      await this.#queue.remove([job.id], run);
    });
  }

  /**
   * Makes the pieces of an attempt the result of its range.
   *
   * @param bytes - of the pieces
   * @returns false if the range is another attempt's by now, or the run has ended
   */
  finish({ id, job, run: { id: runId, table }, number }: Attempt, bytes: number): Promise<boolean> {
    return this.#connection.transaction(async (run) => {
      // Before the range's row, as whoever ends a run takes them in this order, too.
      const held = { text: "select 1 from hindcast_jobs.runs where id = $1 and state = 'running' for share" };
      if ((await run(held, [runId])).rowCount !== 1) return false;
      const text = `update hindcast_jobs.ranges set is_done = true, bytes = $4, worker = null
        where run = $1 and number = $2 and attempt = $3 and not is_done`;
      const stored = table === undefined ? bytes : 0;
      if ((await run({ text }, [runId, number, id, stored])).rowCount !== 1) return false;
      if (table !== undefined) {
        const insert = `insert into ${quotedTable(table)} (block_number, block_hash, traces)
          select block, '0x' || encode(hash, 'hex'), convert_from(string_agg(payload, ''::bytea order by part), 'UTF8')::jsonb
          from hindcast_jobs.pieces where run = $1 and attempt = $2 group by block, hash order by block`;
        await run({ text: insert }, [runId, id]);
        await run({ text: "delete from hindcast_jobs.pieces where run = $1 and attempt = $2" }, [runId, id]);
      }
      await this.#queue.remove([job.id], run);
      return true;
    });
  }

  /**
   * Gives up what a worker has taken.
   *
   * @param problem - for the user. After some attempts that had one, the run fails; undefined for a worker that stops
   */
  async giveUp(worker: string, problem: string | undefined): Promise<void> {
    await this.#connection.transaction(async (run) => {
      const text = `select run, number, job, attempt, attempts from hindcast_jobs.ranges
        where worker = $1 and not is_done for update`;
      for (const row of (await run({ text }, [worker])).rows) {
        const { run: runId, number, attempt } = row;
        const job = String(row.job);
        await run({ text: "delete from hindcast_jobs.pieces where run = $1 and attempt = $2" }, [runId, attempt]);
        const free = `update hindcast_jobs.ranges set worker = null, attempt = null, attempts = $3
          where run = $1 and number = $2`;
        const attempts = Number(row.attempts) - (problem === undefined ? 1 : 0);
        await run({ text: free }, [runId, number, attempts]);
        if (problem === undefined || attempts < MOST_ATTEMPTS) await this.#queue.giveBack(job, problem ?? "", run);
        else await this.#end(run, String(runId), `${problem} It was tried ${attempts} times.`);
      }
    });
  }

  /** Ends a run that cannot go on. */
  async fail({ id }: RunRow, problem: string): Promise<void> {
    await this.#connection.transaction((run) => this.#end(run, id, problem));
  }

  async #end(run: Run, id: string, problem: string): Promise<void> {
    const text = `update hindcast_jobs.runs set state = 'failed', error = $2
      where id = $1 and state in ('planning', 'running')`;
    await run({ text }, [id, problem]);
    const jobs = await run({ text: "select job from hindcast_jobs.ranges where run = $1" }, [id]);
    await this.#queue.remove(
      jobs.rows.map(({ job }) => String(job)),
      run,
    );
  }

  /** Gives up what is with workers that gave no sign in time. */
  async giveUpSilent(): Promise<void> {
    const text = `select distinct g.worker from hindcast_jobs.ranges g join hindcast_jobs.runs r on r.id = g.run
      left join hindcast_jobs.workers w on w.id = g.worker
      where r.chain = $1 and g.worker is not null and not g.is_done
        and (w.id is null or w.alive_until < clock_timestamp())`;
    for (const { worker } of (await this.#connection.run({ name: "silent", text }, [this.#chain])).rows) {
      await this.giveUp(String(worker), "The node that worked on it gave no sign any more.");
    }
  }
}

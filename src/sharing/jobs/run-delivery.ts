/** A command's part in a run: makes jobs of a bounded number of ranges, and fetches their results in order. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { fromUtf8 } from "../../primitives/platform/encodings.ts";
import { bytesOf } from "../postgres/chain-row.ts";
import type { LogConnection } from "../postgres/connection.ts";
import type { RunRecords } from "./run-records.ts";
import { type BlockRange, type RunRow, rangesOf } from "./run-row.ts";

/** Most ranges that are not delivered, and bytes from which on there are no further jobs. */
const MOST_RANGES = 64;
const MOST_BYTES = 256 * 1024 * 1024;
/** Pieces that are fetched together. */
const PIECES = 32;
/** Seconds for which a command holds a run without a sign. */
const HOLD_SECONDS = 5;

/**
 * Takes results that are not put into a table. Called in the order of the ranges. A range whose delivery was interrupted
 * comes again, with the same lines.
 *
 * @param lines - NDJSON in pieces
 */
export type Deliver = (range: BlockRange, lines: AsyncIterable<Bytes>) => Promise<void>;

/** Number of blocks that are done, and of all; undefined until it is known. */
export interface RunProgress {
  readonly done: bigint;
  readonly total: bigint;
}

/** One for each command that drives a run. */
export class RunDelivery {
  readonly #connection: LogConnection;
  readonly #records: RunRecords;
  readonly #command = crypto.randomUUID();
  readonly #deliver: Deliver | undefined;

  /** @param deliver - undefined for a run into a table */
  constructor(connection: LogConnection, records: RunRecords, deliver: Deliver | undefined) {
    this.#connection = connection;
    this.#records = records;
    this.#deliver = deliver;
  }

  /**
   * Takes a run, or keeps it. Has to be called every second.
   *
   * @param connection - one on which no delivery is waited for
   * @returns false while another command has it
   */
  async hold({ id }: RunRow, connection: LogConnection): Promise<boolean> {
    const text = `update hindcast_jobs.runs set command = $2,
        command_until = clock_timestamp() + interval '${HOLD_SECONDS} seconds'
      where id = $1 and (command = $2 or command_until < clock_timestamp())`;
    return (await connection.run({ name: "hold", text }, [id, this.#command])).rowCount === 1;
  }

  /** Lets another command take a run at once. */
  async letGo({ id }: RunRow): Promise<void> {
    const text = `update hindcast_jobs.runs set command = null, command_until = '-infinity' where id = $1 and command = $2`;
    await this.#connection.run({ text }, [id, this.#command]);
  }

  /**
   * One step of a run that is held: adds jobs, and delivers what is there.
   *
   * @returns undefined while the run is being planned
   * @throws {UnsupportedError} `JOBS_FAILED`, `JOBS_REFUSED` if the run has failed, was cancelled or is another command's
   */
  async step(id: string, signal: AbortSignal): Promise<RunProgress | undefined> {
    const run = await this.#records.require(id);
    if (run.state === "failed") throw failed(run);
    if (run.state === "cancelled") throw refused(`The run ${id} was cancelled.`, "Begin another one.");
    const { blocks } = run;
    if (blocks === undefined) return undefined;
    const ranges = rangesOf(run);
    const total = blocks.last - blocks.first + 1n;
    if (run.state === "complete") return { done: total, total };
    await this.#plan(run, ranges.count);
    let { delivered } = run;
    while (delivered < ranges.count && !signal.aborted && (await this.#deliverRange(run, delivered))) delivered++;
    if (delivered < ranges.count) return { done: delivered * BigInt(run.wish.blocks), total };
    await this.#records.complete(run);
    return { done: total, total };
  }

  /** Adds jobs up to the bound. One range is always allowed, however much it has. */
  async #plan({ id, planned, delivered }: RunRow, count: bigint): Promise<void> {
    const most = delivered + BigInt(MOST_RANGES);
    const end = most < count ? most : count;
    if (planned >= end) return;
    const sum = "select coalesce(sum(bytes), 0) as bytes from hindcast_jobs.ranges where run = $1";
    const { rows } = await this.#connection.run({ name: "undelivered", text: sum }, [id]);
    if (planned > delivered && Number(rows[0]?.bytes) >= MOST_BYTES) return;
    await this.#connection.transaction(async (run) => {
      const text = `update hindcast_jobs.runs set planned = $3
        where id = $1 and planned = $2 and command = $4 and state = 'running'`;
      if ((await run({ text }, [id, planned, end, this.#command])).rowCount === 0) return;
      for (let number = planned; number < end; number++) await this.#records.addRange(id, number, run);
    });
  }

  /** Returns false if the range is not done. */
  async #deliverRange(run: RunRow, number: bigint): Promise<boolean> {
    const text = "select attempt, bytes from hindcast_jobs.ranges where run = $1 and number = $2 and is_done";
    const [row] = (await this.#connection.run({ name: "done", text }, [run.id, number])).rows;
    if (row === undefined) return false;
    const attempt = String(row.attempt);
    await this.#deliver?.(rangesOf(run).at(number), this.#lines(run, attempt, Number(row.bytes)));
    await this.#connection.transaction(async (own) => {
      const moved = `update hindcast_jobs.runs set delivered = $2 + 1 where id = $1 and delivered = $2 and command = $3`;
      if ((await own({ text: moved }, [run.id, number, this.#command])).rowCount === 0) throw taken(run);
      await own({ text: "delete from hindcast_jobs.ranges where run = $1 and number = $2" }, [run.id, number]);
      await own({ text: "delete from hindcast_jobs.pieces where run = $1 and attempt = $2" }, [run.id, attempt]);
    });
    return true;
  }

  /**
   * A line for each block: its number, its hash, and the answer.
   *
   * @param bytes - of all answers
   * @throws {UnsupportedError} `JOBS_REFUSED` if they are not all there: another command has delivered them meanwhile
   */
  async *#lines(run: RunRow, attempt: string, bytes: number): AsyncGenerator<Bytes> {
    const text = `select block, part, hash, payload from hindcast_jobs.pieces
      where run = $1 and attempt = $2 and (block, part) > ($3, $4) order by block, part limit ${PIECES}`;
    let [block, part] = [-1n, -1];
    let left = bytes;
    for (;;) {
      const { rows } = await this.#connection.run({ name: "pieces", text }, [run.id, attempt, block, part]);
      for (const row of rows) {
        const number = BigInt(String(row.block));
        if (number !== block) {
          const hash = encodeData(bytesOf(row.hash));
          const head = `{"blockNumber":"${encodeQuantity(number)}","blockHash":"${hash}","traces":`;
          yield fromUtf8(block < 0n ? head : `}\n${head}`);
        }
        const payload = bytesOf(row.payload);
        left -= payload.length;
        yield payload;
        block = number;
        part = Number(row.part);
      }
      if (rows.length < PIECES) break;
    }
    if (left !== 0) throw taken(run);
    if (block >= 0n) yield fromUtf8("}\n");
  }
}

function failed({ id, error }: RunRow): UnsupportedError {
  return new UnsupportedError({
    code: "JOBS_FAILED",
    what: `The run ${id} has stopped. ${error}`,
    fix: "When the cause is removed, the same command goes on where it was.",
  });
}

function taken({ id }: RunRow): UnsupportedError {
  return refused(`Another command has taken the run ${id}.`, "Wait for that one: a run has one command at a time.");
}

function refused(what: string, fix: string): UnsupportedError {
  return new UnsupportedError({ code: "JOBS_REFUSED", what, fix });
}

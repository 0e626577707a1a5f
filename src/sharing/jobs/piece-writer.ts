/** Writes the results of an attempt in pieces, so that neither node nor database has a large block as a whole. */
import { type Bytes, concatList } from "../../primitives/bytes/bytes.ts";
import { fromUtf8 } from "../../primitives/platform/encodings.ts";
import type { LogConnection } from "../postgres/connection.ts";
import type { Attempt } from "./attempts.ts";
import type { JobBlock } from "./job-kind.ts";

/** Bytes of a piece, beside the last of a block. */
const PIECE_BYTES = 256 * 1024;
/** Bytes, and number, of the pieces that are written together. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 200;
/** Columns of a row that differ. */
const COLUMNS = 4;

/** A result without anything. */
const EMPTY_LIST = "[]";

interface Piece {
  readonly block: JobBlock;
  readonly part: number;
  readonly payload: Bytes;
}

/** One for each attempt. */
export class PieceWriter {
  readonly #connection: LogConnection;
  readonly #attempt: Attempt;
  #batch: Piece[] = [];
  #batchBytes = 0;
  /** Of all pieces. */
  bytes = 0;

  constructor(connection: LogConnection, attempt: Attempt) {
    this.#connection = connection;
    this.#attempt = attempt;
  }

  /**
   * Adds the result of a block.
   *
   * @param text - JSON; pieces of bytes have whole characters
   * @param leavesOutEmpty - for a block with an empty list
   */
  async add(block: JobBlock, text: AsyncIterable<string | Bytes>, leavesOutEmpty: boolean): Promise<void> {
    let collected: Bytes[] = [];
    let length = 0;
    let part = 0;
    const end = async (): Promise<void> => {
      await this.#push({ block, part: part++, payload: concatList(collected) });
      collected = [];
      length = 0;
    };
    for await (const piece of text) {
      if (leavesOutEmpty && part === 0 && length === 0 && piece === EMPTY_LIST) continue;
      const bytes = typeof piece === "string" ? fromUtf8(piece) : piece;
      collected.push(bytes);
      length += bytes.length;
      if (length >= PIECE_BYTES) await end();
    }
    if (length > 0) await end();
  }

  async #push(piece: Piece): Promise<void> {
    this.#batch.push(piece);
    this.#batchBytes += piece.payload.length;
    this.bytes += piece.payload.length;
    if (this.#batchBytes >= BATCH_BYTES || this.#batch.length >= BATCH_ROWS) await this.flush();
  }

  /** Writes what is still in memory. @throws {RemoteError} `SHARED_LOG_UNREACHABLE` */
  async flush(): Promise<void> {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#batchBytes = 0;
    const { id, run } = this.#attempt;
    const rows = batch.map((_, index) => {
      const [block, part, hash, payload] = Array.from({ length: COLUMNS }, (_, column) => index * COLUMNS + column + 3);
      return `($1, $2, $${block}, $${part}, $${hash}, $${payload})`;
    });
    const values = batch.flatMap(({ block, part, payload }) => [block.number, part, block.hash, payload]);
    const text = `insert into hindcast_jobs.pieces (run, attempt, block, part, hash, payload) values ${rows.join(", ")}`;
    await this.#connection.run({ text }, [run.id, id, ...values]);
  }

  /** Removes what was written, of an attempt that is no longer wanted. */
  async drop(): Promise<void> {
    this.#batch = [];
    const { id, run } = this.#attempt;
    const text = "delete from hindcast_jobs.pieces where run = $1 and attempt = $2";
    await this.#connection.run({ text }, [run.id, id]);
  }
}

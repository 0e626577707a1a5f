/** A run over a range of blocks, as its row says. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { bytesOf } from "../postgres/chain-row.ts";
import type { Answer } from "../postgres/connection.ts";
import type { JobParameters } from "./job-kind.ts";

/** The subject of a run, as it was asked for. The same wish is the same run. */
export interface RunWish {
  /** Name of the chain in the database. */
  readonly chain: string;
  readonly kind: string;
  readonly parameters: JobParameters;
  /** A number in decimal. */
  readonly from: string;
  /** A number in decimal, or `latest`. */
  readonly to: string;
  /** Blocks of a range. */
  readonly blocks: number;
}

/** `planning` until a node has said which blocks it is about; then `running`, until it ends in one of three ways. */
export type RunState = "planning" | "running" | "failed" | "cancelled" | "complete";

/** The blocks of a run, which the hash of the last one determines. */
export interface RunBlocks {
  readonly first: bigint;
  readonly last: bigint;
  readonly lastHash: Bytes;
}

/** A run. */
export interface RunRow {
  readonly id: string;
  readonly wish: RunWish;
  /** Name of the table of the results; undefined if a command fetches them. */
  readonly table: string | undefined;
  /** The folder or the table, for people. */
  readonly destination: string;
  readonly state: RunState;
  readonly error: string | undefined;
  /** Undefined while it is being planned. */
  readonly blocks: RunBlocks | undefined;
  /** Number of ranges that have become jobs. */
  readonly planned: bigint;
  /** Number of ranges whose results have arrived, from the first one on without a gap. */
  readonly delivered: bigint;
}

/** Columns of {@link runRowOf}, of the table `r`. */
export const RUN_COLUMNS =
  "r.id, r.wanted, r.table_name, r.destination, r.state, r.error, r.first, r.last, r.last_hash, r.planned, r.delivered";

/** The row of an answer. */
export function runRowOf(row: Answer["rows"][number]): RunRow {
  const { first, last, last_hash: lastHash } = row;
  return {
    id: String(row.id),
    wish: row.wanted as RunWish,
    table: row.table_name == null ? undefined : String(row.table_name),
    destination: String(row.destination),
    state: row.state as RunState,
    error: row.error == null ? undefined : String(row.error),
    blocks:
      lastHash == null
        ? undefined
        : { first: BigInt(String(first)), last: BigInt(String(last)), lastHash: bytesOf(lastHash) },
    planned: BigInt(String(row.planned)),
    delivered: BigInt(String(row.delivered)),
  };
}

/** The name of a table as it stands in statements. @param table - with or without a schema; default: public */
export function quotedTable(table: string): string {
  const [schema, name] = table.includes(".") ? table.split(".", 2) : ["public", table];
  return [schema, name].map((part = "") => `"${part.replaceAll('"', '""')}"`).join(".");
}

/** The first and the last block of a range. */
export interface BlockRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** The number of ranges of a run, and the blocks of each. */
export function rangesOf({ blocks, wish }: RunRow): { readonly count: bigint; at(number: bigint): BlockRange } {
  if (blocks === undefined) throw new TypeError("rangesOf: the run is being planned");
  const { first, last } = blocks;
  const size = BigInt(wish.blocks);
  return {
    count: (last - first) / size + 1n,
    at(number) {
      const start = first + number * size;
      const end = start + size - 1n;
      return { first: start, last: end < last ? end : last };
    },
  };
}

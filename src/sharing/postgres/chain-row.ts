/** The row of a chain in the log. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { StreamPosition } from "../stream-position.ts";
import type { Answer, LogConnection } from "./connection.ts";

/** The row of a chain. */
export interface ChainRow {
  readonly id: string;
  /** The place after the last entry. */
  readonly head: StreamPosition;
  readonly epoch: bigint;
  /** False while its first base is being written. */
  readonly isReady: boolean;
  /** True while its writer has shown in time that it lives, by the clock of PostgreSQL. */
  readonly isAlive: boolean;
  /** Where readers forward requests to, and what they have to give there; undefined for a writer without a server. */
  readonly writer: { readonly url: string; readonly token: string } | undefined;
}

/** Columns of {@link chainRowOf}, of the table `c`. */
export const CHAIN_COLUMNS =
  "c.id, c.incarnation, c.sequence, c.hash, c.epoch, c.is_ready, c.lease_until > clock_timestamp() as is_alive, " +
  "c.address, c.token";

/** The row of an answer. */
export function chainRowOf(row: Answer["rows"][number]): ChainRow {
  const { address, token } = row;
  return {
    id: String(row.id),
    head: { incarnation: bytesOf(row.incarnation), sequence: BigInt(String(row.sequence)), hash: bytesOf(row.hash) },
    epoch: BigInt(String(row.epoch)),
    isReady: row.is_ready === true,
    isAlive: row.is_alive === true,
    writer: typeof address === "string" && typeof token === "string" ? { url: address, token } : undefined,
  };
}

/** Bytes of the driver as plain ones. */
export function bytesOf(value: unknown): Bytes {
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Reads the row of a chain by its name. The tables must be there. */
export async function readChainRow(connection: LogConnection, chain: string): Promise<ChainRow | undefined> {
  const text = `select ${CHAIN_COLUMNS} from hindcast.chains c where c.name = $1`;
  const [row] = (await connection.run({ name: "chain", text }, [chain])).rows;
  return row === undefined ? undefined : chainRowOf(row);
}

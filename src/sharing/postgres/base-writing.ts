/** Writes bases into PostgreSQL, and trims the log behind them: log and base together always have the whole chain. */
import type { Backend } from "../../store/backends/backend.ts";
import { BaseReading } from "../base-reading.ts";
import type { LogConnection } from "./connection.ts";
import type { WritingTerm } from "./postgres-log.ts";

/** Entries that are deleted by one statement. */
const TRIMMED_AT_ONCE = 1_000;

/** Bytes of entries after which a chain gets its next base, unless its last base is larger. */
export const BASE_AFTER_BYTES = 256 * 1024 * 1024;

/** The bytes of the entries since the last base of a chain, and of that base. */
export async function sizesOf(
  connection: LogConnection,
  { id }: WritingTerm,
): Promise<{ readonly entries: number; readonly base: number }> {
  const text = `select coalesce(b.bytes, 0) as base, (select coalesce(sum(octet_length(payload)), 0)
      from hindcast.entries where chain = $1 and sequence > coalesce(b.sequence, 0)) as entries
    from (select 1) one left join lateral (
      select sequence, bytes from hindcast.bases where chain = $1 and chunks is not null order by id desc limit 1
    ) b on true`;
  const [row] = (await connection.run({ text }, [id])).rows;
  return { entries: Number(row?.entries), base: Number(row?.base) };
}

/**
 * Writes a base of a database that is in the log, and deletes the entries before the base that was the last one until now.
 * So a reader may be behind by what comes between two bases.
 *
 * @returns its bytes
 */
export async function writeBase(connection: LogConnection, term: WritingTerm, database: Backend): Promise<number> {
  const reading = new BaseReading(database);
  const { sequence, hash } = reading.position;
  try {
    const create = "insert into hindcast.bases (chain, sequence, hash) values ($1, $2, $3) returning id";
    const base = String((await connection.run({ text: create }, [term.id, sequence, hash])).rows[0]?.id);
    const insert = `insert into hindcast.base_chunks (base, number, payload)
      select id, $2, $3 from hindcast.bases where id = $1`;
    let bytes = 0;
    let number = 0;
    for (; ; number++) {
      const chunk = await reading.chunk(number);
      if (chunk === undefined || chunk.length === 0) break;
      const { rowCount } = await connection.run({ name: "write chunk", text: insert }, [base, number, chunk]);
      // Another writer has deleted it: this one has lost the chain.
      if (rowCount === 0) break;
      bytes += chunk.length;
    }
    // Of a log that went back meanwhile, this would not be a base.
    const finish = `update hindcast.bases b set chunks = $2, bytes = $3 from hindcast.chains c
      where b.id = $1 and c.id = b.chain and c.epoch = $4 and (
        (c.sequence = b.sequence and c.hash = b.hash) or exists (
          select 1 from hindcast.entries e where e.chain = c.id and e.sequence = b.sequence and e.hash = b.hash))`;
    const { rowCount } = await connection.run({ text: finish }, [base, number, bytes, term.epoch]);
    if (rowCount === 1) await trim(connection, term, base);
    return bytes;
  } finally {
    await reading.close();
  }
}

/** Deletes all before the base before this one, and older bases. */
async function trim(connection: LogConnection, { id, epoch }: WritingTerm, base: string): Promise<void> {
  const find = `select sequence, (select min(sequence) from hindcast.entries where chain = $1) as first
    from hindcast.bases where chain = $1 and chunks is not null and id < $2 order by id desc limit 1`;
  const [before] = (await connection.run({ text: find }, [id, base])).rows;
  if (before !== undefined && before.first !== null) {
    const end = Number(before.sequence);
    const remove = `delete from hindcast.entries e using hindcast.chains c
      where e.chain = $1 and e.sequence <= $2 and c.id = e.chain and c.epoch = $3`;
    for (let at = Number(before.first) + TRIMMED_AT_ONCE; ; at += TRIMMED_AT_ONCE) {
      await connection.run({ name: "trim", text: remove }, [id, Math.min(at, end), epoch]);
      if (at >= end) break;
    }
  }
  await connection.run({ text: "delete from hindcast.bases where chain = $1 and id < $2" }, [id, base]);
}

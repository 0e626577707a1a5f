/** The tables of a schema in PostgreSQL, which has a version: how they come about, and how a later program changes them. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { LogConnection, Run } from "./connection.ts";

/** Of all nodes that create tables at the same time. */
const LOCK = 4_206_317_118;

/** A schema and its history. */
export interface VersionedSchema {
  /** A name that needs no quotes. */
  readonly name: string;
  /** The tables' purpose, such as "shared chains", for errors. */
  readonly purpose: string;
  /** Each brings the tables from one version to the next. None changes once it is released. */
  readonly migrations: readonly string[];
  /** Tables whose column payload lz4 makes smaller, where the server has it. */
  readonly payloads: readonly string[];
}

/**
 * Creates the tables, or brings them to this version.
 *
 * @throws {UnsupportedError} `SHARED_LOG_REFUSED` for those of a later program
 */
export async function bringSchemaUpToDate(connection: LogConnection, schema: VersionedSchema): Promise<void> {
  const { name, migrations } = schema;
  if (await isUpToDate(connection, schema)) return;
  const before = await connection.transaction(async (run) => {
    await run({ text: "select pg_advisory_xact_lock($1)" }, [LOCK]);
    await run({ text: `create schema if not exists ${name}` });
    await run({ text: `create table if not exists ${name}.versions (version integer not null)` });
    const version = await versionOf(run, schema, connection.label);
    for (const migration of migrations.slice(version)) await run({ text: migration });
    await run({ text: `delete from ${name}.versions` });
    await run({ text: `insert into ${name}.versions values ($1)` }, [migrations.length]);
    return version;
  });
  if (before === 0) await compressPayloads(connection, schema);
}

async function compressPayloads(connection: LogConnection, { name, payloads }: VersionedSchema): Promise<void> {
  for (const table of payloads) {
    const text = `alter table ${name}.${table} alter column payload set compression lz4`;
    await connection.run({ text }).catch((error: unknown) => {
      // A server that was built without lz4 compresses by its own method.
      if (!(error instanceof UnsupportedError)) throw error;
    });
  }
}

/**
 * True if there are tables of this version.
 *
 * @throws {UnsupportedError} `SHARED_LOG_REFUSED` for those of a later program
 */
export async function isUpToDate(connection: LogConnection, schema: VersionedSchema): Promise<boolean> {
  const version = await versionOf((statement) => connection.run(statement), schema, connection.label);
  return version === schema.migrations.length;
}

/** 0 if there are no tables. */
async function versionOf(run: Run, { name, purpose, migrations }: VersionedSchema, label: string): Promise<number> {
  const { rows: found } = await run({ text: `select to_regclass('${name}.versions')::text as name` });
  if (found[0]?.name == null) return 0;
  const { rows } = await run({ text: `select version from ${name}.versions` });
  const version = Number(rows[0]?.version ?? 0);
  if (version <= migrations.length) return version;
  throw new UnsupportedError({
    code: "SHARED_LOG_REFUSED",
    what: `The tables of ${purpose} have version ${version}; this program knows versions up to ${migrations.length}.`,
    where: `The address of PostgreSQL: ${label}.`,
    fix: "Use the version of Hindcast that the writer has, or a later one.",
  });
}

/** The tables of runs over ranges of blocks, in a schema of their own: a chain's tables stay as they are. */
import type { LogConnection } from "../postgres/connection.ts";
import { bringSchemaUpToDate, type VersionedSchema } from "../postgres/schema-version.ts";

/**
 * A run is cut into ranges, of which a bounded number has rows: those whose results were not delivered yet. Pieces are the
 * results, each of one attempt, so that several attempts at a range do not mix.
 */
const SCHEMA: VersionedSchema = {
  name: "hindcast_jobs",
  purpose: "jobs",
  payloads: ["pieces"],
  migrations: [
    `create table hindcast_jobs.runs (
      id uuid primary key,
      chain text not null,
      wanted jsonb not null,
      table_name text,
      destination text not null,
      state text not null,
      error text,
      first bigint,
      last bigint,
      last_hash bytea,
      planned bigint not null default 0,
      delivered bigint not null default 0,
      command uuid,
      command_until timestamptz not null default '-infinity',
      begun_at timestamptz not null default now(),
      ended_at timestamptz
    );
    create table hindcast_jobs.ranges (
      run uuid not null references hindcast_jobs.runs on delete cascade,
      number bigint not null,
      job uuid not null,
      worker uuid,
      attempt uuid,
      attempts integer not null default 0,
      is_done boolean not null default false,
      bytes bigint not null default 0,
      primary key (run, number)
    );
    create table hindcast_jobs.pieces (
      run uuid not null references hindcast_jobs.runs on delete cascade,
      attempt uuid not null,
      block bigint not null,
      part integer not null,
      hash bytea not null,
      payload bytea not null,
      primary key (run, attempt, block, part)
    );
    create table hindcast_jobs.workers (
      id uuid primary key,
      chain text not null,
      alive_until timestamptz not null
    )`,
  ],
};

/** Creates the tables, or brings them to this version. @throws {UnsupportedError} `SHARED_LOG_REFUSED` */
export const createJobTables = (connection: LogConnection): Promise<void> => bringSchemaUpToDate(connection, SCHEMA);

/** The tables of shared chains in PostgreSQL, and how they come about. */
import type { LogConnection } from "./connection.ts";
import { bringSchemaUpToDate, isUpToDate, type VersionedSchema } from "./schema-version.ts";

/**
 * Entries hold the changes, of which long ones have several parts. A base has its chunks. A chain's row is what writers lock.
 */
const SCHEMA: VersionedSchema = {
  name: "hindcast",
  purpose: "shared chains",
  payloads: ["entries", "base_chunks"],
  migrations: [
    `create table hindcast.chains (
      id bigint generated always as identity primary key,
      name text not null unique,
      incarnation bytea not null,
      epoch bigint not null default 0,
      sequence bigint not null default 0,
      hash bytea not null,
      is_ready boolean not null default false,
      description text not null default '',
      lease_until timestamptz not null default '-infinity',
      address text,
      token text
    ) with (fillfactor = 20);
    create table hindcast.entries (
      chain bigint not null references hindcast.chains on delete cascade,
      sequence bigint not null,
      part integer not null,
      parts integer not null,
      epoch bigint not null,
      hash bytea not null,
      payload bytea not null,
      primary key (chain, sequence, part)
    );
    create table hindcast.bases (
      id bigint generated always as identity primary key,
      chain bigint not null references hindcast.chains on delete cascade,
      sequence bigint not null,
      hash bytea not null,
      chunks integer,
      bytes bigint
    );
    create table hindcast.base_chunks (
      base bigint not null references hindcast.bases on delete cascade,
      number integer not null,
      payload bytea not null,
      primary key (base, number)
    )`,
  ],
};

/** Creates the tables, or brings them to this version. @throws {UnsupportedError} `SHARED_LOG_REFUSED` */
export const createTables = (connection: LogConnection): Promise<void> => bringSchemaUpToDate(connection, SCHEMA);

/** True if there are tables of this version, which readers do not create. */
export const hasTables = (connection: LogConnection): Promise<boolean> => isUpToDate(connection, SCHEMA);

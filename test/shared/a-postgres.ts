/** A PostgreSQL for tests: a cluster in a temporary folder that can be stopped and killed, or the one of HINDCAST_TEST_POSTGRES. */
import { it } from "vitest";
import { postgresPrograms, queryAt, startCluster } from "./cluster.mjs";

/** A server, with one database. */
export interface TestPostgres {
  /** With the password. */
  readonly url: string;
  readonly password: string;
  query(text: string, values?: readonly unknown[]): Promise<Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** A server that belongs to a test. */
export interface TestCluster extends TestPostgres {
  start(): Promise<void>;
  /** `immediate` is a crash: what is not written to the log of the server is lost. */
  stop(how: "fast" | "immediate"): Promise<void>;
  /** A hot standby of it: a copy that follows, is read, and can take its place. */
  standby(): Promise<{ readonly url: string; promote(): Promise<void> }>;
  /** The process that listens. */
  pid(): Promise<number>;
  /** Gives files to the user of the server. */
  ownedByServer(paths: readonly string[]): Promise<void>;
  /** What it has logged. */
  log(): Promise<string>;
  /** A disk that can be full; undefined where none was asked for, or could be mounted. */
  readonly disk: { fill(): Promise<void>; free(): Promise<void> } | undefined;
}

/** A test that needs PostgreSQL; left out, with a line that says so, where there is none. */
export const withCluster: typeof it = await (async () => {
  if ((await postgresPrograms()) !== undefined) return it;
  process.stderr.write("Left out: PostgreSQL is not installed (apt-get install postgresql).\n");
  return it.skip as typeof it;
})();

/** A test for which another server is as good: that of HINDCAST_TEST_POSTGRES. */
export const withPostgres: typeof it = process.env.HINDCAST_TEST_POSTGRES === undefined ? withCluster : it;

/** A cluster of its own, which listens on this machine alone. @param diskMebibytes - of a disk that can be full */
export const aCluster = (
  settings: Readonly<Record<string, string>> = {},
  diskMebibytes?: number,
): Promise<TestCluster> => startCluster(settings, diskMebibytes);

/** The server of HINDCAST_TEST_POSTGRES, or a cluster. */
export async function aPostgres(): Promise<TestPostgres> {
  const url = process.env.HINDCAST_TEST_POSTGRES;
  if (url === undefined) return aCluster();
  const { password } = new URL(url);
  return { url, password, query: (text, values) => queryAt(url, text, values), close: async () => undefined };
}

/** A connection to PostgreSQL that is opened again when it is lost. Each statement has a time limit. */
import { RemoteError, UnsupportedError } from "../../errors/hindcast-error.ts";
import { redactText, redactUrl, secretsOf } from "../../remote/transport/redact.ts";
import { type DriverClient, loadDriver } from "./driver.ts";

/** A statement; one with a name is prepared once for each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** The rows of an answer, and how many it changed. */
export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number;
}

/** Runs a statement on the connection of a transaction. */
export type Run = (statement: Statement, values?: readonly unknown[]) => Promise<Answer>;

/** Milliseconds in which a connection has to open. */
const CONNECT_MS = 5_000;
/** Milliseconds that a statement may take at the server. */
const STATEMENT_MS = 15_000;
/** Milliseconds after which a connection that says nothing is given up. */
const SILENCE_MS = 20_000;

/** Conditions that end by themselves: connections, shortages, conflicts, a server that starts or stops or is a copy. */
const PASSING = /^(?:08|40|53|55|57|58)|^25006$/;

/** A prepared statement is not there, or was there before: a pooler has given this connection another one of the server. */
const POOLED = /^(?:26000|42P05)$/;

/** Codes of Node for certificates that are not trusted, and the driver's words for a server without TLS. */
const UNTRUSTED = /^(?:ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;
const WITHOUT_TLS = /does not support SSL/;

/** One for each purpose, so that none waits behind another. Statements run one after another. */
export class LogConnection {
  /** The address without credentials. */
  readonly label: string;
  readonly #url: string;
  readonly #secrets: readonly string[];
  readonly #onNotification: ((payload: string) => void) | undefined;
  #client: Promise<DriverClient> | undefined;
  #open: DriverClient | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** Statements are prepared each time anew. */
  #isPooled = false;
  #isClosed = false;

  /** @param onNotification - called for announcements, once the connection has said LISTEN */
  constructor(url: string, onNotification?: (payload: string) => void) {
    this.#url = url;
    this.label = redactUrl(url);
    this.#secrets = secretsOf(url, {});
    this.#onNotification = onNotification;
  }

  /**
   * Runs a statement.
   *
   * @throws {RemoteError} `SHARED_LOG_UNREACHABLE`: it may have run
   * @throws {UnsupportedError} `SHARED_LOG_REFUSED`, `PACKAGE_MISSING`
   */
  run(statement: Statement, values: readonly unknown[] = []): Promise<Answer> {
    return this.#inTurn(async (client) => {
      try {
        return await this.#query(client, statement, values);
      } catch (error) {
        // It did not run.
        if (this.#isPooled || !isOfPooler(error)) throw error;
        this.#isPooled = true;
        return this.#query(client, statement, values);
      }
    });
  }

  /** Runs statements in one transaction. @throws as {@link run}; then it may have been committed only if the commit ran */
  transaction<T>(task: (run: Run) => Promise<T>): Promise<T> {
    return this.#inTurn(async (client) => {
      const run: Run = (statement, values = []) => this.#query(client, statement, values);
      await run({ text: "begin" });
      const result = await task(run);
      await run({ text: "commit" });
      return result;
    });
  }

  #query(client: DriverClient, { name, text }: Statement, values: readonly unknown[]): Promise<Answer> {
    const named = name === undefined || this.#isPooled ? {} : { name };
    return client.query({ ...named, text, values: [...values] });
  }

  /** True while a connection is open, as far as is known. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  #inTurn<T>(task: (client: DriverClient) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => this.#attempt(task));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #attempt<T>(task: (client: DriverClient) => Promise<T>): Promise<T> {
    try {
      if (this.#isClosed) throw new Error("the connection is closed");
      this.#client ??= this.#connect();
      return await task(await this.#client);
    } catch (error) {
      // A transaction that failed, or an answer that may still come, ends with its connection.
      this.#drop();
      throw this.#inWords(error);
    }
  }

  async #connect(): Promise<DriverClient> {
    const { Client } = await loadDriver();
    const client = new Client({
      connectionString: this.#url,
      application_name: "hindcast",
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: SILENCE_MS,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
    });
    const lost = (): void => {
      if (this.#open === client) this.#drop();
      client.end().catch(() => undefined);
    };
    client.on("error", lost);
    client.on("end", lost);
    const notify = this.#onNotification;
    if (notify !== undefined) client.on("notification", ({ payload = "" }) => notify(payload));
    try {
      await client.connect();
      const { rows } = await client.query({ text: "show synchronous_commit", values: [] });
      if (rows[0]?.synchronous_commit === "off") throw losesCommits(this.label);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    this.#open = client;
    return client;
  }

  #drop(): void {
    const client = this.#open;
    this.#open = undefined;
    this.#client = undefined;
    // Not awaited: a server that does not answer does not say goodbye, either.
    client?.end().catch(() => undefined);
    client?.connection?.stream?.destroy();
  }

  #inWords(error: unknown): unknown {
    if (error instanceof UnsupportedError) return error;
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const said = redactText(String(message ?? error), this.#secrets);
    if (UNTRUSTED.test(String(code)) || WITHOUT_TLS.test(said)) return this.#untrusted(said);
    const isState = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && code !== "EPIPE";
    if (isOfPooler(error)) this.#isPooled = true;
    else if (isState && !PASSING.test(code)) {
      return new UnsupportedError({
        code: "SHARED_LOG_REFUSED",
        what: `PostgreSQL refuses: ${said} (${code}).`,
        where: `Its address: ${this.label}.`,
        fix: "Correct the URL, or the rights of its user: it needs to create a schema, or to use the schema hindcast.",
      });
    }
    return new RemoteError({
      code: "SHARED_LOG_UNREACHABLE",
      what: `PostgreSQL does not answer: ${said || "no connection"}.`,
      where: `Its address: ${this.label}.`,
      fix: "Start it, or check the address: this node goes on trying.",
    });
  }

  #untrusted(said: string): UnsupportedError {
    return new UnsupportedError({
      code: "SHARED_LOG_REFUSED",
      what: `The connection to PostgreSQL is not secure: ${said}.`,
      where: `Its address: ${this.label}.`,
      fix: "Give the certificate of its authority, and the name in its own: ?sslmode=verify-full&sslrootcert=FILE.",
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drop();
    await this.#turn;
  }
}

function isOfPooler(error: unknown): boolean {
  return POOLED.test(String((error as { readonly code?: unknown }).code));
}

function losesCommits(label: string): UnsupportedError {
  return new UnsupportedError({
    code: "SHARED_LOG_REFUSED",
    what: "This PostgreSQL has synchronous_commit = off: it would lose blocks that clients were answered.",
    where: `Its address: ${label}.`,
    fix: "Set it to on or remote_apply, for the server or for the user of the URL: ALTER ROLE … SET synchronous_commit = on.",
  });
}

/** What carries the page's requests to its node. The program that renders the page says which before it does. */

/** A request of JSON-RPC. */
export interface PageRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer to a request: what the method returned, or its error. */
export interface PageAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A way to the node. */
export interface Connection {
  /** Address of the node for other programs; undefined if nothing else reaches it. */
  readonly url: string | undefined;

  /**
   * Answers requests, in their order.
   *
   * @param signal - stops them
   * @throws {TypeError} if the node cannot be reached
   */
  send(requests: readonly PageRequest[], signal?: AbortSignal): Promise<readonly PageAnswer[]>;

  /**
   * Subscribes to new heads.
   *
   * @param onEnd - called once, when none will come any more
   */
  watchHeads(onHead: () => void, onEnd: () => void): void;
}

/** The one of this page. */
const state: { connection?: Connection } = {};

/** Sets the connection of this page. */
export function connect(connection: Connection): void {
  state.connection = connection;
}

/** The connection of this page. */
export function connection(): Connection {
  if (state.connection === undefined) throw new Error("The page was rendered before it was connected.");
  return state.connection;
}

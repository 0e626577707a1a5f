/**
 * A node's JSON-RPC endpoints: the provider for programs in the same process, and servers. All pass requests to one
 * dispatcher.
 *
 * Servers are loaded at the first `listen`, so that a program that only embeds a chain does not load HTTP.
 */
import { given } from "../primitives/validation/given.ts";
import type { RpcContext } from "../rpc/context.ts";
import { Dispatcher } from "../rpc/dispatch.ts";
import type { MethodTable } from "../rpc/method-table.ts";
import { Provider } from "../rpc/provider.ts";
import { nodeClosed } from "../rpc/requests/node-closed.ts";
import { SlowRequests } from "../rpc/requests/slow-requests.ts";
import type { Wording } from "../rpc/words/words.ts";
import type { RequestHandler } from "../server/handler.ts";
import type { RunningIpcServer } from "../server/sockets/start-ipc-server.ts";
import type { RunningServer } from "../server/start-server.ts";
import type { Backend } from "./backend.ts";
import { foreign, upstreamTrace } from "./fork/upstream-traces.ts";
import { checkListenIpcOptions, checkListenOptions } from "./options/check-options.ts";
import { behaviourOf, type DialectBehaviour } from "./options/dialect.ts";
import type { ListenIpcOptions, ListenOptions, NodeOptions } from "./options/options.ts";

/** Loaded with the first error. */
const WORDINGS: Readonly<Record<DialectBehaviour["errorWords"], (() => Promise<Wording>) | undefined>> = {
  "geth's": undefined,
  "Anvil's": async () => (await import("../rpc/words/anvil.ts")).anvilWords,
  "Hardhat's": async () => (await import("../rpc/words/hardhat.ts")).hardhatWords,
  "Ganache's": async () => (await import("../rpc/words/ganache.ts")).ganacheWords,
};

/** Tells methods that the explorer of the server is read-only. */
const readOnly = (handler: RequestHandler): RequestHandler => ({
  handle: (text, context) => handler.handle(text, { ...context, isReadOnly: true }),
  refuse: (reason, limitBytes) => handler.refuse(reason, limitBytes),
});

interface Closable {
  close(): Promise<void>;
}

/** The provider and the servers of one node. */
export class RpcEndpoints {
  readonly provider: Provider;
  readonly #dispatcher: Dispatcher;
  readonly #context: RpcContext;
  readonly #methods: MethodTable;
  readonly #servers = new Set<Closable>();
  readonly #onError: (error: unknown) => void;
  readonly #onNotice: ((notice: string) => void) | undefined;
  readonly #slow: SlowRequests | undefined;
  #isClosed = false;

  constructor({ context, methods, chain, console, bases }: Backend, options: NodeOptions) {
    this.#context = context;
    this.#methods = methods;
    this.#onError = options.onError ?? (() => undefined);
    this.#onNotice = options.onNotice;
    const { onSlowRequest } = options;
    this.#slow =
      onSlowRequest &&
      new SlowRequests((method, elapsedMs) => {
        if (context.control.isLogging) onSlowRequest(method, elapsedMs);
      });
    const habits = behaviourOf(options.dialect);
    this.#dispatcher = new Dispatcher({
      methods,
      beginReading: () => chain.readers.begin(),
      slow: this.#slow,
      context,
      answerInstead: (request) => {
        const isWanted = bases.tracesUpstream;
        const history = isWanted ? chain.history : foreign(chain.history);
        return history === undefined ? undefined : upstreamTrace(history, request, isWanted);
      },
      paramForms: {
        isLoose: habits.looseParams,
        wordLength: habits.wordLength,
        fullTransactions: habits.fullTransactions,
      },
      wording: WORDINGS[habits.errorWords],
      onRequest: (method, error) => {
        if (!context.control.isLogging) return;
        try {
          options.onRequest?.(method, error);
        } catch (thrown) {
          // An error in the user's log callback must not affect the answer.
          this.#onError(thrown);
        }
      },
    });
    this.provider = new Provider(this.#dispatcher, options.responseShape ?? "standard", console, this.#onError);
  }

  /** See `HindcastNode.listen`. */
  async listen(options: ListenOptions): Promise<RunningServer> {
    checkListenOptions(options);
    const [{ startServer }, { Pages }] = await Promise.all([
      import("../server/start-server.ts"),
      import("./pages/pages.ts"),
    ]);
    const { explorer, sourcify = true, ...server } = options;
    const source = { context: this.#context, methods: this.#methods, servesSources: sourcify };
    const pages = await Pages.open(source, explorer ?? true);
    const parts = {
      handler: explorer === "read-only" ? readOnly(this.#dispatcher) : this.#dispatcher,
      onError: this.#onError,
      onRefused: this.#onNotice,
      pageAt: (path: string) => pages.at(path),
    };
    return this.#open(() => startServer({ ...given(server), ...parts }));
  }

  /** See `HindcastNode.listenIpc`. */
  async listenIpc(options: ListenIpcOptions): Promise<RunningIpcServer> {
    checkListenIpcOptions(options);
    const { startIpcServer } = await import("../server/sockets/start-ipc-server.ts");
    return this.#open(() => startIpcServer({ ...given(options), handler: this.#dispatcher, onError: this.#onError }));
  }

  /** No server starts after {@link close}, because nobody would close it and it would keep the process alive. */
  async #open<Server extends Closable>(start: () => Promise<Server>): Promise<Server> {
    if (this.#isClosed) throw nodeClosed();
    const server = await start();
    this.#servers.add(server);
    if (!this.#isClosed) return server;
    await server.close();
    throw nodeClosed();
  }

  /** Aborts running requests, refuses those that wait, and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#dispatcher.close();
    this.provider.close();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}

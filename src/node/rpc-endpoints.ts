/**
 * A node's JSON-RPC endpoints: the provider for programs in the same process, and servers. All pass requests to one
 * dispatcher.
 *
 * Servers are those of `servers.ts`.
 */
import { Dispatcher } from "../rpc/dispatch.ts";
import { callOf } from "../rpc/method.ts";
import type { MessageEndpoint } from "../rpc/port/messages.ts";
import { servePort } from "../rpc/port/serve-port.ts";
import { Provider } from "../rpc/provider.ts";
import { nodeClosed } from "../rpc/requests/node-closed.ts";
import { SlowRequests } from "../rpc/requests/slow-requests.ts";
import type { Wording } from "../rpc/words/words.ts";
import type { RunningIpcServer } from "../server/sockets/start-ipc-server.ts";
import type { RunningServer } from "../server/start-server.ts";
import type { Backend } from "./backend.ts";
import { foreign, upstreamTrace } from "./fork/upstream-traces.ts";
import { checkListenIpcOptions, checkListenOptions } from "./options/check-options.ts";
import { behaviourOf, type DialectBehaviour } from "./options/dialect.ts";
import type { ListenIpcOptions, ListenOptions, NodeOptions } from "./options/options.ts";
import { httpServer, ipcServer, type Served } from "./servers.ts";

/** Loaded with the first error. */
const WORDINGS: Readonly<Record<DialectBehaviour["errorWords"], (() => Promise<Wording>) | undefined>> = {
  "geth's": undefined,
  "Anvil's": async () => (await import("../rpc/words/anvil.ts")).anvilWords,
  "Hardhat's": async () => (await import("../rpc/words/hardhat.ts")).hardhatWords,
  "Ganache's": async () => (await import("../rpc/words/ganache.ts")).ganacheWords,
};

interface Closable {
  close(): Promise<void>;
}

/** The provider and the servers of one node. */
export class RpcEndpoints {
  readonly provider: Provider;
  readonly #dispatcher: Dispatcher;
  readonly #served: Served;
  readonly #servers = new Set<Closable>();
  readonly #onError: (error: unknown) => void;
  readonly #newProvider: () => Provider;
  /** Providers of ports. */
  readonly #ports = new Set<Provider>();
  readonly #slow: SlowRequests | undefined;
  readonly #sharing: Backend["sharing"];
  #isClosed = false;

  constructor({ context, methods, chain, console, bases, sharing }: Backend, options: NodeOptions) {
    this.#onError = options.onError ?? (() => undefined);
    this.#sharing = sharing;
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
        sharing?.requireLease(request.method);
        if (sharing?.follower !== undefined) return sharing.forwarding(context).answer(request);
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
    sharing?.answerBy((method, params, call) => this.#dispatcher.run(method, params, callOf(call)));
    sharing?.work({
      get headNumber() {
        return chain.head.header.number;
      },
      hashAt: (number) => chain.archive.canonicalHash(number),
      answer: (method, params, signal) =>
        this.#dispatcher.resultText(method, params, callOf({ signal, responseShape: "standard" })),
    });
    const { onNotice } = options;
    this.#served = { handler: this.#dispatcher, context, methods, onError: this.#onError, onNotice };
    this.#newProvider = () =>
      new Provider(this.#dispatcher, options.responseShape ?? "standard", console, this.#onError);
    this.provider = this.#newProvider();
  }

  /** See `HindcastNode.listen`. */
  async listen(options: ListenOptions): Promise<RunningServer> {
    checkListenOptions(options);
    const server = await this.#open(await httpServer(options, this.#served));
    await this.#sharing?.listening(server.url);
    return server;
  }

  /** See `HindcastNode.listenIpc`. */
  async listenIpc(options: ListenIpcOptions): Promise<RunningIpcServer> {
    checkListenIpcOptions(options);
    return this.#open(await ipcServer(options, this.#served));
  }

  /** See `HindcastNode.serveOn`. */
  serveOn(port: MessageEndpoint): () => void {
    const provider = this.#newProvider();
    this.#ports.add(provider);
    const end = (): void => {
      this.#ports.delete(provider);
      provider.close();
    };
    const stop = servePort(provider, port, end);
    return () => {
      stop();
      end();
    };
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
    for (const provider of [this.provider, ...this.#ports]) provider.close();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }
}

/** The EIP-1193 provider for programs in the same process, typed by the registry. */
import { type CustomError, HindcastError } from "../errors/hindcast-error.ts";
import { addLazyMembers } from "../errors/lazy-members.ts";
import type { ConsoleLogs } from "../explain/console/console-logs.ts";
import { listener as listenerShape, requireShape } from "../primitives/validation/shape.ts";
import type { Session } from "../server/handler.ts";
import type { Dispatcher } from "./dispatch.ts";
import { encodeConsoleLog } from "./encode/console-log.ts";
import type { ResponseShape } from "./encode/shape.ts";
import { type Listener, onceOnly, standsFor } from "./once-listener.ts";
import { MessageQueue, type ProviderMessage } from "./requests/message-queue.ts";
import { nodeClosed } from "./requests/node-closed.ts";
import type { Methods } from "./wire-types.generated.ts";

/** EIP-1193 `ProviderRpcError`: the error that a failed request rejects with. */
export class ProviderRpcError extends Error {
  /** JSON-RPC or EIP-1193 error number. */
  readonly code: number;
  readonly data: unknown;
  /**
   * Stack trace of a failed call in the Solidity source, with the reason, as text. Undefined if the node has no source
   * of the contract.
   */
  declare readonly solidityStack: string | undefined;
  /** The value, parameter or limit concerned, in words. */
  readonly where: string | undefined;
  /** A sentence about how to fix the error. */
  readonly fix: string | undefined;
  /** Address of the contract that was called. */
  readonly contract: string | undefined;
  /** Name of that contract in the ABIs that the node was given. */
  declare readonly contractName: string | undefined;
  /** Hash of the transaction that was refused. */
  readonly transaction: string | undefined;
  /** The same hash, by the name that Hardhat has for it. */
  readonly transactionHash: string | undefined;
  /** The Solidity error that a call reverted with, if an ABI that the node was given has it. */
  declare readonly customError: CustomError | undefined;

  constructor(error: HindcastError) {
    const isLate = error.hasLateMessage;
    const { stackTraceLimit } = Error;
    if (isLate) Error.stackTraceLimit = 0;
    super(isLate ? "" : error.rpcMessage, { cause: error });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "ProviderRpcError";
    this.code = error.rpcCode;
    this.data = error.rpcData;
    this.where = error.where;
    this.fix = error.fix;
    const { contract, contractName, transaction, customError } = error.facts;
    this.contract = contract;
    this.transaction = transaction;
    this.transactionHash = transaction;
    addLazyMembers(this, {
      contractName: () => contractName?.(),
      solidityStack: () => error.solidityStack,
      customError: () => customError?.(),
      ...(isLate ? lateText(this, error) : {}),
    });
  }
}

/**
 * The message, and the stack that begins with it. The stack comes first: V8 writes its own when that member is replaced,
 * and reads the message for it.
 */
function lateText(target: ProviderRpcError, error: HindcastError): Readonly<Record<string, () => unknown>> {
  const callers: { readonly stack?: string } = {};
  Error.captureStackTrace(callers, ProviderRpcError);
  return {
    stack: () => [`Error: ${target.message}`, ...(callers.stack ?? "").split("\n").slice(1)].join("\n"),
    message: () => error.rpcMessage,
  };
}

/** Name of a method of this node. */
export type MethodName = keyof Methods;

/** Params of a method in JSON form; those with a default may be left out. */
export type ParamsOf<Name extends MethodName> = NonNullable<Methods[Name]["request"]["params"]>;

/** Result of a method in JSON form. */
export type ResultOf<Name extends MethodName> = Methods[Name]["result"];

/** Requests run in this process, without JSON text. Results are plain JSON values that the caller owns. */
export interface Eip1193Provider {
  /**
   * Runs a method of this node.
   *
   * @throws {ProviderRpcError} with the JSON-RPC code, or 4900 once the node is closed
   */
  request<Name extends MethodName>(
    args: { readonly method: Name } & Methods[Name]["request"],
  ): Promise<Methods[Name]["result"]>;
  /**
   * Cannot be called. With a second signature TypeScript compares this member to viem's `EIP1193RequestFn` without type
   * parameters, so that the provider is assignable to viem's and wagmi's types. It has two parameters and stands last,
   * so that complaints and editors show the first signature only.
   */
  request(...uncallable: [never, never]): Promise<never>;
  /** As {@link request}, for names and params that are only known at run time. */
  send(method: string, params?: readonly unknown[] | object): Promise<unknown>;
  on(event: string, listener: (...values: unknown[]) => void): this;
  removeListener(event: string, listener: (...values: unknown[]) => void): this;
  /** As {@link on}, for the next event only. */
  once(event: string, listener: (...values: unknown[]) => void): this;
  /** As {@link on}. */
  addListener(event: string, listener: (...values: unknown[]) => void): this;
  /** As {@link removeListener}. */
  off(event: string, listener: (...values: unknown[]) => void): this;
  /** Removes the listeners of an event, or of all events. */
  removeAllListeners(event?: string): this;
}

/** The provider of one node. */
export class Provider implements Eip1193Provider {
  readonly #dispatcher: Dispatcher;
  readonly #responseShape: ResponseShape;
  readonly #console: ConsoleLogs;
  readonly #onError: (error: unknown) => void;
  #stopConsole: (() => void) | undefined;
  /** By event, in order of registration; a listener that was added twice is called twice. */
  readonly #listeners = new Map<string, readonly Listener[]>();
  readonly #closing = new AbortController();
  readonly #messages = new MessageQueue((message) => this.#tellAll(message));
  /** Session of this provider's subscriptions: their notifications become `message` events (EIP-1193). */
  readonly #session = {
    id: 0,
    send: (text: string): void => {
      const { method, params } = JSON.parse(text) as { readonly method: string; readonly params: unknown };
      this.#messages.push({ type: method, data: params });
    },
    received: (): Promise<void> | undefined => this.#messages.received(),
    onClose: (listener: () => void): void => {
      this.#closing.signal.addEventListener("abort", listener, { once: true });
    },
  } satisfies Session;

  /**
   * @param console - its lines become `message` events of type `hindcast_consoleLog`
   * @param onError - called with errors that listeners throw
   */
  constructor(
    dispatcher: Dispatcher,
    responseShape: ResponseShape,
    console: ConsoleLogs,
    onError: (error: unknown) => void,
  ) {
    this.#dispatcher = dispatcher;
    this.#responseShape = responseShape;
    this.#console = console;
    this.#onError = onError;
  }

  /**
   * Runs a method.
   *
   * @throws {ProviderRpcError} with the JSON-RPC code, or 4900 once the node is closed
   */
  async request(args: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<never> {
    if (this.#closing.signal.aborted) throw new ProviderRpcError(nodeClosed());
    let subscribes = false;
    try {
      const call = {
        signal: this.#closing.signal,
        responseShape: this.#responseShape,
        session: this.#session,
        // Held for a turn, so that code that awaits the answer continues first.
        afterAnswer: (task: () => void): void => {
          subscribes = true;
          this.#messages.hold();
          task();
        },
      };
      // JavaScript callers may pass only a name, or nothing.
      return (await this.#dispatcher.run(args?.method, args?.params, call)) as never;
    } catch (error) {
      // Closing aborts requests and closes the store, which fails them in various ways: all report the close as the
      // reason.
      const reason = this.#closing.signal.aborted ? nodeClosed(error) : error;
      throw reason instanceof HindcastError ? new ProviderRpcError(reason) : reason;
    } finally {
      // Listeners have run when the code that awaits the answer continues.
      const received = subscribes ? undefined : this.#messages.received();
      if (received !== undefined) await received;
    }
  }

  send(method: string, params?: readonly unknown[] | object): Promise<unknown> {
    return this.request({ method, ...(params === undefined ? {} : { params }) });
  }

  on(event: string, listener: (...values: unknown[]) => void): this {
    requireShape(listenerShape(), listener, "listener");
    this.#listeners.set(event, [...this.#listenersOf(event), listener]);
    // Lines are decoded only while there is a listener.
    if (event === "message") {
      this.#stopConsole ??= this.#console.on((log) => {
        this.#messages.push({ type: "hindcast_consoleLog", data: encodeConsoleLog(log) });
      });
    }
    return this;
  }

  removeListener(event: string, listener: (...values: unknown[]) => void): this {
    const listeners = this.#listenersOf(event);
    const last = listeners.findLastIndex((each) => standsFor(each, listener));
    this.#listeners.set(
      event,
      listeners.filter((_, index) => index !== last),
    );
    if (this.#listenersOf("message").length === 0) this.#endConsole();
    return this;
  }

  once(event: string, listener: Listener): this {
    requireShape(listenerShape(), listener, "listener");
    return this.on(
      event,
      onceOnly(listener, (call) => this.removeListener(event, call)),
    );
  }

  addListener(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  off(event: string, listener: Listener): this {
    return this.removeListener(event, listener);
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
    if (this.#listenersOf("message").length === 0) this.#endConsole();
    return this;
  }

  /** Tells of a message, and of one of a subscription also by the events that EIP-1193 had before. */
  #tellAll(message: ProviderMessage): void {
    this.#tell("message", message);
    const { type: method, data: params } = message;
    if (method !== "eth_subscription") return;
    // Hardhat 2 and Ganache still have these.
    this.#tell("notification", params);
    this.#tell("data", { jsonrpc: "2.0", method, params });
  }

  /** Calls all listeners even if one throws. */
  #tell(event: "message" | "notification" | "data" | "disconnect", value: unknown): void {
    for (const listener of this.#listenersOf(event)) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #listenersOf(event: string): readonly Listener[] {
    return this.#listeners.get(event) ?? [];
  }

  #endConsole(): void {
    this.#stopConsole?.();
    this.#stopConsole = undefined;
  }

  /** Aborts running requests; later ones reject with 4900. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#endConsole();
    this.#messages.clear();
    this.#tell("disconnect", new ProviderRpcError(nodeClosed()));
    this.#listeners.clear();
  }
}

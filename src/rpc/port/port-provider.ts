/** A provider of a node in another thread. It is small, and loads nothing of the node. */
import { errorFromPort, type FromNode, type MessageEndpoint, type PortError, type ToNode } from "./messages.ts";

type Listener = (...values: unknown[]) => void;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** EIP-1193: a request of a provider that is disconnected. */
const DISCONNECTED = 4900;

/** Passes requests through a port, in their order, and events back. */
export class PortProvider {
  readonly #port: MessageEndpoint;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, readonly Listener[]>();
  readonly #receive = ({ data }: { readonly data: unknown }): void => {
    // The other thread may send anything.
    if (typeof data === "object" && data !== null) this.#take(data as FromNode);
  };
  #lastId = 0;
  #end: Error | undefined;

  constructor(port: MessageEndpoint) {
    this.#port = port;
    port.addEventListener("message", this.#receive);
    port.start?.();
  }

  /**
   * Runs a method of the node.
   *
   * @throws {Error} with the code and the data of the node's error; 4900 once the node or the port is closed
   */
  request(args: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end);
      const id = ++this.#lastId;
      // Throws for what cannot be cloned, such as a function.
      this.#post({ id, method: args.method, params: args.params });
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** As {@link request}, with the params apart. */
  send(method: string, params?: readonly unknown[] | object): Promise<unknown> {
    return this.request({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Calls a listener for each event: `message`, with what `eth_subscribe` asked for, and `disconnect`. */
  on(event: string, listener: Listener): this {
    this.#set(event, [...this.#of(event), listener]);
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    const last = this.#of(event).lastIndexOf(listener);
    this.#set(
      event,
      this.#of(event).filter((_, index) => index !== last),
    );
    return this;
  }

  /** Ends the connection, not the node. Requests that wait are rejected. Idempotent. */
  close(): void {
    if (this.#end !== undefined) return;
    this.#post({ ends: true });
    this.#disconnect({
      name: "ProviderRpcError",
      message: "The connection to the node is closed.",
      code: DISCONNECTED,
    });
    this.#port.close?.();
  }

  #of(event: string): readonly Listener[] {
    return this.#listeners.get(event) ?? [];
  }

  #set(event: string, listeners: readonly Listener[]): void {
    const [before, after] = [this.#of(event).length, listeners.length];
    this.#listeners.set(event, listeners);
    if (event === "message" && this.#end === undefined && before > 0 !== after > 0) this.#post({ listens: after > 0 });
  }

  #post(message: ToNode): void {
    this.#port.postMessage(message);
  }

  #take(message: FromNode): void {
    if ("event" in message) {
      if (message.event === "disconnect") this.#disconnect(message.value as PortError);
      else for (const listener of this.#of("message")) listener(message.value);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("error" in message) waiting?.reject(errorFromPort(message.error));
    else waiting?.resolve(message.result);
  }

  /** Rejects what waits, and what comes later. */
  #disconnect(reason: PortError): void {
    if (this.#end !== undefined) return;
    const error = errorFromPort(reason);
    this.#end = error;
    this.#port.removeEventListener("message", this.#receive);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const listener of this.#of("disconnect")) listener(error);
  }
}

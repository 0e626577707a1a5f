/** A provider that exists before its node: requests and listeners wait for the node. */
import { type Listener, onceOnly, standsFor } from "../rpc/once-listener.ts";
import type { Eip1193Provider } from "../rpc/provider.ts";

/**
 * The `provider` of `useHindcast()` before the first hook runs. Requests wait until a node is attached;
 * listeners move to the next node.
 */
export class LateProvider implements Eip1193Provider {
  readonly #listeners: (readonly [event: string, listener: Listener])[] = [];
  #provider: Eip1193Provider | undefined;
  #waiting: ((provider: Eip1193Provider) => void)[] = [];

  /** Attaches a node's provider, and passes on waiting listeners and requests. */
  attach(provider: Eip1193Provider): void {
    this.#provider = provider;
    for (const [event, listener] of this.#listeners) provider.on(event, listener);
    for (const resolve of this.#waiting.splice(0)) resolve(provider);
  }

  /** Detaches a closed node; another one may be attached. */
  detach(): void {
    this.#provider = undefined;
  }

  async request(args: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<never> {
    return (await this.send(args.method, args.params)) as never;
  }

  async send(method: string, params?: readonly unknown[] | object): Promise<unknown> {
    return (await this.#attached()).send(method, params);
  }

  async #attached(): Promise<Eip1193Provider> {
    return this.#provider ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  on(event: string, listener: Listener): this {
    this.#listeners.push([event, listener]);
    this.#provider?.on(event, listener);
    return this;
  }

  once(event: string, listener: Listener): this {
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
    const own = this.#listeners.filter(([name]) => event === undefined || name === event);
    for (const [name, listener] of own) this.removeListener(name, listener);
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    const index = this.#listeners.findLastIndex(([name, known]) => name === event && standsFor(known, listener));
    if (index >= 0) this.#listeners.splice(index, 1);
    this.#provider?.removeListener(event, listener);
    return this;
  }
}

/** JSON-RPC through an EIP-1193 provider: another node in this process, a viem transport, a wallet. */
import type { RemoteProvider } from "../upstream.ts";
import type { RpcAnswer, RpcError, RpcRequest, Transport, TransportReply } from "./transport.ts";

/** Sends requests to a provider. {@link close} leaves the provider open, because the caller made it. */
export class ProviderTransport implements Transport {
  readonly label = "provider";
  readonly maxBatch = 1;
  readonly #provider: RemoteProvider;

  constructor(provider: RemoteProvider) {
    this.#provider = provider;
  }

  async send(requests: readonly RpcRequest[], signal: AbortSignal): Promise<TransportReply> {
    return { answers: await untilAborted(Promise.all(requests.map((request) => this.#ask(request))), signal) };
  }

  async #ask({ id, method, params }: RpcRequest): Promise<RpcAnswer> {
    try {
      return { id, result: (await this.#provider.request({ method, params })) ?? null };
    } catch (error) {
      if (isRpcError(error)) return { id, error: toRpcError(error) };
      throw error;
    }
  }

  async close(): Promise<void> {
    // The provider belongs to the caller.
  }
}

/** EIP-1193: a provider rejects with an Error that has a numeric `code`. Some have no message. */
function isRpcError(error: unknown): error is Pick<RpcError, "code" | "data"> & { readonly message?: unknown } {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "number";
}

function toRpcError({
  code,
  message,
  data,
}: Pick<RpcError, "code" | "data"> & { readonly message?: unknown }): RpcError {
  return { code, message: typeof message === "string" ? message : "", data };
}

/** The promise's result, unless the signal aborts first. The provider itself cannot be aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

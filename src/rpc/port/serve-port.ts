/** Serves a provider to another thread. */
import { errorForPort, type FromNode, type MessageEndpoint, type ToNode } from "./messages.ts";

/** What is served: an EIP-1193 provider. */
export interface ServedProvider {
  request(args: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<unknown>;
  on?(event: string, listener: (...values: unknown[]) => void): unknown;
  removeListener?(event: string, listener: (...values: unknown[]) => void): unknown;
}

/**
 * Answers what comes through a port until the other side ends it. Requests that come before the provider is there wait for it.
 *
 * @param opening - the provider, or a promise of it; each port of a node has one of its own, with its own subscriptions
 * @param onEnd - called when the other side has ended
 * @returns a function that stops serving
 */
export function servePort(
  opening: ServedProvider | Promise<ServedProvider>,
  port: MessageEndpoint,
  onEnd: () => void = () => undefined,
): () => void {
  const provider = Promise.resolve(opening);
  provider.catch(() => undefined);
  const post = (message: FromNode): void => port.postMessage(message);
  const onMessage = (value: unknown): void => post({ event: "message", value });
  const onDisconnect = (error: unknown): void => post({ event: "disconnect", value: errorForPort(error) });
  let isListening = false;
  const listen = async (isWanted: boolean): Promise<void> => {
    const { on, removeListener } = boundTo(await provider);
    if (isWanted === isListening) return;
    isListening = isWanted;
    if (isWanted) on("message", onMessage);
    else removeListener("message", onMessage);
  };
  const answer = async ({ id, method, params }: Extract<ToNode, { readonly id: number }>): Promise<void> => {
    try {
      const result = await (await provider).request({ method, ...(params === undefined ? {} : { params }) });
      post({ id, result });
    } catch (error) {
      post({ id, error: errorForPort(error) });
    }
  };
  const receive = ({ data }: { readonly data: unknown }): void => {
    // The other thread may send anything.
    if (typeof data !== "object" || data === null) return;
    const message = data as ToNode;
    if ("id" in message) void answer(message);
    else if ("listens" in message) listen(message.listens).catch(() => undefined);
    else if ("ends" in message) {
      stop();
      onEnd();
    }
  };
  const stop = (): void => {
    port.removeEventListener("message", receive);
    void provider.then((open) => boundTo(open).removeListener("disconnect", onDisconnect)).catch(() => undefined);
    listen(false).catch(() => undefined);
  };
  port.addEventListener("message", receive);
  port.start?.();
  void provider.then((open) => boundTo(open).on("disconnect", onDisconnect)).catch(() => undefined);
  return stop;
}

/** Functions that add and remove listeners, also of a provider that has none. */
function boundTo(provider: ServedProvider): Required<Pick<ServedProvider, "on" | "removeListener">> {
  return {
    on: (...args) => provider.on?.(...args),
    removeListener: (...args) => provider.removeListener?.(...args),
  };
}

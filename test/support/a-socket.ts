/** A WebSocket client for tests: requests by id, notifications in the order in which they came. */
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";

export interface Notification {
  readonly subscription: string;
  readonly result: unknown;
}

export interface Socket {
  readonly webSocket: WebSocket;
  /** Everything received, in order: answers and notifications. */
  readonly received: readonly Record<string, unknown>[];
  /** Notifications of one subscription, in order. */
  notifications(subscription: string): unknown[];
  ask<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
  /** Settles once so many notifications of a subscription have come. */
  until(subscription: string, count: number): Promise<unknown[]>;
  close(): void;
}

/** Opens a connection that the end of the test closes. */
export async function aSocket(url: string): Promise<Socket> {
  const socket = await openSocket(url);
  onTestFinished(() => socket.close());
  return socket;
}

/** Opens a connection that its opener closes. */
export async function openSocket(url: string): Promise<Socket> {
  const webSocket = new WebSocket(url.replace(/^http/, "ws"));
  await new Promise<void>((resolve, reject) => {
    webSocket.once("open", () => resolve());
    webSocket.once("error", reject);
  });
  const received: Record<string, unknown>[] = [];
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  const watchers = new Set<() => void>();
  let nextId = 1;
  webSocket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Record<string, unknown>;
    received.push(message);
    const { id, error, result } = message as { id?: number; error?: { code: number; message: string }; result?: never };
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined) waiting.delete(id);
    if (error === undefined) asked?.resolve(result as never);
    else asked?.reject(Object.assign(new Error(error.message), { code: error.code }));
    for (const watcher of watchers) watcher();
  });
  const notifications = (subscription: string): unknown[] =>
    received
      .map(({ params }) => params as Notification | undefined)
      .filter((params) => params?.subscription === subscription)
      .map((params) => params?.result);
  return {
    webSocket,
    received,
    notifications,
    ask: (method, ...params) => {
      const id = nextId++;
      webSocket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    until: (subscription, count) =>
      new Promise((resolve) => {
        const watcher = (): void => {
          const list = notifications(subscription);
          if (list.length < count) return;
          watchers.delete(watcher);
          resolve(list);
        };
        watchers.add(watcher);
        watcher();
      }),
    close: () => webSocket.terminate(),
  };
}

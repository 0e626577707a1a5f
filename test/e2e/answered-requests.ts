/** Lets a test wait for what a client asks in the background: clients have no answer of their own to wait for. */

export interface AnsweredRequests {
  /** For the option of the same name. */
  readonly onRequest: (method: string) => void;
  /** Settles once a method that fits is answered after this call. */
  next(pattern: RegExp): Promise<void>;
}

/** Watches the requests of one node. */
export function answeredRequests(): AnsweredRequests {
  const watchers = new Set<(method: string) => void>();
  return {
    onRequest: (method) => {
      for (const watcher of watchers) watcher(method);
    },
    next: (pattern) =>
      new Promise((resolve) => {
        const watcher = (method: string): void => {
          if (!pattern.test(method)) return;
          watchers.delete(watcher);
          // The answer has yet to reach the client.
          setTimeout(resolve, 50);
        };
        watchers.add(watcher);
      }),
  };
}

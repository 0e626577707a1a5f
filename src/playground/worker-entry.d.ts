/**
 * What the playground uses of `hindcast/worker`, for which it takes the package as another page would: the compiler need not
 * read the node to check the page. A test compares it with the entry.
 */

/** A worker of the page, as far as the entry uses it. */
export interface PageWorker {
  postMessage(message: unknown, transfer: never[]): void;
  addEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void;
  removeEventListener(type: string, listener: (event: { readonly data: unknown }) => void): void;
}

/** The node's provider, which is one of EIP-1193. */
export interface PageProvider {
  request(args: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on(event: string, listener: (message: unknown) => void): unknown;
}

/** Creates a node in a worker that runs `hindcast/worker-program`. */
export declare function createWorkerNode(worker: PageWorker): Promise<{ readonly provider: PageProvider }>;

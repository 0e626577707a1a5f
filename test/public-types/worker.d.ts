/// <reference lib="esnext.disposable" />
import { MessageEndpoint, Eip1193Provider, BrowserNodeOptions } from "./browser.js";
import "./methods.js";
interface NodeWorker extends MessageEndpoint {
    postMessage(message: unknown, transfer?: readonly unknown[]): void;
    terminate?(): void;
}
type WorkerNodeOptions = Omit<BrowserNodeOptions, "clock" | "onRequest" | "onSlowRequest" | "onMiningProgress" | "onError">;
interface WorkerNode {
    readonly provider: Eip1193Provider;
    port(): unknown;
    close(): Promise<void>;
}
declare function createWorkerNode(worker: NodeWorker, options?: WorkerNodeOptions): Promise<WorkerNode>;
declare function connectNode(port: unknown): Eip1193Provider & {
    close(): void;
};
export { connectNode, createWorkerNode };
export type { NodeWorker, WorkerNode, WorkerNodeOptions };

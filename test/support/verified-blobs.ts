/**
 * Remembers which blobs have been verified in this run, by any of its processes. Each node verifies in a thread of its own,
 * which takes most of a second to load the tables, and the blobs of tests are always the same few.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentOf, writeInOneStep } from "../../.ci/write-files.mjs";
import { ProofThread, type ProvenBlob } from "../../src/chainspec/proof-thread.ts";
import { concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";

const { verify } = ProofThread.prototype;
/** Verifies without looking at what is remembered. */
export const verifyAnew = (thread: ProofThread, proven: ProvenBlob): Promise<boolean> => verify.call(thread, proven);
/** A file for each blob, with whether its proofs are valid. The folder for temporary files is of this run. */
const verdicts = join(tmpdir(), "verified-blobs");

ProofThread.prototype.verify = async function (proven: ProvenBlob): Promise<boolean> {
  const { blob, commitment, proofs } = proven;
  const verdict = join(verdicts, encodeData(keccak256(concatBytes(blob, commitment, ...proofs))));
  const known = contentOf(verdict);
  if (known !== undefined) return known === "true";
  const isProven = await verify.call(this, proven);
  writeInOneStep(verdict, String(isProven));
  return isProven;
};

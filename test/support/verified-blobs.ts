/**
 * Remembers which blobs have been verified in this process. Each node verifies in a thread of its own, which takes most of a
 * second to load the tables, and the blobs of tests are always the same few.
 */
import { ProofThread, type ProvenBlob } from "../../src/chainspec/proof-thread.ts";
import { concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";

const { verify } = ProofThread.prototype;
/** Verifies without looking at what is remembered. */
export const verifyAnew = (thread: ProofThread, proven: ProvenBlob): Promise<boolean> => verify.call(thread, proven);
const verified = new Map<string, boolean>();

ProofThread.prototype.verify = async function (proven: ProvenBlob): Promise<boolean> {
  const { blob, commitment, proofs } = proven;
  const name = encodeData(keccak256(concatBytes(blob, commitment, ...proofs)));
  const known = verified.get(name) ?? (await verify.call(this, proven));
  verified.set(name, known);
  return known;
};

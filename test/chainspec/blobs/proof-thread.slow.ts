import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ProofThread, type ProvenBlob } from "../../../src/chainspec/proof-thread.ts";
import type { Bytes } from "../../../src/primitives/bytes/bytes.ts";
import { decodeData } from "../../../src/primitives/bytes/hex.ts";
import { blobs } from "../../support/signed-transactions.ts";
import { verifyAnew } from "../../support/verified-blobs.ts";

/** The blob of the fixtures with its proof, or its 128. */
function provenBlob(version: 0 | 1): ProvenBlob {
  const [{ data, commitment, proof }] = blobs(version).blobs as [{ data: string; commitment: string; proof: string }];
  const bytes = decodeData(proof);
  const proofs = Array.from({ length: bytes.length / 48 }, (_, index) => bytes.slice(48 * index, 48 * (index + 1)));
  return { blob: decodeData(data), commitment: decodeData(commitment), proofs };
}

const swapped = ([first, second, ...rest]: readonly Bytes[]): Bytes[] => [second as Bytes, first as Bytes, ...rest];

it("tells right proofs from wrong ones and from what is none, whatever is asked at once", async () => {
  const thread = new ProofThread();
  const [one, many] = [provenBlob(0), provenBlob(1)];
  expect([one.proofs.length, many.proofs.length]).toEqual([1, 128]);
  const asked = [
    one,
    { ...one, commitment: one.proofs[0] as Bytes },
    { ...one, proofs: [new Uint8Array(48)] },
    { ...one, blob: one.blob.map((byte, index) => (index === 9 ? byte ^ 1 : byte)) },
    // The first byte of a field element is below 0x74.
    { ...one, blob: one.blob.map((byte, index) => (index === 0 ? 0xff : byte)) },
    many,
    { ...many, proofs: swapped(many.proofs) },
    one,
  ];
  const verdicts = await Promise.all(asked.map((each) => verifyAnew(thread, each)));
  expect(verdicts).toEqual([true, false, false, false, false, true, false, true]);
});

it("leaves the event loop its turns meanwhile", async () => {
  const thread = new ProofThread();
  let isDone = false;
  let turns = 0;
  const verified = verifyAnew(thread, provenBlob(1)).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    turns++;
  }
  expect(await verified).toBe(true);
  expect(turns).toBeGreaterThan(20);
});

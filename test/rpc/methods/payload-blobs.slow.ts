/** Blobs of testing_buildBlockV1 with their proofs: making those of a blob's cells takes about ten seconds. */
import { afterEach, expect, it, vi } from "vitest";
import { ProofThread } from "../../../src/chainspec/proof-thread.ts";
import { aServedNode } from "../../support/a-node.ts";
import { blobTransaction, bundleOf, payloadParams } from "../../support/payload-blobs.ts";
import { blobs } from "../../support/signed-transactions.ts";

const [fixture] = blobs(1).blobs as [{ data: string; commitment: string; proof: string }];
const cellProofs = Array.from({ length: 128 }, (_, cell) => `0x${fixture.proof.slice(2 + 96 * cell, 98 + 96 * cell)}`);
const expected = { commitments: [fixture.commitment], proofs: cellProofs, blobs: [fixture.data] };

const [single] = blobs(0).blobs as [{ data: string; commitment: string; proof: string }];

afterEach(() => vi.restoreAllMocks());

it("a given transaction's proofs by cell stand in the payload", async () => {
  const { node, plain } = await aServedNode({ mining: "manual" });
  expect(await bundleOf(plain, [blobTransaction(node, 1)])).toEqual(expected);
});

it("a waiting transaction that came with one proof a blob gets those of the cells, once", async () => {
  const prove = vi.spyOn(ProofThread.prototype, "prove");
  const { node, plain } = await aServedNode({ mining: "manual" });
  await plain.ask("eth_sendRawTransaction", blobTransaction(node, 0));
  expect(prove).not.toHaveBeenCalled();
  expect(await bundleOf(plain, null)).toEqual(expected);
  expect(await bundleOf(plain, null)).toEqual(expected);
  expect(prove).toHaveBeenCalledOnce();
});

it("what is no blob has no proofs", async () => {
  const blob = new Uint8Array(131_072);
  // Above the modulus of the field.
  blob[0] = 0xff;
  expect(await new ProofThread().prove(blob)).toBeUndefined();
});

it("a given transaction whose proof is not its blob's is refused", async () => {
  const { node, plain } = await aServedNode({ mining: "manual", hardfork: "prague" });
  // A point of the curve, but not this blob's proof.
  const forged = blobTransaction(node, 0).replace(single.proof.slice(2), single.commitment.slice(2));
  const failure = await plain.failure("testing_buildBlockV1", ...(await payloadParams(plain, [forged])));
  expect(failure).toMatchObject({ code: -32000, message: "invalid blob 0: can't verify opening proof" });
});

it("a payload before Osaka has one proof a blob, whether its transaction was given or waited", async () => {
  const { node, plain } = await aServedNode({ mining: "manual", hardfork: "prague" });
  const raw = blobTransaction(node, 0);
  const expected = { commitments: [single.commitment], proofs: [single.proof], blobs: [single.data] };
  expect(await bundleOf(plain, [raw])).toEqual(expected);
  expect((await bundleOf(plain, null)).blobs).toEqual([]);
  await plain.ask("eth_sendRawTransaction", raw);
  expect(await bundleOf(plain, null)).toEqual(expected);
});

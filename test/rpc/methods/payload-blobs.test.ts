/** Blobs of testing_buildBlockV1: their proofs have the form that the block's hardfork wants. Where proofs are verified: *.slow.ts. */
import { describe, expect, it } from "vitest";
import { aServedNode } from "../../support/a-node.ts";
import { blobTransaction, payloadParams } from "../../support/payload-blobs.ts";
import { blobs } from "../../support/signed-transactions.ts";

const [fixture] = blobs(0).blobs as [{ data: string; commitment: string; proof: string }];

describe("testing_buildBlockV1 refuses a given transaction, in the pool's words,", () => {
  it.each([
    ["osaka", 0, "unexpected sidecar version, want: 1, got: 0"],
    ["prague", 1, "unexpected sidecar version, want: 0, got: 1"],
  ] as const)("whose proofs have another hardfork's form (%s, version %i)", async (hardfork, version, message) => {
    const { node, plain } = await aServedNode({ mining: "manual", hardfork });
    const params = await payloadParams(plain, [blobTransaction(node, version)]);
    expect(await plain.failure("testing_buildBlockV1", ...params)).toMatchObject({ code: -32000, message });
  });

  it("whose blob is another than it names", async () => {
    const { node, plain } = await aServedNode({ mining: "manual", hardfork: "prague" });
    const commitment = fixture.commitment.slice(2);
    const other = `${commitment.slice(0, -2)}00`;
    const params = await payloadParams(plain, [blobTransaction(node, 0).replace(commitment, other)]);
    const failure = await plain.failure("testing_buildBlockV1", ...params);
    expect(failure).toMatchObject({ code: -32000, message: expect.stringMatching(/^blob 0: computed hash 0x01/) });
  });
});

/** Blobs beside a transaction: what their encoded form must be, and what must fit the transaction's hashes. */
import { describe, expect, it } from "vitest";
import {
  type BlobSidecar,
  CELLS_PER_BLOB,
  checkSidecar,
  checkSidecarVersion,
  hasSidecar,
  splitNetworkForm,
  versionedHash,
  withCellProofs,
} from "../../../src/chainspec/blob-sidecar.ts";
import { ProofThread } from "../../../src/chainspec/proof-thread.ts";
import { type Bytes, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeRlp, type RlpItem } from "../../../src/primitives/rlp/rlp.ts";
import { spec } from "../../support/evm.ts";
import { slowIt } from "../../support/slow-suite.ts";

const BLOB = new Uint8Array(131_072).fill(1);
const COMMITMENT = new Uint8Array(48).fill(2);
const PROOF = new Uint8Array(48).fill(3);
const FIELDS = [Uint8Array.of(1), Uint8Array.of(9)];
const SHORT = new Uint8Array(47);

const networkForm = (items: RlpItem): Bytes => concatBytes(Uint8Array.of(3), encodeRlp(items));
const sidecarOf = (changes: Partial<BlobSidecar>): BlobSidecar => ({
  version: 0,
  blobs: [BLOB],
  commitments: [COMMITMENT],
  proofs: [PROOF],
  ...changes,
});

describe("the network form of a blob transaction", () => {
  it.each<[BlobSidecar["version"], RlpItem[]]>([
    [0, [FIELDS, [BLOB], [COMMITMENT], [PROOF]]],
    [1, [FIELDS, Uint8Array.of(1), [BLOB], [COMMITMENT], [PROOF]]],
  ])("has a transaction and a sidecar of version %i", (version, items) => {
    const bytes = networkForm(items);
    expect(hasSidecar(bytes)).toBe(true);
    const { transaction, sidecar } = splitNetworkForm(bytes);
    expect(transaction).toEqual(networkForm(FIELDS));
    expect(hasSidecar(transaction)).toBe(false);
    expect(sidecar).toEqual(sidecarOf({ version }));
  });

  it("is copied, so that the request can be forgotten", () => {
    const bytes = networkForm([FIELDS, [BLOB], [COMMITMENT], [PROOF]]);
    const { blobs, commitments, proofs } = splitNetworkForm(bytes).sidecar;
    for (const each of [...blobs, ...commitments, ...proofs]) expect(each.buffer).not.toBe(bytes.buffer);
  });

  it.each<[string, Bytes]>([
    ["its bytes are not RLP", Uint8Array.of(3, 0xf8)],
    ["its payload is not a list", Uint8Array.of(3, 0x05)],
    ["it has neither four items nor a wrapper version 1 and four", networkForm([FIELDS, [BLOB], [COMMITMENT]])],
    [
      "it has neither four items nor a wrapper version 1 and four",
      networkForm([FIELDS, Uint8Array.of(2), [BLOB], [COMMITMENT], [PROOF]]),
    ],
    [
      "it has neither four items nor a wrapper version 1 and four",
      networkForm([FIELDS, Uint8Array.of(1, 1), [BLOB], [COMMITMENT], [PROOF]]),
    ],
    ["its blobs are not a list", networkForm([FIELDS, BLOB, [COMMITMENT], [PROOF]])],
    ["its commitments are not a list", networkForm([FIELDS, [BLOB], COMMITMENT, [PROOF]])],
    ["its proofs are not a list", networkForm([FIELDS, [BLOB], [COMMITMENT], PROOF])],
    ["a blob has not 131072 bytes", networkForm([FIELDS, [BLOB, SHORT], [COMMITMENT], [PROOF]])],
    ["a commitment has not 48 bytes", networkForm([FIELDS, [BLOB], [SHORT], [PROOF]])],
    ["a proof has not 48 bytes", networkForm([FIELDS, [BLOB], [COMMITMENT], [[PROOF]]])],
    // A list of as many members as the string should have bytes.
    ["a proof has not 48 bytes", networkForm([FIELDS, [BLOB], [COMMITMENT], [new Array(48).fill(SHORT)]])],
  ])("is refused where %s", (reason, bytes) => {
    expect(() => splitNetworkForm(bytes)).toThrow(
      expect.objectContaining({
        code: "UNDECODABLE_TRANSACTION",
        message: expect.stringContaining(`The network form of the blob transaction is not valid: ${reason}.`),
      }),
    );
  });
});

describe("hasSidecar", () => {
  it.each<[string, Bytes, boolean]>([
    ["another type", concatBytes(Uint8Array.of(2), encodeRlp([FIELDS])), false],
    ["too few bytes", Uint8Array.of(3, 0xc1), false],
    ["a short list that begins with a list", networkForm([FIELDS]), true],
    ["a short list that begins with a string", networkForm(FIELDS), false],
    ["a long list that begins with a list", networkForm([FIELDS, BLOB]), true],
    ["a long list that begins with a string", networkForm([Uint8Array.of(1), BLOB]), false],
    ["a long list that is cut", Uint8Array.of(3, 0xfa, 1), false],
  ])("%s", (_what, bytes, expected) => {
    expect(hasSidecar(bytes)).toBe(expected);
  });
});

describe("a sidecar and the hashes of its transaction", () => {
  const hash = versionedHash(COMMITMENT);
  const cells = new Array<Bytes>(CELLS_PER_BLOB).fill(PROOF);

  it.each<[string, BlobSidecar]>([
    ["one proof per blob in version 0", sidecarOf({})],
    ["one proof per cell in version 1", sidecarOf({ version: 1, proofs: cells })],
  ])("fit with %s", (_what, sidecar) => {
    expect(() => checkSidecar(sidecar, [hash])).not.toThrow();
  });

  it.each<[string, BlobSidecar]>([
    ["invalid number of 2 blobs compared to 1 blob hashes", sidecarOf({ blobs: [BLOB, BLOB] })],
    ["invalid number of 0 blob commitments compared to 1 blob hashes", sidecarOf({ commitments: [] })],
    ["blob 0: computed hash 0x01", sidecarOf({ commitments: [PROOF] })],
    ["invalid number of 2 blob proofs compared to 1 blob hashes", sidecarOf({ proofs: [PROOF, PROOF] })],
    ["invalid number of 1 blob proofs expected 128", sidecarOf({ version: 1 })],
  ])("do not: %s", (message, sidecar) => {
    expect(() => checkSidecar(sidecar, [hash])).toThrow(message);
  });

  it("have the version of the hardfork", () => {
    expect(() => checkSidecarVersion(sidecarOf({}), spec.rules("cancun"))).not.toThrow();
    expect(() => checkSidecarVersion(sidecarOf({ version: 1 }), spec.rules("osaka"))).not.toThrow();
    const refusal = "unexpected sidecar version, want: 1, got: 0";
    expect(() => checkSidecarVersion(sidecarOf({}), spec.rules("osaka"))).toThrow(refusal);
  });
});

describe("cell proofs", () => {
  slowIt("cannot be computed for a blob whose numbers are not below the field's modulus, which is named", async () => {
    const sidecar = sidecarOf({ blobs: [new Uint8Array(131_072).fill(0xff)] });
    await expect(withCellProofs(sidecar, new ProofThread())).rejects.toMatchObject({
      code: "BLOB_TRANSACTION_INVALID",
      what: "blob sidecar conversion failed: blob 0 is not valid",
    });
  });

  it("are not computed again", async () => {
    const sidecar = sidecarOf({ version: 1 });
    expect(await withCellProofs(sidecar, new ProofThread())).toBe(sidecar);
  });
});

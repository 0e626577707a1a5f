/** Stores the changes of a chain's specification by development methods: other chain ids, and chosen signers. */
import type { ChainSpec, SpecChanges } from "../../chainspec/chain-spec.ts";
import { StoreError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { decodeRlp, encodeRlp } from "../../primitives/rlp/rlp.ts";
import type { ChainStore } from "../../store/chain-store.ts";

/** Name of the store's setting that holds the changes; it is absent as long as there are none. */
export const SPEC_CHANGES = "specChanges";

/** RLP: [[from, chainId]…], [[from, signature(65), signer(20)]…]. Undefined if nothing is changed. */
export function encodeSpecChanges({ chainIds, signatures }: SpecChanges): Bytes | undefined {
  // The first chain id is that of the schedule.
  if (chainIds.length <= 1 && signatures.length === 0) return undefined;
  return encodeRlp([
    chainIds.slice(1).map(({ from, chainId }) => [bigIntToBytes(from), bigIntToBytes(chainId)]),
    signatures.map(({ from, signature, signer }) => [bigIntToBytes(from), signature, signer]),
  ]);
}

/**
 * Gives a specification the changes that a store has for it.
 *
 * @throws {StoreError} `STORE_CORRUPT`
 */
export function restoreSpecChanges(spec: ChainSpec, store: Pick<ChainStore, "getSetting">): void {
  const bytes = store.getSetting(SPEC_CHANGES);
  if (bytes === undefined) {
    if (spec.isChanged) spec.restore(spec.unchanged);
    return;
  }
  const [first] = spec.changes.chainIds;
  const { chainIds, signatures } = decode(bytes);
  spec.restore({ chainIds: first === undefined ? chainIds : [first, ...chainIds], signatures });
}

function decode(bytes: Bytes): SpecChanges {
  try {
    const [chainIds, signatures] = decodeRlp(bytes) as [[Bytes, Bytes][], [Bytes, Bytes, Bytes][]];
    return {
      chainIds: chainIds.map(([from, chainId]) => ({ from: bytesToBigInt(from), chainId: bytesToBigInt(chainId) })),
      signatures: signatures.map(([from, signature, signer]) => ({ from: bytesToBigInt(from), signature, signer })),
    };
  } catch (cause) {
    throw new StoreError({
      code: "STORE_CORRUPT",
      what: "The stored chain ids cannot be read.",
      fix: "Restore the folder from a copy, or delete it and import the chain again.",
      cause,
    });
  }
}

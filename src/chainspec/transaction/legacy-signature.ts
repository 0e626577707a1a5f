/**
 * Legacy transactions of chains whose id is so large that EthereumJS loses digits of it.
 *
 * Its constructor reads the signature's `v`, which is twice the chain id and 35 or 36 (EIP-155), as a double. So such a
 * transaction is built without its signature, which is put in afterwards; everything else about it is EthereumJS'.
 */
import type { Common } from "@ethereumjs/common";
import { RLP } from "@ethereumjs/rlp";
import { createLegacyTxFromBytesArray, type LegacyTx } from "@ethereumjs/tx";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { Unfit } from "./undecodable.ts";

const SIGNED_LENGTH = 9;
const LARGEST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** True for chains whose legacy signatures need this file. */
export function hasLargeChainId(common: Common): boolean {
  return 2n * common.chainId() + 36n > LARGEST_EXACT;
}

/**
 * The transaction, or undefined for what EthereumJS can read itself.
 *
 * @param item - its bytes, or its list from a block body
 * @throws {Unfit} for fields that make no transaction, or a signature for another chain
 */
export function legacyOfLargeChain(item: unknown, common: Common): LegacyTx | undefined {
  if (!hasLargeChainId(common)) return undefined;
  const list: unknown = item instanceof Uint8Array && (item[0] ?? 0) >= 0xc0 ? RLP.decode(item) : item;
  if (!Array.isArray(list) || list.length !== SIGNED_LENGTH) return undefined;
  if (!list.every((part) => part instanceof Uint8Array)) return undefined;
  const [v, r, s] = list.slice(6) as [Bytes, Bytes, Bytes];
  if (bytesToBigInt(v) <= LARGEST_EXACT) return undefined;
  for (const part of [v, r, s]) if (part[0] === 0 || part.length > 32) throw new Unfit("its signature is malformed");
  const unsigned = createLegacyTxFromBytesArray(list.slice(0, 6) as Bytes[], { common, params: {}, freeze: false });
  return withSignature(unsigned, { v: bytesToBigInt(v), r: bytesToBigInt(r), s: bytesToBigInt(s) });
}

/**
 * Puts a signature into an unsigned transaction that is not frozen, and freezes it.
 *
 * @throws {Unfit} for a `v` of another chain
 */
export function withSignature(unsigned: LegacyTx, signature: { v: bigint; r: bigint; s: bigint }): LegacyTx {
  const chainId = unsigned.common.chainId();
  if ((signature.v - 35n) / 2n !== chainId) {
    throw new Unfit(`it is signed for chain ${(signature.v - 35n) / 2n}, not for ${chainId}`);
  }
  Object.assign(unsigned, signature);
  return Object.freeze(unsigned) as LegacyTx;
}

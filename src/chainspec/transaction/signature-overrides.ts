/** Signatures that recover to an address of somebody's choice, as Anvil's `anvil_impersonateSignature` sets them. */
import { type Bytes, bigIntToFixedBytes, bytesKey, concatBytes } from "../../primitives/bytes/bytes.ts";

/** A signature, and its signer in all blocks from a number on. */
export interface SignatureOverride {
  readonly from: bigint;
  /** r, s and v: 65 bytes. v is the byte that `ecrecover` is called with, so 27 or 28 for most. */
  readonly signature: Bytes;
  /** 20 bytes */
  readonly signer: Bytes;
}

/** Addresses by signature ({@link bytesKey} of r, s and v). */
export type ChosenSigners = ReadonlyMap<string, Bytes>;

/** The signers of a block; undefined if there are none. The last override of a signature counts. */
export function signersOf(overrides: readonly SignatureOverride[], number: bigint): ChosenSigners | undefined {
  const begun = overrides.filter(({ from }) => from <= number);
  if (begun.length === 0) return undefined;
  return new Map(begun.map(({ signature, signer }) => [bytesKey(signature), signer]));
}

/** The chosen signer of a transaction or an authorization; undefined if its signature recovers as usual. */
export function chosenSigner(
  signers: ChosenSigners | undefined,
  { r, s, yParity }: { readonly r: bigint; readonly s: bigint; readonly yParity: bigint },
): Bytes | undefined {
  if (signers === undefined || yParity > 1n) return undefined;
  const v = Uint8Array.of(27 + Number(yParity));
  return signers.get(bytesKey(concatBytes(bigIntToFixedBytes(r, 32), bigIntToFixedBytes(s, 32), v)));
}

/**
 * The chosen signer for an input of `ecrecover`: hash, v, r and s, a word each. As in Anvil, the hash does not matter,
 * and of v only the last byte does.
 */
export function chosenSignerOfInput(signers: ChosenSigners, input: Bytes): Bytes | undefined {
  const words = new Uint8Array(128);
  words.set(input.subarray(0, 128));
  return signers.get(bytesKey(concatBytes(words.subarray(64), words.subarray(63, 64))));
}

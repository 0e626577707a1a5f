/** Precompiled contracts by their names in EIP-7910, with the EIP that added each. */
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import { type Eip, hasEip } from "./eips.ts";
import type { Hardfork } from "./hardforks.ts";

/** A contract with its name in EIP-7910. */
export interface NamedAddress {
  readonly name: string;
  readonly address: Bytes;
}

const PRECOMPILES: readonly (readonly [address: number, name: string, eip?: Eip])[] = [
  [0x01, "ECREC"],
  [0x02, "SHA256"],
  [0x03, "RIPEMD160"],
  [0x04, "ID"],
  [0x05, "MODEXP", 198],
  [0x06, "BN254_ADD", 196],
  [0x07, "BN254_MUL", 196],
  [0x08, "BN254_PAIRING", 197],
  [0x09, "BLAKE2F", 152],
  [0x0a, "KZG_POINT_EVALUATION", 4844],
  [0x0b, "BLS12_G1ADD", 2537],
  [0x0c, "BLS12_G1MSM", 2537],
  [0x0d, "BLS12_G2ADD", 2537],
  [0x0e, "BLS12_G2MSM", 2537],
  [0x0f, "BLS12_PAIRING_CHECK", 2537],
  [0x10, "BLS12_MAP_FP_TO_G1", 2537],
  [0x11, "BLS12_MAP_FP2_TO_G2", 2537],
  [0x100, "P256VERIFY", 7951],
];

/** The precompiled contracts of a hardfork, by address. */
export function precompilesAt(hardfork: Hardfork): NamedAddress[] {
  return PRECOMPILES.filter(([, , eip]) => eip === undefined || hasEip(hardfork, eip)).map(([address, name]) => ({
    name,
    address: bigIntToFixedBytes(BigInt(address), 20),
  }));
}

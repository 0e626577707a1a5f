/** Precompiled contracts by their names in EIP-7910, with the hardfork that added each. */
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import { type Hardfork, isAtLeast } from "./hardforks.ts";

/** A contract with its name in EIP-7910. */
export interface NamedAddress {
  readonly name: string;
  readonly address: Bytes;
}

const PRECOMPILES: readonly (readonly [address: number, name: string, since: Hardfork])[] = [
  [0x01, "ECREC", "chainstart"],
  [0x02, "SHA256", "chainstart"],
  [0x03, "RIPEMD160", "chainstart"],
  [0x04, "ID", "chainstart"],
  [0x05, "MODEXP", "byzantium"],
  [0x06, "BN254_ADD", "byzantium"],
  [0x07, "BN254_MUL", "byzantium"],
  [0x08, "BN254_PAIRING", "byzantium"],
  [0x09, "BLAKE2F", "istanbul"],
  [0x0a, "KZG_POINT_EVALUATION", "cancun"],
  [0x0b, "BLS12_G1ADD", "prague"],
  [0x0c, "BLS12_G1MSM", "prague"],
  [0x0d, "BLS12_G2ADD", "prague"],
  [0x0e, "BLS12_G2MSM", "prague"],
  [0x0f, "BLS12_PAIRING_CHECK", "prague"],
  [0x10, "BLS12_MAP_FP_TO_G1", "prague"],
  [0x11, "BLS12_MAP_FP2_TO_G2", "prague"],
  [0x100, "P256VERIFY", "osaka"],
];

/** The precompiled contracts of a hardfork, by address. */
export function precompilesAt(hardfork: Hardfork): NamedAddress[] {
  return PRECOMPILES.filter(([, , since]) => isAtLeast(hardfork, since)).map(([address, name]) => ({
    name,
    address: bigIntToFixedBytes(BigInt(address), 20),
  }));
}

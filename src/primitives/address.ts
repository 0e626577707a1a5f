/** Addresses of new contracts, and checksums. */

import { type Bytes, bigIntToBytes, concatBytes } from "./bytes/bytes.ts";
import { encodeData, type Hex } from "./bytes/hex.ts";
import { keccak256 } from "./hash/hash.ts";
import { encodeRlp } from "./rlp/rlp.ts";

/** Address of the contract that `creator` creates with this nonce (yellow paper §7). */
export function createAddress(creator: Bytes, nonce: bigint): Bytes {
  return keccak256(encodeRlp([creator, bigIntToBytes(nonce)])).slice(12);
}

/** Address of the contract that CREATE2 creates from init code and a salt of 32 bytes (EIP-1014). */
export function createSaltedAddress(creator: Bytes, salt: Bytes, initCode: Bytes): Bytes {
  return keccak256(concatBytes(Uint8Array.of(0xff), creator, salt, keccak256(initCode))).slice(12);
}

/** The address with the mixed-case checksum of EIP-55. */
export function checksumAddress(address: Bytes): Hex {
  const digits = encodeData(address).slice(2);
  const hash = keccak256(new TextEncoder().encode(digits));
  let text = "0x";
  for (let index = 0; index < digits.length; index++) {
    const nibble = ((hash[index >> 1] as number) >> (index % 2 === 0 ? 4 : 0)) & 15;
    text += nibble >= 8 ? (digits[index] as string).toUpperCase() : digits[index];
  }
  return text as Hex;
}

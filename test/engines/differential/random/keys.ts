/** Accounts that sign authorizations (EIP-7702). */
import { eoaCode7702SignAuthorization, privateToAddress } from "@ethereumjs/util";
import type { Authorization } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { type Bytes, bigIntToBytes, bytesKey, bytesToBigInt } from "../../../../src/primitives/bytes/bytes.ts";
import type { Random } from "./random.ts";

export interface Authority {
  readonly key: Bytes;
  readonly address: Bytes;
}

export const AUTHORITIES: readonly Authority[] = [0x51, 0x52, 0x53].map((byte) => {
  const key = new Uint8Array(32).fill(byte);
  return { key, address: privateToAddress(key) };
});

/** Of secp256k1. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** Signatures take long, and few different ones are asked for. */
const signed = new Map<string, Authorization>();

/** Signs an authorization. */
export function authorize(authority: Authority, chainId: bigint, address: Bytes, nonce: bigint): Authorization {
  const name = `${bytesKey(authority.address)} ${chainId} ${bytesKey(address)} ${nonce}`;
  const made = signed.get(name) ?? sign(authority, chainId, address, nonce);
  signed.set(name, made);
  return made;
}

function sign({ key }: Authority, chainId: bigint, address: Bytes, nonce: bigint): Authorization {
  const parts = eoaCode7702SignAuthorization([bigIntToBytes(chainId), address, bigIntToBytes(nonce)], key);
  const [yParity, r, s] = [parts[3], parts[4], parts[5]].map((bytes) => bytesToBigInt(bytes as Bytes));
  return { chainId, address, nonce, yParity: yParity as bigint, r: r as bigint, s: s as bigint };
}

/**
 * Makes a signature invalid, or one of somebody else, or the nonce one that no account can have. An authorization like
 * that is skipped, or changes an account that nobody chose (EIP-7702).
 */
export function spoil(authorization: Authorization, random: Random): Authorization {
  const { r, s, yParity } = authorization;
  return {
    ...authorization,
    ...random.pick<Partial<Authorization>>([
      { s: CURVE_ORDER - s, yParity: 1n - yParity },
      { s: CURVE_ORDER },
      { s: 0n },
      { r: 0n },
      { r: CURVE_ORDER },
      { r: r + 1n },
      { yParity: 1n - yParity },
      { yParity: 2n },
      { yParity: 27n },
      { nonce: MAX_UINT64 },
    ]),
  };
}

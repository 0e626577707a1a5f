/** Accounts that sign authorizations (EIP-7702). */
import { eoaCode7702SignAuthorization, privateToAddress } from "@ethereumjs/util";
import type { Authorization } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt } from "../../../../src/primitives/bytes/bytes.ts";

export interface Authority {
  readonly key: Bytes;
  readonly address: Bytes;
}

export const AUTHORITIES: readonly Authority[] = [0x51, 0x52, 0x53].map((byte) => {
  const key = new Uint8Array(32).fill(byte);
  return { key, address: privateToAddress(key) };
});

/** Signs an authorization. */
export function authorize({ key }: Authority, chainId: bigint, address: Bytes, nonce: bigint): Authorization {
  const signed = eoaCode7702SignAuthorization([bigIntToBytes(chainId), address, bigIntToBytes(nonce)], key);
  const [yParity, r, s] = [signed[3], signed[4], signed[5]].map((bytes) => bytesToBigInt(bytes as Bytes));
  return { chainId, address, nonce, yParity: yParity as bigint, r: r as bigint, s: s as bigint };
}

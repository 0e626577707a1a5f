/** Accounts that sign authorizations (EIP-7702). */
import { eoaCode7702SignAuthorization, privateToAddress } from "@ethereumjs/util";
import type { Authorization } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { type Bytes, bigIntToBytes, bytesKey, bytesToBigInt } from "../../../../src/primitives/bytes/bytes.ts";

export interface Authority {
  readonly key: Bytes;
  readonly address: Bytes;
}

export const AUTHORITIES: readonly Authority[] = [0x51, 0x52, 0x53].map((byte) => {
  const key = new Uint8Array(32).fill(byte);
  return { key, address: privateToAddress(key) };
});

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

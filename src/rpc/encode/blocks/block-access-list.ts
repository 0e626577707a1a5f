/** Block access lists (EIP-7928) as JSON. */
import { type Bytes, bytesToBigInt, padBytesLeft } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { decodeRlp } from "../../../primitives/rlp/rlp.ts";

/** A value, and the transaction after which an account had it. */
export interface IndexedValueJson {
  index: Hex;
  value: Hex;
}

/** The reads and changes of one account by a block. */
export interface AccountAccessJson {
  address: Hex;
  storageChanges: { key: Hex; changes: IndexedValueJson[] }[];
  storageReads: Hex[];
  balanceChanges: IndexedValueJson[];
  nonceChanges: IndexedValueJson[];
  codeChanges: { index: Hex; code: Hex }[];
}

type Change = readonly [index: Bytes, value: Bytes];
type AccountItem = readonly [
  address: Bytes,
  storageChanges: readonly (readonly [slot: Bytes, changes: readonly Change[]])[],
  storageReads: readonly Bytes[],
  balanceChanges: readonly Change[],
  nonceChanges: readonly Change[],
  codeChanges: readonly Change[],
];

/** @param list - RLP, as it is stored */
export function encodeBlockAccessList(list: Bytes): AccountAccessJson[] {
  return (decodeRlp(list) as unknown as AccountItem[]).map(encodeAccountAccess);
}

function encodeAccountAccess([address, changed, read, balances, nonces, codes]: AccountItem): AccountAccessJson {
  return {
    address: encodeData(address),
    storageChanges: changed.map(([slot, changes]) => ({
      key: word(slot),
      changes: changes.map(([index, value]) => ({ index: quantity(index), value: word(value) })),
    })),
    storageReads: read.map(word),
    balanceChanges: balances.map(([index, value]) => ({ index: quantity(index), value: quantity(value) })),
    nonceChanges: nonces.map(([index, value]) => ({ index: quantity(index), value: quantity(value) })),
    codeChanges: codes.map(([index, code]) => ({ index: quantity(index), code: encodeData(code) })),
  };
}

const word = (bytes: Bytes): Hex => encodeData(padBytesLeft(bytes, 32));
const quantity = (bytes: Bytes): Hex => encodeQuantity(bytesToBigInt(bytes));

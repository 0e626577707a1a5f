/** Block access lists (EIP-7928) as JSON. */
import { type Bytes, bytesToBigInt, padBytesLeft } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { decodeRlp } from "../../../primitives/rlp/rlp.ts";
import { arrayOf, named, object } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { BlockAccessList } from "../../wire-types.generated.ts";

export const blockAccessListSchema = named("BlockAccessList", () =>
  arrayOf(
    object({
      address: ADDRESS,
      storageChanges: arrayOf(object({ key: WORD, changes: arrayOf(object({ index: QUANTITY, value: WORD })) })),
      storageReads: arrayOf(WORD),
      balanceChanges: arrayOf(object({ index: QUANTITY, value: QUANTITY })),
      nonceChanges: arrayOf(object({ index: QUANTITY, value: QUANTITY })),
      codeChanges: arrayOf(object({ index: QUANTITY, code: DATA })),
    }),
  ),
);

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
export function encodeBlockAccessList(list: Bytes): BlockAccessList {
  return (decodeRlp(list) as unknown as AccountItem[]).map(encodeAccountAccess);
}

function encodeAccountAccess([address, changed, read, balances, nonces, codes]: AccountItem): BlockAccessList[number] {
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

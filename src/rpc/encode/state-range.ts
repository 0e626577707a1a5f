/** Answers of debug_storageRangeAt and debug_accountRange in geth's shapes. */
import { checksumAddress } from "../../primitives/address.ts";
import { padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { toBase64 } from "../../primitives/platform/encodings.ts";
import type { AccountRange, ListedAccount, NamedSlot, StorageRange } from "../../services/simulate/debug/state.ts";
import { INTEGER, mapOf, named, object, orNull, TEXT } from "../openrpc/json-schema.ts";
import { ADDRESS, DATA, DECIMAL, HASH, WORD } from "../openrpc/primitives.ts";
import type { AccountRange as AccountRangeJson, StorageRange as StorageRangeJson } from "../wire-types.generated.ts";
import { mapText, membersText, objectText, type Text, valueText } from "./stream/text.ts";

export const storageRangeSchema = named("StorageRange", () =>
  object({
    storage: mapOf(object({ key: orNull(WORD), value: WORD }), "^0x[0-9a-f]{64}$"),
    nextKey: orNull(WORD),
  }),
);

export const accountRangeSchema = named("AccountRange", () =>
  object(
    {
      root: TEXT,
      accounts: mapOf(
        object(
          { balance: DECIMAL, nonce: INTEGER, root: HASH, codeHash: HASH, key: HASH },
          { code: DATA, storage: mapOf(TEXT, "^0x[0-9a-f]{64}$"), address: ADDRESS },
        ),
      ),
    },
    { next: TEXT },
  ),
);

/** Entries by the hash of their slot. */
export function encodeStorageRange({ slots, next }: StorageRange): StorageRangeJson {
  return { storage: Object.fromEntries(slots.map(encodeSlot)), nextKey: next === undefined ? null : encodeData(next) };
}

/** The same as JSON text. */
export function storageRangeText({ slots, next }: StorageRange): Text {
  const storage = mapText(slots, (slot) => asText(encodeSlot(slot)));
  return objectText(membersText(encodeStorageRange({ slots: [], next }), { storage }));
}

function encodeSlot({ hash, slot, value }: NamedSlot): [hash: string, slot: StorageRangeJson["storage"][string]] {
  return [
    encodeData(hash),
    { key: slot === undefined ? null : encodeData(slot), value: encodeData(padBytesLeft(value, 32)) },
  ];
}

function asText([name, json]: readonly [name: string, json: unknown]): [name: string, text: Text] {
  return [name, valueText(json)];
}

/** Accounts by address; an account whose address is unknown is listed under its hash. */
export function encodeAccountRange({ stateRoot, accounts, next }: AccountRange): AccountRangeJson {
  return {
    root: encodeData(stateRoot).slice(2),
    accounts: Object.fromEntries(accounts.map((listed) => [nameOf(listed), encodeListedAccount(listed)])),
    ...(next === undefined ? {} : { next: toBase64(next) }),
  };
}

/** The same as JSON text. */
export function accountRangeText(range: AccountRange): Text {
  const accounts = mapText(range.accounts, (listed) => [nameOf(listed), listedAccountText(listed)]);
  return objectText(membersText(encodeAccountRange({ ...range, accounts: [] }), { accounts }));
}

function listedAccountText(listed: ListedAccount): Text {
  const storage = mapText(listed.slots ?? [], (slot) => asText(encodeListedSlot(slot)));
  // One slot is enough for the member `storage` to be there; the text of all takes its place.
  return objectText(membersText(encodeListedAccount({ ...listed, slots: listed.slots?.slice(0, 1) }), { storage }));
}

function nameOf({ address, hash }: ListedAccount): string {
  return address === undefined ? `pre(${encodeData(hash)})` : checksumAddress(address);
}

function encodeListedAccount({
  hash,
  address,
  account,
  code,
  slots,
}: ListedAccount): AccountRangeJson["accounts"][string] {
  const storage = slots?.map(encodeListedSlot);
  return {
    balance: account.balance.toString(),
    nonce: Number(account.nonce),
    root: encodeData(account.storageRoot),
    codeHash: encodeData(account.codeHash),
    ...(code === undefined || code.length === 0 ? {} : { code: encodeData(code) }),
    ...(storage === undefined || storage.length === 0 ? {} : { storage: Object.fromEntries(storage) }),
    ...(address === undefined ? {} : { address: encodeData(address) }),
    key: encodeData(hash),
  };
}

function encodeListedSlot({ hash, slot, value }: NamedSlot): [slot: string, value: string] {
  return [encodeData(slot ?? hash), encodeData(value).slice(2)];
}

/** Storage and sources of an account as JSON. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { AccountSources, AccountStorage, StoredSlot } from "../../../services/simulate/explain/account-storage.ts";
import type { AccountSources as AccountSourcesJson, AccountStorage as AccountStorageJson } from "../../wire-types.ts";
import { encodeWord } from "./calls.ts";

/** Slots in the order of their hashes. */
export function encodeAccountStorage({ contract, slots, next, notes }: AccountStorage): AccountStorageJson {
  return {
    contract: contract ?? null,
    slots: slots.map(encodeSlot),
    next: next === undefined ? null : encodeData(next),
    notes: [...notes],
  };
}

function encodeSlot({ hash, slot, value, variables }: StoredSlot): AccountStorageJson["slots"][number] {
  return {
    hash: encodeData(hash),
    slot: slot === undefined ? null : encodeWord(slot),
    value: encodeWord(value),
    variables: variables.map(({ name, type, value: text }) => ({ name, type: type ?? null, value: text })),
  };
}

/** Whole texts, as the compiler was given them. */
export function encodeAccountSources({ contract, files }: AccountSources): AccountSourcesJson {
  return { contract, files: files.map((file) => ({ path: file.path, text: file.textOf(0, file.length) })) };
}

/** Storage and sources of an account as JSON. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { AccountSources, AccountStorage, StoredSlot } from "../../../services/simulate/explain/account-storage.ts";
import { arrayOf, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { HASH, WORD } from "../../openrpc/primitives.ts";
import type {
  AccountSources as AccountSourcesJson,
  AccountStorage as AccountStorageJson,
} from "../../wire-types.generated.ts";
import { SOURCE_MATCH } from "../source/explanation.ts";
import { encodeWord } from "./calls.ts";

export const accountStorageSchema = named("AccountStorage", () =>
  object({
    contract: orNull(TEXT),
    slots: arrayOf(
      object({
        hash: HASH,
        slot: orNull(WORD),
        value: WORD,
        variables: arrayOf(object({ name: TEXT, type: orNull(TEXT), value: TEXT })),
      }),
    ),
    next: orNull(HASH),
    notes: arrayOf(TEXT),
  }),
);

export const accountSourcesSchema = named("AccountSources", () =>
  object({ contract: TEXT, files: arrayOf(object({ path: TEXT, text: TEXT })) }, { sourceMatch: SOURCE_MATCH }),
);

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
export function encodeAccountSources({ contract, sourceMatch, files }: AccountSources): AccountSourcesJson {
  return {
    contract,
    files: files.map((file) => ({ path: file.path, text: file.textOf(0, file.length) })),
    ...(sourceMatch === undefined ? {} : { sourceMatch }),
  };
}

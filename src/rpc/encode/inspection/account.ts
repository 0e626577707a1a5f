/** Storage and sources of an account as JSON. */
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { AccountSources, AccountStorage, StoredSlot } from "../../../services/simulate/explain/account-storage.ts";
import { encodeWord } from "./calls.ts";

/** Answer of `hindcast_getStorage`. */
export interface AccountStorageJson {
  readonly contract: string | null;
  readonly slots: readonly StoredSlotJson[];
  /** Hash to continue from. */
  readonly next: Hex | null;
  readonly notes: readonly string[];
}

interface StoredSlotJson {
  readonly hash: Hex;
  readonly slot: Hex | null;
  readonly value: Hex;
  readonly variables: readonly { readonly name: string; readonly type: string | null; readonly value: string }[];
}

/** Answer of `hindcast_getSources`. */
export interface AccountSourcesJson {
  readonly contract: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** Slots and values become words of 32 bytes; what is unknown becomes null. */
export function encodeAccountStorage({ contract, slots, next, notes }: AccountStorage): AccountStorageJson {
  return {
    contract: contract ?? null,
    slots: slots.map(encodeSlot),
    next: next === undefined ? null : encodeData(next),
    notes,
  };
}

function encodeSlot({ hash, slot, value, variables }: StoredSlot): StoredSlotJson {
  return {
    hash: encodeData(hash),
    slot: slot === undefined ? null : encodeWord(slot),
    value: encodeWord(value),
    variables: variables.map(({ name, type, value: text }) => ({ name, type: type ?? null, value: text })),
  };
}

/** Reads each file whole. */
export function encodeAccountSources({ contract, files }: AccountSources): AccountSourcesJson {
  return { contract, files: files.map((file) => ({ path: file.path, text: file.textOf(0, file.length) })) };
}

/** Params of the methods that read accounts and storage. */
import type { Bytes } from "../../primitives/bytes.ts";
import { decodeData } from "../../primitives/hex.ts";
import { listOf, textLike } from "../../primitives/schema.ts";
import type { AccountSlots } from "../../services/query/proof-queries.ts";
import { byAddress } from "./overrides.ts";
import { hash } from "./primitives.ts";

/** A storage key of eth_getProof, and whether all of its 32 bytes were written. */
export interface StorageKey {
  readonly slot: Bytes;
  readonly isWhole: boolean;
}

const KEY_SHAPE = "expected a storage key: hex of at most 32 bytes";
const MAX_KEYS = 1024;

const storageKey = textLike(/^(?:0x)?[0-9a-fA-F]{0,64}$/, { shape: KEY_SHAPE, title: "storage key" }).to(
  (text): StorageKey => {
    const digits = text.replace(/^0x/, "");
    return { slot: decodeData(`0x${digits.padStart(64, "0")}`), isWhole: digits.length > 62 };
  },
);

/** The slots of eth_getProof. */
export const storageKeys = listOf(storageKey, "expected an array of storage keys", {
  most: MAX_KEYS,
  of: "storage keys",
});

/** Slots by account. */
export const slotsByAddress = byAddress(listOf(hash, "expected an array of slots"), "an object of slots by address").to(
  (list) => list.map(({ key, value }): AccountSlots => ({ address: key, slots: value })),
);

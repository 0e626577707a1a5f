/** Params of the methods that read accounts and storage. */
import { z } from "zod";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, isData } from "../../primitives/bytes/hex.ts";
import type { AccountSlots } from "../../services/query/proof-queries.ts";
import { byAddress } from "./overrides.ts";
import { hash } from "./primitives.ts";

/** A storage key of eth_getProof, and whether the client wrote all 32 bytes of it. */
export interface StorageKey {
  readonly slot: Bytes;
  readonly isWhole: boolean;
}

const KEY_SHAPE = "expected a storage key: hex of at most 32 bytes";
const MAX_KEYS = 1024;

const storageKey = z
  .string({ error: KEY_SHAPE })
  .refine((text) => /^(?:0x)?[0-9a-fA-F]{0,64}$/.test(text), { message: KEY_SHAPE })
  .transform((text): StorageKey => {
    const digits = text.replace(/^0x/, "");
    return { slot: decodeData(`0x${digits.padStart(64, "0")}`), isWhole: digits.length > 62 };
  })
  .meta({ title: "storage key", pattern: "^0x[0-9a-f]{0,64}$" });

/** The slots of eth_getProof. */
export const storageKeys = z
  .array(storageKey, { error: "expected an array of storage keys" })
  .max(MAX_KEYS, { error: `expected at most ${MAX_KEYS} storage keys` });

/** Slots by account. */
export const slotsByAddress = byAddress(
  z.array(hash, { error: "expected an array of slots" }),
  "an object of slots by address",
).transform((list) => list.map(({ key, value }): AccountSlots => ({ address: key, slots: value })));

const DATABASE_KEY_SHAPE = "expected a key as DATA or as text";

/** The key of debug_dbGet: DATA, or text whose characters are the bytes, as geth takes both. */
export const databaseKey = z
  .string({ error: DATABASE_KEY_SHAPE })
  .refine((text) => !text.startsWith("0x") || isData(text), { error: DATABASE_KEY_SHAPE })
  .transform((text) => (text.startsWith("0x") ? decodeData(text) : new TextEncoder().encode(text)));

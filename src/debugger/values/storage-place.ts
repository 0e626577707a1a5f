/** Places of values in the storage of accounts, and their ids. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";

/** A value's slots, or its bytes of a slot. */
export interface StoragePlace {
  readonly account: Bytes;
  readonly isTransient: boolean;
  /** The first slot of {@link slots} consecutive ones. */
  readonly slot: bigint;
  readonly slots: bigint;
  /** Bytes in the slot to the right of it, and its own: 32 unless it shares the slot with others. */
  readonly offset: number;
  readonly bytes: number;
}

const FORM = /^(0x[0-9a-f]{40}):(t?)(0x[0-9a-f]{1,64}):(\d{1,78}):(\d{1,2}):(\d{1,2})$/;

/** The place as a text, which is the same in every session. */
export function placeId({ account, isTransient, slot, slots, offset, bytes }: StoragePlace): string {
  return [encodeData(account), `${isTransient ? "t" : ""}${encodeQuantity(slot)}`, slots, offset, bytes].join(":");
}

/** The place of a text; undefined if {@link placeId} did not make it. */
export function parsePlaceId(id: string): StoragePlace | undefined {
  const match = FORM.exec(id);
  if (match === null) return undefined;
  const [, account = "", transient, slot = "", slots = "", offset, bytes] = match;
  return {
    account: decodeData(account),
    isTransient: transient === "t",
    slot: BigInt(slot),
    slots: BigInt(slots),
    offset: Number(offset),
    bytes: Number(bytes),
  };
}

/** Strings and bytes in storage. The data of a long one is in slots of their own. */
import { bigIntToFixedBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { bytesText, valueText } from "./value-text.ts";

const SLOT_BYTES = 32;
/** Most bytes that are read. */
const MOST_BYTES = 4_096n;

/** A variable of type `string` or `bytes`. */
export interface StoredText {
  /** Its type. */
  readonly label: string;
  readonly slot: bigint;
  /** The value of that slot. */
  readonly word: bigint;
}

/** Reads slots of one account; undefined for one that is not known. */
type ReadSlots = (slots: readonly bigint[]) => Promise<readonly (bigint | undefined)[]>;

/** The value in quotes, or its number of bytes if it is very long; undefined if a slot of its data is not known. */
export async function storedText({ label, slot, word }: StoredText, read: ReadSlots): Promise<string | undefined> {
  const length = (word - 1n) / 2n;
  const isLong = (word & 1n) === 1n;
  if (!isLong || length > MOST_BYTES) return valueText({ kind: "bytes", label }, word, 0);
  const first = firstDataSlot(slot);
  const slots = Array.from({ length: Math.ceil(Number(length) / SLOT_BYTES) }, (_, index) =>
    BigInt.asUintN(256, first + BigInt(index)),
  );
  const bytes = new Uint8Array(slots.length * SLOT_BYTES);
  for (const [index, value] of (await read(slots)).entries()) {
    if (value === undefined) return undefined;
    bytes.set(bigIntToFixedBytes(value, SLOT_BYTES), index * SLOT_BYTES);
  }
  return bytesText(bytes.subarray(0, Number(length)), label);
}

/** The slot at which the data of a dynamic array, or of a long string, begins. */
export function firstDataSlot(slot: bigint): bigint {
  return bytesToBigInt(keccak256(bigIntToFixedBytes(slot, SLOT_BYTES)));
}

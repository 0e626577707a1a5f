/**
 * Encoding of a derived state: RLP of the base's root, then for each write the address, the slot without leading zeros
 * (but at least one byte) and the value. If the slot is empty, the value is the account's balance.
 */

import { type Bytes, bytesToBigInt, EMPTY_BYTES, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { decodeRlp } from "../../primitives/rlp/rlp.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";
import type { DerivedState, StateWrite } from "../view.ts";

const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;

/** @param writer - empty; pass one to reuse it for many states */
export function encodeDerivedState({ baseRoot, writes }: DerivedState, writer = new RlpWriter(256)): Bytes {
  for (let index = writes.length - 1; index >= 0; index--) {
    const write = writes[index] as StateWrite;
    if ("slot" in write) {
      writer.string(write.value);
      writer.string(shortSlot(write.slot));
    } else {
      writer.integer(write.balance);
      writer.string(EMPTY_BYTES);
    }
    writer.string(write.address);
  }
  writer.string(baseRoot);
  writer.list(0);
  return writer.take();
}

/** @throws {RangeError} if the bytes were not made by {@link encodeDerivedState} */
export function decodeDerivedState(bytes: Bytes): DerivedState {
  const items: unknown = decodeRlp(bytes);
  if (!Array.isArray(items) || items.length % 3 !== 1 || !items.every((item) => item instanceof Uint8Array)) {
    throw new RangeError("not a derived state");
  }
  const [baseRoot, ...parts] = items as [Bytes, ...Bytes[]];
  expectLength(baseRoot, WORD_BYTES);
  const writes: StateWrite[] = [];
  for (let index = 0; index < parts.length; index += 3) {
    const [address, slot, value] = parts.slice(index, index + 3) as [Bytes, Bytes, Bytes];
    expectLength(address, ADDRESS_BYTES);
    if (slot.length > WORD_BYTES || value.length > WORD_BYTES) throw new RangeError("a word of more than 32 bytes");
    writes.push(
      slot.length === 0
        ? { address, balance: bytesToBigInt(value) }
        : { address, slot: padBytesLeft(slot, WORD_BYTES), value },
    );
  }
  return { baseRoot, writes };
}

function shortSlot(slot: Bytes): Bytes {
  let start = 0;
  while (start < slot.length - 1 && slot[start] === 0) start++;
  return slot.subarray(start);
}

function expectLength(bytes: Bytes, length: number): void {
  if (bytes.length !== length) throw new RangeError(`${bytes.length} bytes instead of ${length}`);
}

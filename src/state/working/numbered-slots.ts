/**
 * Preimages of the slots of system contracts' ring buffers (EIP-2935, EIP-4788): slots with small numbers by their
 * hash. They are written in every block, so their preimages are not stored each time. Computed on first use.
 */
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";

/** Two rings of 8,191 slots. */
const COUNT = 16_382n;

/** Finds the numbers of slots by their hashes. One for each {@link StateDatabase}. */
export class NumberedSlots {
  #slots: HashMap<Bytes> | undefined;

  /** The slot, 32 bytes, with this hash; undefined if it is not one of the first 16,382. */
  find(hash: Bytes): Bytes | undefined {
    this.#slots ??= hashedSlots();
    return this.#slots.get(hash);
  }
}

function hashedSlots(): HashMap<Bytes> {
  const slots = new HashMap<Bytes>();
  for (let number = 0n; number < COUNT; number++) {
    const slot = bigIntToFixedBytes(number, 32);
    slots.set(keccak256(slot), slot);
  }
  return slots;
}

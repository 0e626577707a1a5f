/** Lists the variables that share one storage slot. */
import {
  elementsPerSlot,
  type StorageType,
  type StorageVariable,
  slotsOf,
  type ValueType,
} from "../source/storage-type.ts";

/** A value in a slot, or a part of a value that takes several slots. */
export interface SlotPart {
  /** For example `balances[0xAb…]`, `limits[2].low`, `list.length`. */
  readonly name: string;
  /** Undefined for the slots of a long string's data. */
  readonly type: StorageType | undefined;
  /** Number of bytes in the slot to the right of it, which hold other values. */
  readonly offset: number;
  /** The mapping, dynamic array or string whose data is at a hash of this slot. */
  readonly container?: { readonly name: string; readonly type: StorageType };
}

const LENGTH: ValueType = { kind: "value", label: "uint256", bytes: 32 };

/** The variables in a slot; empty if the slot belongs to none of them. */
export function partsIn(variables: readonly StorageVariable[], slot: bigint, prefix = ""): readonly SlotPart[] {
  return variables
    .filter((variable) => variable.slot <= slot && slot < variable.slot + slotsOf(variable.type))
    .flatMap(({ name, type, offset, slot: first }) => partsOf(type, slot - first, { name: prefix + name, offset }));
}

/**
 * The parts of one slot of a value, without data that is stored at hashes.
 *
 * @param slot - index of the slot within the value
 */
export function partsOf(
  type: StorageType,
  slot: bigint,
  { name, offset }: Pick<SlotPart, "name" | "offset">,
): readonly SlotPart[] {
  switch (type.kind) {
    case "value":
      return [{ name, type, offset }];
    case "bytes":
    case "mapping":
      return [{ name, type, offset, container: { name, type } }];
    case "struct":
      return partsIn(type.members, slot, `${name}.`);
    case "array": {
      if (type.length !== undefined) return elementsIn(type.base(), slot, { name, length: type.length });
      return [{ name: `${name}.length`, type: LENGTH, offset, container: { name, type } }];
    }
  }
}

/** The array elements in one slot. Small elements share a slot. */
export function elementsIn(
  base: StorageType,
  slot: bigint,
  { name, length }: { readonly name: string; readonly length: bigint | undefined },
): readonly SlotPart[] {
  const shared = elementsPerSlot(base);
  if (base.kind !== "value" || shared === 1) {
    const size = slotsOf(base);
    return partsOf(base, slot % size, { name: `${name}[${slot / size}]`, offset: 0 });
  }
  const first = slot * BigInt(shared);
  return Array.from({ length: shared }, (_, index) => ({ index: first + BigInt(index), offset: index * base.bytes }))
    .filter(({ index }) => length === undefined || index < length)
    .map(({ index, offset }) => ({ name: `${name}[${index}]`, type: base, offset }));
}

/** What stands in one slot: one variable, or several beside each other. */
import {
  elementsPerSlot,
  type StorageType,
  type StorageVariable,
  slotsOf,
  type ValueType,
} from "../source/storage-type.ts";

/** A value in a slot, or a part of a longer one. */
export interface SlotPart {
  /** `balances[0xAb…]`, `limits[2].low`, `list.length`. */
  readonly name: string;
  /** Undefined for bytes 32 to 63 and so on of a long string. */
  readonly type: StorageType | undefined;
  /** Bytes to the right of it in the slot. */
  readonly offset: number;
  /** What hashes with this slot lead to: elements, or values by key; by the name in front of them. */
  readonly container?: { readonly name: string; readonly type: StorageType };
}

const LENGTH: ValueType = { kind: "value", label: "uint256", bytes: 32 };

/** The parts of a slot that lies in some variables; none where it lies in none. */
export function partsIn(variables: readonly StorageVariable[], slot: bigint, prefix = ""): readonly SlotPart[] {
  return variables
    .filter((variable) => variable.slot <= slot && slot < variable.slot + slotsOf(variable.type))
    .flatMap(({ name, type, offset, slot: first }) => partsOf(type, slot - first, { name: prefix + name, offset }));
}

/**
 * The parts of a slot of a value that stands in line.
 *
 * @param slot - counted from the value's first
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

/** The parts of a slot of elements in line, which share slots where several fit. */
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

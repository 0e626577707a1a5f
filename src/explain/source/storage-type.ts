/** Types of state variables, with the facts that are needed to find and decode them in storage. */

export type StorageType = ValueType | BytesType | MappingType | ArrayType | StructType;

/** A type of at most 32 bytes, which can share a slot with others. */
export interface ValueType {
  readonly kind: "value";
  /** Solidity's name: `uint256`, `address`, `contract Token`, `enum Vault.Mode`. */
  readonly label: string;
  /** 1 to 32. */
  readonly bytes: number;
  /** Members of an enum, in order. */
  readonly members?: readonly string[];
}

/** `string` and `bytes`. Up to 31 bytes are in the slot itself, longer values at the slot's hash. */
export interface BytesType {
  readonly kind: "bytes";
  readonly label: string;
}

/** Values are at hashes of their keys. `value` is a function, because types may contain themselves. */
export interface MappingType {
  readonly kind: "mapping";
  readonly key: StorageType;
  readonly value: () => StorageType;
}

/** Items follow one another, or begin at a hash if the length is dynamic. */
export interface ArrayType {
  readonly kind: "array";
  readonly base: () => StorageType;
  /** Undefined for a dynamic array. */
  readonly length: bigint | undefined;
}

/** Members in order of their declaration. */
export interface StructType {
  readonly kind: "struct";
  readonly label: string;
  /** Their slots are relative to the struct's first slot. */
  readonly members: readonly StorageVariable[];
}

/** A state variable, or a member of a struct. */
export interface StorageVariable {
  readonly name: string;
  readonly slot: bigint;
  /** Number of bytes in the slot to the right of it, which hold other variables. */
  readonly offset: number;
  readonly type: StorageType;
}

/** The storage layout of a contract. */
export interface StorageLayout {
  /** False if the build has neither solc's layout nor an AST. */
  readonly isKnown: boolean;
  readonly variables: readonly StorageVariable[];
  /** Variables in transient storage (EIP-1153). */
  readonly transient: readonly StorageVariable[];
  /** Structs whose slot is computed from a namespace (ERC-7201). */
  readonly namespaces: readonly StorageVariable[];
}

/** Bytes of a slot. */
export const SLOT_BYTES = 32;
/** Arrays and structs in one another beyond this depth are of no contract: a damaged build can have ones without an end. */
const MAX_NESTING = 64;

/** Bytes that a value takes in a slot; 32 for types that do not share a slot. */
export function bytesOf(type: StorageType): number {
  return type.kind === "value" ? type.bytes : SLOT_BYTES;
}

/** Number of consecutive slots of a variable. Dynamic arrays, strings and mappings have one. */
export function slotsOf(type: StorageType, depth = 0): bigint {
  if (depth > MAX_NESTING) return 1n;
  if (type.kind === "struct") return structSlots(type, depth);
  if (type.kind !== "array" || type.length === undefined) return 1n;
  const base = type.base();
  const perSlot = elementsPerSlot(base);
  return perSlot > 1 ? (type.length + BigInt(perSlot) - 1n) / BigInt(perSlot) : type.length * slotsOf(base, depth + 1);
}

function structSlots({ members }: StructType, depth: number): bigint {
  const last = members.at(-1);
  return last === undefined ? 1n : last.slot + slotsOf(last.type, depth + 1);
}

/** Number of array elements in one slot; 1 if each element has slots of its own. */
export function elementsPerSlot(base: StorageType): number {
  return base.kind === "value" ? Math.max(1, Math.floor(SLOT_BYTES / base.bytes)) : 1;
}

/**
 * Assigns slots to variables as solc does. Consecutive variables share a slot while they fit. Structs and arrays begin
 * and end at slot borders.
 *
 * @see https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html
 */
export function placeVariables(
  declared: readonly { readonly name: string; readonly type: StorageType }[],
  start = 0n,
): readonly StorageVariable[] {
  let slot = start;
  let offset = 0;
  return declared.map(({ name, type }) => {
    const bytes = bytesOf(type);
    const isWhole = type.kind !== "value";
    if (offset > 0 && (isWhole || offset + bytes > SLOT_BYTES)) {
      slot++;
      offset = 0;
    }
    const variable = { name, slot, offset, type };
    if (isWhole) slot += slotsOf(type);
    else offset += bytes;
    return variable;
  });
}

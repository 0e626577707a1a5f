/** Types of state variables, as far as they say where values stand in storage and what they mean. */

export type StorageType = ValueType | BytesType | MappingType | ArrayType | StructType;

/** A value that shares its slot with others. */
export interface ValueType {
  readonly kind: "value";
  /** As Solidity has it: `uint256`, `address`, `contract Token`, `enum Vault.Mode`. */
  readonly label: string;
  /** 1 to 32. */
  readonly bytes: number;
  /** Members of an enum, in order. */
  readonly members?: readonly string[];
}

/** `string` and `bytes`: up to 31 bytes in the slot, longer ones elsewhere. */
export interface BytesType {
  readonly kind: "bytes";
  readonly label: string;
}

export interface MappingType {
  readonly kind: "mapping";
  readonly key: StorageType;
  readonly value: () => StorageType;
}

export interface ArrayType {
  readonly kind: "array";
  readonly base: () => StorageType;
  /** Undefined for one that grows. */
  readonly length: bigint | undefined;
}

export interface StructType {
  readonly kind: "struct";
  readonly label: string;
  /** Slots count from the beginning of the struct. */
  readonly members: readonly StorageVariable[];
}

/** A state variable, or a member of a struct. */
export interface StorageVariable {
  readonly name: string;
  readonly slot: bigint;
  /** Bytes to the right of it in its slot. */
  readonly offset: number;
  readonly type: StorageType;
}

/** The storage layout of a contract. */
export interface StorageLayout {
  /** False where the build has neither solc's layout nor an AST. */
  readonly isKnown: boolean;
  readonly variables: readonly StorageVariable[];
  /** Variables of EIP-1153. */
  readonly transient: readonly StorageVariable[];
  /** Structs that stand where their namespace says (ERC-7201). */
  readonly namespaces: readonly StorageVariable[];
}

const SLOT_BYTES = 32;

/** Bytes of a slot that a value takes; a whole slot for what does not share one. */
export function bytesOf(type: StorageType): number {
  return type.kind === "value" ? type.bytes : SLOT_BYTES;
}

/** Slots that a variable takes in line: of what may grow the first one alone. */
export function slotsOf(type: StorageType): bigint {
  if (type.kind === "struct") return structSlots(type);
  if (type.kind !== "array" || type.length === undefined) return 1n;
  const base = type.base();
  const perSlot = elementsPerSlot(base);
  return perSlot > 1 ? (type.length + BigInt(perSlot) - 1n) / BigInt(perSlot) : type.length * slotsOf(base);
}

function structSlots({ members }: StructType): bigint {
  const last = members.at(-1);
  return last === undefined ? 1n : last.slot + slotsOf(last.type);
}

/** Elements of an array that share a slot; 1 where each has slots of its own. */
export function elementsPerSlot(base: StorageType): number {
  return base.kind === "value" ? Math.max(1, Math.floor(SLOT_BYTES / base.bytes)) : 1;
}

/**
 * Puts variables where solc puts them: one behind the other, in a slot as long as they fit, structs and arrays in slots of
 * their own.
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

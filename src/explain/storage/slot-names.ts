/**
 * Finds the names of storage slots by a contract's layout. Slots at fixed positions are found by their number, all
 * others by a hash.
 *
 * solc stores a mapping's value at keccak256(key ‖ slot), and the data of a dynamic array or a string at
 * keccak256(slot). A mapping's keys are taken from the inputs of the KECCAK256 operations that ran during the
 * transaction, and from the constants of the code.
 *
 * @see https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html
 */
import { type Bytes, bigIntToFixedBytes, bytesToBigInt, concatBytes } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import type { StorageType, StorageVariable } from "../source/storage-type.ts";
import { elementsIn, partsIn, partsOf, type SlotPart } from "./slot-parts.ts";
import { keyText } from "./value-text.ts";

/** Inputs of KECCAK256, by their hash. */
export type Preimages = ReadonlyMap<bigint, Bytes>;

const SLOT_BYTES = 32;
/** Greatest distance from a hash at which a slot is assigned to it. No array is longer. */
const REACH = 1n << 64n;
/** Keys that many contracts name: roles of administrators, ends of lists, first identifiers. */
const SMALL_KEYS: readonly bigint[] = [0n, 1n, 2n];
/** Most slots of a variable that are listed and searched for dynamic arrays and strings. */
const MOST_SLOTS = 1_024n;

/** Lives for one contract in one transaction, whose hashes name its slots. */
export class SlotNames {
  readonly #variables: readonly StorageVariable[];
  /** Inputs of hashes, by hash. Includes hashes computed here, which the transaction did not compute itself. */
  readonly #preimages: Map<bigint, Bytes>;
  readonly #hashes: bigint[];
  readonly #answers = new Map<bigint, readonly SlotPart[]>();
  readonly #constants: () => readonly bigint[];
  #hasConstants = false;

  /** @param constants - numbers of the code, which may be keys of mappings; asked for if a slot is not known otherwise */
  constructor(
    variables: readonly StorageVariable[],
    preimages: Preimages,
    constants: () => readonly bigint[] = () => [],
  ) {
    this.#variables = variables;
    this.#constants = constants;
    this.#preimages = new Map(preimages);
    this.#hashes = [...preimages.keys()];
    for (const slot of this.inLine()) this.#addData(slot, partsIn(variables, slot));
    this.#hashes.sort((left, right) => (left < right ? -1 : 1));
  }

  /** Slots at fixed positions, the first ones of each variable. */
  *inLine(): Generator<bigint> {
    for (const { slot: first } of this.#variables) {
      for (let slot = first; slot < first + MOST_SLOTS; slot++) {
        if (partsIn(this.#variables, slot).length === 0) break;
        yield slot;
      }
    }
  }

  /** The variables in a slot; empty if none is known. */
  parts(slot: bigint): readonly SlotPart[] {
    const known = this.#answers.get(slot);
    if (known !== undefined) return known;
    const inLine = partsIn(this.#variables, slot);
    const parts = inLine.length > 0 ? inLine : this.#hashed(slot);
    this.#answers.set(slot, parts);
    // The optimizer computes hashes of constant slots at compile time, so that no KECCAK256 runs: compute them here.
    if (this.#addData(slot, parts)) this.#hashes.sort((left, right) => (left < right ? -1 : 1));
    return parts;
  }

  /** Adds the hash that is the start of an array's or a string's data. */
  #addData(slot: bigint, parts: readonly SlotPart[]): boolean {
    const kind = parts[0]?.container?.type.kind;
    if (kind !== "array" && kind !== "bytes") return false;
    const preimage = bigIntToFixedBytes(slot, SLOT_BYTES);
    const hash = bytesToBigInt(keccak256(preimage));
    if (this.#preimages.has(hash)) return false;
    this.#preimages.set(hash, preimage);
    this.#hashes.push(hash);
    return true;
  }

  #hashed(slot: bigint): readonly SlotPart[] {
    const found = this.#behindHash(slot);
    if (found.length > 0 || this.#hasConstants) return found;
    this.#hasConstants = true;
    this.#addConstantKeys();
    return this.#behindHash(slot);
  }

  /** Adds the hashes of mappings with constant keys, which the optimizer computes at compile time. */
  #addConstantKeys(): void {
    const keys = [...new Set([...SMALL_KEYS, ...this.#constants()])];
    for (const slot of this.inLine()) {
      const [part] = partsIn(this.#variables, slot);
      const type = part?.container?.type;
      if (type?.kind !== "mapping" || type.key.kind !== "value") continue;
      const end = 1n << BigInt(8 * type.key.bytes);
      for (const key of keys) {
        if (key >= end) continue;
        const preimage = concatBytes(bigIntToFixedBytes(key, SLOT_BYTES), bigIntToFixedBytes(slot, SLOT_BYTES));
        const hash = bytesToBigInt(keccak256(preimage));
        if (this.#preimages.has(hash)) continue;
        this.#preimages.set(hash, preimage);
        this.#hashes.push(hash);
      }
    }
    this.#hashes.sort((left, right) => (left < right ? -1 : 1));
  }

  #behindHash(slot: bigint): readonly SlotPart[] {
    const hash = this.#hashes.findLast((candidate) => candidate <= slot);
    const preimage = hash === undefined ? undefined : this.#preimages.get(hash);
    if (hash === undefined || preimage === undefined || slot - hash >= REACH || preimage.length < SLOT_BYTES) return [];
    const end = preimage.length - SLOT_BYTES;
    const container = this.parts(bytesToBigInt(preimage.subarray(end)))[0]?.container;
    return container === undefined ? [] : partsBehind(container, preimage.subarray(0, end), slot - hash);
  }
}

/** Names a slot that was reached by a hash: a value of a mapping, or data of an array or a string. */
function partsBehind(
  { name, type }: { readonly name: string; readonly type: StorageType },
  key: Bytes,
  slot: bigint,
): readonly SlotPart[] {
  if (type.kind === "mapping") {
    return key.length === 0
      ? []
      : partsOf(type.value(), slot, { name: `${name}[${keyText(type.key, key)}]`, offset: 0 });
  }
  if (key.length > 0) return [];
  if (type.kind === "array") return elementsIn(type.base(), slot, { name, length: undefined });
  const start = slot * BigInt(SLOT_BYTES);
  return [{ name: `${name}[${start}:${start + BigInt(SLOT_BYTES)}]`, type: undefined, offset: 0 }];
}

/**
 * Names slots by a contract's layout: those in line by their numbers, others by the hashes that lead to them.
 *
 * solc puts a mapping's value at keccak256(key ‖ slot), and what grows at keccak256(slot). The keys are known from what was
 * hashed while the transaction ran.
 *
 * @see https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html
 */
import { type Bytes, bigIntToFixedBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import type { StorageType, StorageVariable } from "../source/storage-type.ts";
import { elementsIn, partsIn, partsOf, type SlotPart } from "./slot-parts.ts";
import { keyText } from "./value-text.ts";

/** What was hashed, by its hash. */
export type Preimages = ReadonlyMap<bigint, Bytes>;

const SLOT_BYTES = 32;
/** Slots behind a hash that may belong to it: arrays are never that long. */
const REACH = 1n << 64n;
/** Slots in line that are looked through for arrays and strings. */
const MOST_SLOTS = 1_024n;

export class SlotNames {
  readonly #variables: readonly StorageVariable[];
  /** All hashes by what was hashed, those that nobody hashed in this transaction included. */
  readonly #preimages: Map<bigint, Bytes>;
  readonly #hashes: bigint[];
  readonly #answers = new Map<bigint, readonly SlotPart[]>();

  constructor(variables: readonly StorageVariable[], preimages: Preimages) {
    this.#variables = variables;
    this.#preimages = new Map(preimages);
    this.#hashes = [...preimages.keys()];
    for (const { slot: first } of variables) {
      for (let slot = first; slot < first + MOST_SLOTS; slot++) {
        const parts = partsIn(variables, slot);
        if (parts.length === 0) break;
        this.#addData(slot, parts);
      }
    }
    this.#hashes.sort((left, right) => (left < right ? -1 : 1));
  }

  /** What stands in a slot; nothing where no variable is known to. */
  parts(slot: bigint): readonly SlotPart[] {
    const known = this.#answers.get(slot);
    if (known !== undefined) return known;
    const inLine = partsIn(this.#variables, slot);
    const parts = inLine.length > 0 ? inLine : this.#hashed(slot);
    this.#answers.set(slot, parts);
    // The optimizer works out the hashes of slots that it knows, so that nobody hashes them.
    if (this.#addData(slot, parts)) this.#hashes.sort((left, right) => (left < right ? -1 : 1));
    return parts;
  }

  /** Takes in where the elements of what grows begin. */
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
    const hash = this.#hashes.findLast((candidate) => candidate <= slot);
    const preimage = hash === undefined ? undefined : this.#preimages.get(hash);
    if (hash === undefined || preimage === undefined || slot - hash >= REACH || preimage.length < SLOT_BYTES) return [];
    const end = preimage.length - SLOT_BYTES;
    const container = this.parts(bytesToBigInt(preimage.subarray(end)))[0]?.container;
    return container === undefined ? [] : partsBehind(container, preimage.subarray(0, end), slot - hash);
  }
}

/** What stands behind the hash of a mapping's key, or where what grows begins. */
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

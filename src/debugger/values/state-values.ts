/** State variables of a contract as values, read from storage when they are opened. */
import type { StorageType, StorageVariable } from "../../explain/source/storage-type.ts";
import { bytesOf, elementsPerSlot, slotsOf } from "../../explain/source/storage-type.ts";
import type { Preimages } from "../../explain/storage/slot-names.ts";
import { firstDataSlot, storedText } from "../../explain/storage/stored-text.ts";
import { keyText, valueText } from "../../explain/storage/value-text.ts";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import type { StoragePlace } from "./storage-place.ts";
import type { ValueNode } from "./value-node.ts";

/** The storage of an account at a step. */
export interface StorageSource extends Pick<StoragePlace, "isTransient"> {
  /** Undefined for a creation of which no account remains. */
  readonly account: Bytes | undefined;
  /** Reads slots; undefined for one that is not known. */
  readonly read: (slots: readonly bigint[]) => Promise<readonly (bigint | undefined)[]>;
}

const SLOT_BYTES = 32;
/** Most elements of an array that are shown. */
const MOST_ELEMENTS = 256n;
const NOT_KNOWN = "(not in the replay file)";

/** The state variables of one contract at one step. */
export class StateValues {
  readonly #source: StorageSource;
  /** Keys of mappings by the slot of the mapping: what was hashed with it. */
  readonly #keys = new Map<bigint, { readonly key: Bytes; readonly slot: bigint }[]>();

  constructor(source: StorageSource, preimages: Preimages) {
    this.#source = source;
    for (const [slot, preimage] of preimages) {
      if (preimage.length <= SLOT_BYTES) continue;
      const end = preimage.length - SLOT_BYTES;
      const mapping = bytesToBigInt(preimage.subarray(end));
      const keys = this.#keys.get(mapping) ?? [];
      keys.push({ key: preimage.subarray(0, end), slot });
      this.#keys.set(mapping, keys);
    }
  }

  /**
   * Variables or members with their values.
   *
   * @param base - slot that theirs are relative to
   */
  async nodes(variables: readonly StorageVariable[], base = 0n): Promise<readonly ValueNode[]> {
    const words = await this.#source.read(variables.map(({ slot }) => BigInt.asUintN(256, base + slot)));
    return Promise.all(
      variables.map(({ name, type, slot, offset }, index) =>
        this.#node({ name, type, offset, slot: base + slot }, words[index]),
      ),
    );
  }

  async #node(place: StorageVariable, word: bigint | undefined): Promise<ValueNode> {
    const { name, type, slot, offset } = place;
    const storage = this.#placeOf(place);
    switch (type.kind) {
      case "value":
        return {
          name,
          type: type.label,
          value: word === undefined ? NOT_KNOWN : valueText(type, word, offset),
          storage,
        };
      case "bytes":
        return { name, type: type.label, value: await this.#text(type.label, slot, word), storage };
      case "struct":
        return { name, type: type.label, value: type.label, storage, children: () => this.nodes(type.members, slot) };
      case "mapping":
        return this.#mapping(name, type, slot);
      case "array":
        return { ...this.#array(place, type, word), storage };
    }
  }

  #placeOf({ type, slot, offset }: StorageVariable): StoragePlace | undefined {
    const { account, isTransient } = this.#source;
    if (account === undefined) return undefined;
    return {
      account,
      isTransient,
      slot: BigInt.asUintN(256, slot),
      slots: slotsOf(type),
      offset,
      bytes: bytesOf(type),
    };
  }

  async #text(label: string, slot: bigint, word: bigint | undefined): Promise<string> {
    if (word === undefined) return NOT_KNOWN;
    return (await storedText({ label, slot, word }, this.#source.read)) ?? NOT_KNOWN;
  }

  #mapping(name: string, type: StorageType & { readonly kind: "mapping" }, slot: bigint): ValueNode {
    const keys = this.#keys.get(slot) ?? [];
    const members = keys.map((entry) => ({
      name: `[${keyText(type.key, entry.key)}]`,
      slot: entry.slot,
      offset: 0,
      type: type.value(),
    }));
    const value = `mapping, ${keys.length === 1 ? "1 key" : `${keys.length} keys`} known from this transaction`;
    return { name, type: "mapping", value, children: keys.length === 0 ? undefined : () => this.nodes(members) };
  }

  #array(place: StorageVariable, type: StorageType & { readonly kind: "array" }, word: bigint | undefined): ValueNode {
    const { name, slot } = place;
    const length = type.length ?? word;
    if (length === undefined) return { name, value: NOT_KNOWN };
    const first = type.length === undefined ? firstDataSlot(slot) : slot;
    const shown = length < MOST_ELEMENTS ? length : MOST_ELEMENTS;
    const value = shown < length ? `${length} elements, the first ${shown} are shown` : `${length} elements`;
    const children = (): Promise<readonly ValueNode[]> => this.nodes(elements(type.base(), first, Number(shown)));
    return { name, type: "array", value, children: length === 0n ? undefined : children };
  }
}

function elements(base: StorageType, first: bigint, count: number): readonly StorageVariable[] {
  const perSlot = elementsPerSlot(base);
  const size = slotsOf(base);
  return Array.from({ length: count }, (_, index) => ({
    name: `[${index}]`,
    type: base,
    slot: first + (perSlot > 1 ? BigInt(Math.floor(index / perSlot)) : BigInt(index) * size),
    offset: base.kind === "value" && perSlot > 1 ? (index % perSlot) * base.bytes : 0,
  }));
}

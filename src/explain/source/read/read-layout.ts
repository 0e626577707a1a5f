/** Reads the storage layout that solc writes, from 0.5.13 on, if the settings ask for it. */

import { SLOT_BYTES, type StorageType, type StorageVariable, type ValueType } from "../storage-type.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "./json-values.ts";

/** Finds enums and user-defined value types by their names in a layout, which does not describe them. */
export type NamedTypes = (label: string) => ValueType | undefined;

/** The variables of `storageLayout` or `transientStorageLayout`; undefined if the output has none. */
export function readLayout(layout: unknown, named: NamedTypes): readonly StorageVariable[] | undefined {
  if (!isObject(layout) || !Array.isArray(layout.storage)) return undefined;
  const types = new LayoutTypes(objectOf(layout.types), named);
  return types.variables(layout.storage);
}

class LayoutTypes {
  readonly #types: JsonObject;
  readonly #named: NamedTypes;
  readonly #read = new Map<string, StorageType>();
  /** Types that are being read: one that contains itself is of no contract, and has no end. */
  readonly #open = new Set<string>();

  constructor(types: JsonObject, named: NamedTypes) {
    this.#types = types;
    this.#named = named;
  }

  variables(list: unknown): readonly StorageVariable[] {
    return listOf(list)
      .filter(isObject)
      .map(({ label, slot, offset, type }) => ({
        name: textOf(label) ?? "",
        slot: BigInt(/^\d{1,78}$/.exec(textOf(slot) ?? "")?.[0] ?? 0),
        offset: countOf(offset, SLOT_BYTES - 1) ?? 0,
        type: this.#typeOf(textOf(type) ?? ""),
      }));
  }

  #typeOf(id: string): StorageType {
    const known = this.#read.get(id);
    if (known !== undefined) return known;
    if (this.#open.has(id)) return { kind: "value", label: id, bytes: SLOT_BYTES };
    this.#open.add(id);
    const type = this.#make(id, objectOf(this.#types[id]));
    this.#open.delete(id);
    this.#read.set(id, type);
    return type;
  }

  #make(id: string, { encoding, label, numberOfBytes, key, value, base, members }: JsonObject): StorageType {
    const name = (textOf(label) ?? id).replace(/ payable$/, "");
    if (encoding === "bytes") return { kind: "bytes", label: name };
    if (encoding === "mapping") {
      const valueId = textOf(value) ?? "";
      return { kind: "mapping", key: this.#typeOf(textOf(key) ?? ""), value: () => this.#typeOf(valueId) };
    }
    const element = (): StorageType => this.#typeOf(textOf(base) ?? "");
    if (encoding === "dynamic_array") return { kind: "array", base: element, length: undefined };
    if (Array.isArray(members)) return { kind: "struct", label: name, members: this.variables(members) };
    const [, length] = /\[(\d+)\]$/.exec(name) ?? [];
    if (base !== undefined && length !== undefined) {
      return { kind: "array", base: element, length: BigInt(length) };
    }
    const known = this.#named(name);
    if (known !== undefined) return known;
    const bytes = countOf(Number(textOf(numberOfBytes)), SLOT_BYTES) ?? SLOT_BYTES;
    return { kind: "value", label: name, bytes: Math.max(1, bytes) };
  }
}

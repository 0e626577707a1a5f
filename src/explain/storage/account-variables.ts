/** Names and values of the variables in an account's storage. */
import type { FoundContract } from "../source/contract-finder.ts";
import { constantsOf } from "./code-constants.ts";
import { fixedSlotPart } from "./fixed-slots.ts";
import { type Preimages, SlotNames } from "./slot-names.ts";
import type { SlotPart } from "./slot-parts.ts";
import { scalarOf, valueText } from "./value-text.ts";

/** A variable, or a part of one, in a storage slot. */
export interface SlotVariable {
  /** For example `balances[0xAb…]`, `limits[2].low`. */
  readonly name: string;
  /** The Solidity type; undefined for parts of long strings. */
  readonly type: string | undefined;
  /** As text. */
  readonly value: string;
}

/** A variable that a write to its slot changed. */
export interface ChangedVariable {
  readonly name: string;
  /** As text. */
  readonly before: string;
  readonly after: string;
}

/** Lives for one request; several layouts, because proxies run other contracts with their storage. */
export class AccountVariables {
  readonly #layouts: readonly SlotNames[];
  readonly #preimages: Preimages;

  /**
   * @param contracts - whose code ran with the storage, the most likely first; the first that knows a slot names it
   * @param preimages - inputs of KECCAK256, by hash
   */
  constructor(contracts: readonly FoundContract[], preimages: Preimages) {
    this.#preimages = preimages;
    this.#layouts = Array.from(new Map(contracts.map(({ contract, code }) => [contract, code])), ([contract, code]) => {
      const { variables, namespaces } = contract.storage();
      return new SlotNames([...variables, ...namespaces], preimages, () =>
        constantsOf([code.template.bytes], { selectors: true }),
      );
    });
  }

  /** The variables that share a slot; empty if none is known. */
  at(slot: bigint, word: bigint): readonly SlotVariable[] {
    return this.#parts(slot).map(({ name, type, offset }) => ({
      name,
      type: type !== undefined && "label" in type ? type.label : undefined,
      value: valueText(type, word, offset),
    }));
  }

  /** The variables that differ between two values of a slot; empty if none is known. */
  changed(slot: bigint, before: bigint, after: bigint): readonly ChangedVariable[] {
    return this.#parts(slot).flatMap(({ name, type, offset }) => {
      const bits = (word: bigint): bigint => (type?.kind === "value" ? scalarOf(type, word, offset) : word);
      if (bits(before) === bits(after)) return [];
      return [{ name, before: valueText(type, before, offset), after: valueText(type, after, offset) }];
    });
  }

  /** Slots that have a name, as far as they can be listed without reading the storage. */
  *slots(): Generator<bigint> {
    const seen = new Set<bigint>();
    for (const names of this.#layouts) {
      for (const slot of names.inLine()) {
        if (!seen.has(slot)) yield slot;
        seen.add(slot);
      }
    }
    for (const slot of this.#preimages.keys()) if (!seen.has(slot) && this.#parts(slot).length > 0) yield slot;
  }

  #parts(slot: bigint): readonly SlotPart[] {
    for (const names of this.#layouts) {
      const parts = names.parts(slot);
      if (parts.length > 0) return parts;
    }
    const fixed = fixedSlotPart(slot);
    return fixed === undefined ? [] : [fixed];
  }
}

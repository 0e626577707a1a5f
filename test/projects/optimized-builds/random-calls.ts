/** Random arguments of calls, among which are accounts, contracts and numbers at which code decides. */
import type { AbiParameter } from "viem";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import { randomNumbers } from "../../support/random-numbers.ts";

const NUMBERS = [0n, 1n, 2n, 3n, 100n, 500n, 1000n, 10n ** 18n];
const TEXTS = ["", "12", "0x1f", "abc", "a text that is longer than one word of memory"];

export class RandomCalls {
  readonly addresses: Hex[] = [];
  /** Call data that may be handed on. */
  readonly datas: Hex[] = ["0x", "0x", "0x12345678"];
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }

  /** True with a probability. */
  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#next() * items.length)] as Item;
  }

  valueOf(parameter: AbiParameter): unknown {
    const { type } = parameter;
    const [, item, size] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
    if (item !== undefined) {
      const length = size === "" ? this.pick([0, 1, 1, 2]) : Number(size);
      return Array.from({ length }, () => this.valueOf({ ...parameter, type: item }));
    }
    if (type === "tuple") {
      const { components = [] } = parameter as { readonly components?: readonly AbiParameter[] };
      return Object.fromEntries(components.map((each, index) => [each.name || `${index}`, this.valueOf(each)]));
    }
    if (type === "address") return this.pick(this.addresses);
    if (type === "bool") return this.chance(0.5);
    if (type === "string") return this.pick(TEXTS);
    if (type === "bytes") return this.pick(this.datas);
    if (type.startsWith("bytes")) return `0x${this.pick(["00", "00", "01", "ff"]).repeat(Number(type.slice(5)))}`;
    const isSigned = type.startsWith("int");
    const bits = BigInt(/\d+/.exec(type)?.[0] ?? 256) - (isSigned ? 1n : 0n);
    const most = 2n ** bits - 1n;
    if (isSigned && this.chance(0.2)) return -1n;
    return this.pick([...NUMBERS, most, most - 1n].filter((value) => value <= most));
  }
}

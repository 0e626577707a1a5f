/**
 * Finds methods by name.
 *
 * Making the schemas of all methods takes a fifth of the time until a first call, so that most are loaded when the first
 * of them is called.
 */
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { Method } from "./method.ts";

/** The parts of a table. */
export interface MethodSource {
  /** Found without waiting. */
  readonly common: readonly Method[];
  /** Loads all, the common ones among them. */
  readonly load: () => Promise<readonly Method[]>;
}

/** Finds methods by name. One for each node. */
export class MethodTable {
  readonly #load: MethodSource["load"];
  #byName: ReadonlyMap<string, Method>;
  #all: readonly Method[] | undefined;

  constructor({ common, load }: MethodSource) {
    this.#load = load;
    this.#byName = byName(common);
  }

  /** The method of this name; undefined if there is none. */
  find(name: string): MaybePromise<Method | undefined> {
    const found = this.#byName.get(name);
    return found !== undefined || this.#all !== undefined ? found : this.#findAmongAll(name);
  }

  /** Every method, in the order of the method table. */
  async all(): Promise<readonly Method[]> {
    this.#all ??= await this.#load();
    this.#byName = byName(this.#all);
    return this.#all;
  }

  async #findAmongAll(name: string): Promise<Method | undefined> {
    await this.all();
    return this.#byName.get(name);
  }
}

function byName(methods: readonly Method[]): ReadonlyMap<string, Method> {
  return new Map(methods.map((method) => [method.name, method]));
}

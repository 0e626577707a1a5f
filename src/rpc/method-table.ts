/**
 * Finds methods by name.
 *
 * Making the schemas of all methods takes a fifth of the time until a first call, so that most are loaded when the first
 * of them is called. Those of tests come first, because all others take several times as long.
 */
import type { MaybePromise } from "../primitives/maybe-promise.ts";
import type { Method } from "./method.ts";

/** The parts of a table. */
export interface MethodSource {
  /** Found without waiting. */
  readonly common: readonly Method[];
  /** Loads those that most tests call, too. */
  readonly loadControl: () => Promise<readonly Method[]>;
  /** Loads all, the others among them. */
  readonly load: () => Promise<readonly Method[]>;
}

/** Finds methods by name. One for each node. */
export class MethodTable {
  readonly #source: MethodSource;
  #hasControl = false;
  #byName: ReadonlyMap<string, Method>;
  #all: readonly Method[] | undefined;

  constructor(source: MethodSource) {
    this.#source = source;
    this.#byName = byName(source.common);
  }

  /** The method of this name; undefined if there is none. */
  find(name: string): MaybePromise<Method | undefined> {
    const found = this.#byName.get(name);
    return found !== undefined || this.#all !== undefined ? found : this.#findAmongOthers(name);
  }

  /** Every method, in the order of the method table. */
  async all(): Promise<readonly Method[]> {
    this.#all ??= await this.#source.load();
    this.#byName = byName(this.#all);
    return this.#all;
  }

  async #findAmongOthers(name: string): Promise<Method | undefined> {
    if (!this.#hasControl) {
      const control = await this.#source.loadControl();
      // All may have been loaded meanwhile.
      if (this.#all === undefined) this.#byName = byName([...this.#source.common, ...control]);
      this.#hasControl = true;
    }
    const found = this.#byName.get(name);
    if (found !== undefined || this.#all !== undefined) return found;
    await this.all();
    return this.#byName.get(name);
  }
}

function byName(methods: readonly Method[]): ReadonlyMap<string, Method> {
  return new Map(methods.map((method) => [method.name, method]));
}

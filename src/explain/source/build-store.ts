/** The builds that a node knows. Files are read on first use. */
import { once } from "../../primitives/once.ts";
import type { Build } from "./build.ts";
import { ContractFinder } from "./contract-finder.ts";

/** One for each node, in its {@link AbiRegistry}. */
export class BuildStore {
  readonly #finder = new ContractFinder();
  readonly #gaps: string[] = [];
  #pending: (() => Promise<void>)[] = [];

  /** True if no build was added. */
  get isEmpty(): boolean {
    return this.#pending.length === 0 && this.#finder.isEmpty;
  }

  add(build: Build): void {
    this.#finder.add(build);
    this.#gaps.push(...build.gaps);
  }

  /** Adds builds that are read on first use; their gaps are in {@link gaps} from then on. */
  addLater(load: () => Promise<readonly Build[]>): void {
    this.#pending.push(
      once(async () => {
        for (const build of await load()) this.add(build);
      }),
    );
  }

  /** Facts that the builds read so far lack, in a sentence each. */
  get gaps(): readonly string[] {
    return this.#gaps;
  }

  /**
   * The contracts of all builds. Reads those that were not read yet.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD`
   */
  async contracts(): Promise<ContractFinder> {
    const pending = this.#pending;
    for (const load of pending) await load();
    this.#pending = this.#pending.filter((load) => !pending.includes(load));
    return this.#finder;
  }
}

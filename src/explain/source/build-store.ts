/** The builds that a node was told of. Files are read when something is first explained by them. */
import { once } from "../../primitives/once.ts";
import type { Build } from "./build.ts";
import { ContractFinder } from "./contract-finder.ts";

export class BuildStore {
  readonly #finder = new ContractFinder();
  readonly #gaps: string[] = [];
  #pending: (() => Promise<void>)[] = [];

  /** True where no build was added: nothing can be told of sources. */
  get isEmpty(): boolean {
    return this.#pending.length === 0 && this.#finder.isEmpty;
  }

  add(build: Build): void {
    this.#finder.add(build);
    this.#gaps.push(...build.gaps);
  }

  /** Adds builds that are read on first use; what they say is missing is in {@link gaps} from then on. */
  addLater(load: () => Promise<readonly Build[]>): void {
    this.#pending.push(
      once(async () => {
        for (const build of await load()) this.add(build);
      }),
    );
  }

  /** What the builds cannot tell, in a sentence each, as far as they were read. */
  get gaps(): readonly string[] {
    return this.#gaps;
  }

  /**
   * The contracts of all builds, read now where they were not.
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

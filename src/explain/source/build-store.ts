/** The builds that a node knows. Those of folders are read on first use, contract by contract. */
import { type FrameError, type FrameKind, isCreation } from "../../evm/frames.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { atOnce, inTurns, type Steps } from "../../primitives/platform/turns.ts";
import type { Build } from "./build.ts";
import { ContractFinder } from "./contract-finder.ts";
import type { SourceChoice } from "./source-file.ts";

/** A code that ran. */
export interface RanCode {
  /** The deployed code; of a creation the init code with its arguments. */
  readonly bytes: Bytes;
  readonly isCreation: boolean;
  /** Address of the contract, where it is known; of a creation that of the new one. */
  readonly address?: Bytes | undefined;
  /** The deployed code, where it is known: `bytes` themselves, unless it is a creation. */
  readonly deployed?: Bytes | undefined;
}

/** A folder of builds. */
export interface SourceFolder {
  /** True if it has no build files, as far as can be seen without reading it. */
  readonly isWithoutBuilds: boolean;
  /** Changes when the folder has changed. */
  readonly version: number;
  /** Facts that what was read so far lacks, in a sentence each. */
  readonly gaps: readonly string[];
  /** Reads what has changed. */
  refresh(): Steps<void>;
  /** Reads the contracts that a code may be of, and their sources; or the one whose code is most similar. */
  buildsOf(code: RanCode): Steps<readonly Build[]>;
  /** Reads the contracts of some sources. */
  buildsWhere(isWanted: SourceChoice): Steps<readonly Build[]>;
  /** Asks others for the contracts of codes that no folder has, and waits a bounded time for them. */
  lookUp?(codes: readonly RanCode[]): Promise<void>;
}

/** A call frame, as far as it names the code that ran. */
export interface CodeFrame {
  readonly kind: FrameKind;
  readonly code: Bytes;
  readonly input: Bytes;
  readonly to?: Bytes | undefined;
  readonly output?: Bytes;
  readonly error?: FrameError | undefined;
}

/** One for each node, in its {@link AbiRegistry}. */
export class BuildStore {
  readonly #builds: Build[] = [];
  readonly #folders: SourceFolder[] = [];

  /** True if there is no build. Folders that were not read yet may have some. */
  get isEmpty(): boolean {
    return this.#builds.length === 0 && this.#folders.every(({ isWithoutBuilds }) => isWithoutBuilds);
  }

  add(build: Build): void {
    this.#builds.push(build);
  }

  /** Adds builds that are read on first use. */
  addFolder(folder: SourceFolder): void {
    this.#folders.push(folder);
  }

  /** Changes when a build was added, or a folder has changed. */
  get version(): string {
    return [this.#builds.length, ...this.#folders.map(({ version }) => version)].join(" ");
  }

  /** Facts that the builds read so far lack, in a sentence each. */
  get gaps(): readonly string[] {
    return [...new Set([...this.#builds, ...this.#folders].flatMap(({ gaps }) => gaps))];
  }

  /**
   * Reads what has changed in the folders.
   *
   * @param frames - whose contracts are going to be named; unknown ones are looked up if the node does that
   */
  async refresh(frames: Iterable<CodeFrame> = []): Promise<void> {
    await inTurns(this.#refresh());
    await this.lookUp(frames);
  }

  /** Looks up the contracts of frames that are not known, if the node does that. Folders are not read otherwise. */
  lookUp(frames: Iterable<CodeFrame>): Promise<void> {
    return this.#lookUp(codesOf(frames));
  }

  /** As {@link refresh}, for members of errors: they are computed when they are read, and cannot wait. */
  refreshAtOnce(): void {
    atOnce(this.#refresh());
  }

  *#refresh(): Steps<void> {
    for (const folder of this.#folders) yield* folder.refresh();
  }

  /**
   * The contracts that some codes may be of. Of folders only these are read.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  async contractsOf(codes: Iterable<RanCode>): Promise<ContractFinder> {
    await this.#lookUp(codes);
    return inTurns(this.#contractsOf(codes));
  }

  /** Looks up the contracts of codes that are in no build, if a folder does that. */
  async #lookUp(codes: Iterable<RanCode>): Promise<void> {
    const folders = this.#folders.filter(({ lookUp }) => lookUp !== undefined);
    if (folders.length === 0) return;
    const wanted = distinct(codes);
    const finder = await inTurns(this.#contractsOf(wanted));
    const unknown = wanted.filter(
      ({ bytes, isCreation }) => (isCreation ? finder.findCreation(bytes) : finder.findRuntime(bytes)) === undefined,
    );
    if (unknown.length > 0) await Promise.all(folders.map((folder) => folder.lookUp?.(unknown)));
  }

  *#contractsOf(codes: Iterable<RanCode>): Steps<ContractFinder> {
    yield* this.#refresh();
    const found = new Set(this.#builds);
    for (const code of this.#folders.length === 0 ? [] : distinct(codes)) {
      for (const folder of this.#folders) for (const build of yield* folder.buildsOf(code)) found.add(build);
    }
    return finderOf(found);
  }

  /** The contracts of call frames, as {@link contractsOf}. */
  contractsIn(frames: Iterable<CodeFrame>): Promise<ContractFinder> {
    return this.contractsOf(codesOf(frames));
  }

  /** As {@link contractsIn}, for members of errors. */
  contractsInAtOnce(frames: Iterable<CodeFrame>): ContractFinder {
    return atOnce(this.#contractsOf(codesOf(frames)));
  }

  /**
   * The contracts of some sources, and those that some codes may be of.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  async contractsWhere(isWanted: SourceChoice, codes: Iterable<RanCode>): Promise<ContractFinder> {
    await this.#lookUp(codes);
    return inTurns(this.#contractsWhere(isWanted, codes));
  }

  *#contractsWhere(isWanted: SourceChoice, codes: Iterable<RanCode>): Steps<ContractFinder> {
    const finder = yield* this.#contractsOf(codes);
    for (const folder of this.#folders) for (const build of yield* folder.buildsWhere(isWanted)) finder.add(build);
    return finder;
  }
}

function codesOf(frames: Iterable<CodeFrame>): readonly RanCode[] {
  return Array.from(frames, ({ kind, code, input, to, output, error }) => {
    if (!isCreation(kind)) return { bytes: code, isCreation: false, address: to, deployed: code };
    const created = error === undefined ? { address: to, deployed: output } : {};
    return { bytes: input, isCreation: true, ...created };
  });
}

function finderOf(builds: Iterable<Build>): ContractFinder {
  const finder = new ContractFinder();
  for (const build of builds) finder.add(build);
  return finder;
}

/** Each array of bytes once, which most calls of the same code share; none for accounts without code. */
function distinct(codes: Iterable<RanCode>): readonly RanCode[] {
  const byBytes = new Map(Array.from(codes, (code) => [code.bytes, code]));
  return [...byBytes.values()].filter(({ bytes }) => bytes.length > 0);
}

/** Adds the artifacts of build folders to a node, and again what later builds change in them. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { AbiRegistry } from "../explain/abi/registry.ts";

/** Time between two looks at the folders. */
const INTERVAL_MS = 500;
/** Looks after a change at which the files are compared: a compiler writes them one by one. */
const LOOKS = 4;

/** Reads build folders, and looks for later changes in them twice a second. */
export class ArtifactWatch {
  readonly #abi: AbiRegistry;
  readonly #folders: readonly string[];
  readonly #onError: (error: unknown) => void;
  /** Stamps of the files that were read. */
  readonly #files = new Map<string, string>();
  /** Stamps of the folders as they were at the last look. */
  readonly #seen = new Map<string, string>();
  /** Looks at which the files of a folder are still to be compared. */
  readonly #left = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onError - is told of later builds that cannot be read */
  constructor(abi: AbiRegistry, folders: readonly string[], onError: (error: unknown) => void) {
    this.#abi = abi;
    this.#folders = folders;
    this.#onError = onError;
  }

  /**
   * Adds the folders' artifacts, and looks at the folders from then on until {@link stop}.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_ABI`, `INVALID_BUILD`, `NO_ARTIFACTS`
   */
  async open(): Promise<void> {
    for (const folder of this.#folders) {
      const names = await this.#addChanged(folder);
      this.#seen.set(folder, await this.#stampOf(folder));
      // The error of a folder without contracts.
      if (names.length === 0) await this.#abi.addArtifacts(folder);
    }
    if (this.#folders.length > 0) this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Adds the files that have changed, of each folder that has changed lately. */
  async look(): Promise<void> {
    for (const folder of this.#folders) {
      const stamp = await this.#stampOf(folder);
      if (this.#seen.get(folder) !== stamp) this.#left.set(folder, LOOKS);
      this.#seen.set(folder, stamp);
      const left = this.#left.get(folder) ?? 0;
      this.#left.set(folder, Math.max(0, left - 1));
      if (left === 0 || stamp === "") continue;
      // A file that is still being written can be read at a later look.
      await this.#addChanged(folder).catch((error: unknown) => left === 1 && this.#onError(error));
    }
  }

  async #addChanged(folder: string): Promise<readonly string[]> {
    const changed = new Map<string, string>();
    const names = await this.#abi.addChosenArtifacts(folder, async (path) => {
      const stamp = await stampOf(path);
      if (this.#files.get(path) === stamp) return false;
      changed.set(path, stamp);
      return true;
    });
    for (const [path, stamp] of changed) this.#files.set(path, stamp);
    return names;
  }

  #schedule(): void {
    this.#timer = setTimeout(async () => {
      await this.look();
      if (this.#timer !== undefined) this.#schedule();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Every build adds a file to `build-info`. Where that is missing, all artifacts are looked at. Empty for no folder. */
  async #stampOf(folder: string): Promise<string> {
    const own = await stampOf(folder);
    if (own === "") return "";
    const builds = await stampOf(join(folder, "build-info"));
    if (builds !== "") return `${own} ${builds}`;
    const files: string[] = [];
    for (const path of this.#files.keys()) files.push(await stampOf(path));
    return [own, ...files].join();
  }
}

/** Changes when the file does; empty if there is none. */
async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? "" : `${found.ino}:${found.mtimeMs}:${found.size}`;
}

/** The state files of a run: loaded at its start, written at its end and, if asked for, every so often. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HindcastNode } from "../node/hindcast-node.ts";
import { naming, readFileOf, requireFolderOf, writeFileOf } from "./options/files.ts";
import type { CliSettings } from "./options/settings.ts";

/**
 * Loads the file that the settings name into a node.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `STATE_FILE_INVALID`, `STATE_FILE_MISMATCH`
 */
export async function loadStateFile(node: HindcastNode, settings: CliSettings): Promise<void> {
  const { loadStatePath, stateMayBeMissing } = settings;
  if (loadStatePath === undefined) return;
  const path = fileAt(loadStatePath);
  if (stateMayBeMissing && !existsSync(path)) return;
  const flag = stateMayBeMissing ? "--state" : "--load-state";
  const bytes = await readFileOf(flag, path);
  await naming([flag, path], () => node.loadState(bytes));
}

/**
 * Makes sure that the state can be written at the end.
 *
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 */
export async function checkStatePath(settings: CliSettings): Promise<void> {
  if (settings.dumpStatePath !== undefined) await requireFolderOf(flagOf(settings), fileAt(settings.dumpStatePath));
}

/** What names the file that is written. */
function flagOf({ stateMayBeMissing }: CliSettings): string {
  return stateMayBeMissing ? "--state" : "--dump-state";
}

/** A folder stands for the file in it that Anvil would use. */
function fileAt(path: string): string {
  return isFolder(path) ? join(path, "state.json") : path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Writes the state of a node now and then. */
export class StateKeeper {
  readonly #node: HindcastNode;
  readonly #path: string | undefined;
  readonly #flag: string;
  readonly #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param onError - hears of files that could not be written while the node goes on */
  constructor(node: HindcastNode, settings: CliSettings, onError: (error: unknown) => void) {
    this.#node = node;
    this.#path = settings.dumpStatePath;
    this.#flag = flagOf(settings);
    if (this.#path === undefined || settings.stateIntervalMs === undefined) return;
    this.#timer = setInterval(() => {
      // A large state may take longer than the interval: then a turn is left out, instead of ever more that wait.
      this.#writing ??= this.#write()
        .catch(onError)
        .finally(() => {
          this.#writing = undefined;
        });
    }, settings.stateIntervalMs);
    this.#timer.unref();
  }

  /**
   * Writes for the last time.
   *
   * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
   */
  async finish(): Promise<void> {
    this.stop();
    await this.#writing;
    await this.#write();
  }

  /** Writes no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    if (this.#path === undefined) return;
    await writeFileOf(this.#flag, fileAt(this.#path), [await this.#node.dumpState()]);
  }
}

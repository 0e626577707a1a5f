/** State files of a run: loaded at its start, written at its end, and optionally at intervals. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HindcastNode } from "../node/hindcast-node.ts";
import { unzipped } from "../primitives/platform/compression.ts";
import { firstTimestampIn } from "../services/control/state-file/state-file.ts";
import { naming, readFileOf, requireFolderOf, writeFileOf } from "./options/files.ts";
import type { CliSettings } from "./options/settings.ts";

/**
 * Loads the state file of the settings into a node.
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
 * Gives a chain with `--hardfork-at` the first timestamp of the state file that it is going to load: hardforks that begin
 * seconds after the first block have their times by it.
 *
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`
 */
export async function withTimestampOfState(settings: CliSettings): Promise<CliSettings> {
  const { hardforkAt, timestamp, dataDir, loadStatePath, stateMayBeMissing } = settings;
  const isGiven = hardforkAt === undefined || timestamp !== undefined || dataDir !== undefined;
  if (isGiven || loadStatePath === undefined) return settings;
  const path = fileAt(loadStatePath);
  if (stateMayBeMissing && !existsSync(path)) return settings;
  const packed = await readFileOf(stateMayBeMissing ? "--state" : "--load-state", path);
  // A file that cannot be unpacked is refused when it is loaded.
  const bytes = await unzipped(packed).catch(() => undefined);
  const first = bytes && firstTimestampIn(bytes);
  return first === undefined ? settings : { ...settings, timestamp: first };
}

/**
 * Checks that the state can be written at the end.
 *
 * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
 */
export async function checkStatePath(settings: CliSettings): Promise<void> {
  if (settings.dumpStatePath !== undefined) await requireFolderOf(flagOf(settings), fileAt(settings.dumpStatePath));
}

/** The option that names the written file. */
function flagOf({ stateMayBeMissing }: CliSettings): string {
  return stateMayBeMissing ? "--state" : "--dump-state";
}

/** For a folder: the file in it that Anvil would use. */
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

/** Writes the state of a node at intervals. */
export class StateKeeper {
  readonly #node: HindcastNode;
  readonly #path: string | undefined;
  readonly #flag: string;
  readonly #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param onError - called if a file cannot be written while the node runs */
  constructor(node: HindcastNode, settings: CliSettings, onError: (error: unknown) => void) {
    this.#node = node;
    this.#path = settings.dumpStatePath;
    this.#flag = flagOf(settings);
    if (this.#path === undefined || settings.stateIntervalMs === undefined) return;
    this.#timer = setInterval(() => {
      // If writing takes longer than the interval, a turn is skipped.
      this.#writing ??= this.#write()
        .catch(onError)
        .finally(() => {
          this.#writing = undefined;
        });
    }, settings.stateIntervalMs);
    this.#timer.unref();
  }

  /**
   * Writes the state a last time.
   *
   * @throws {InvalidParamsError} `FILE_NOT_WRITABLE`
   */
  async finish(): Promise<void> {
    this.stop();
    await this.#writing;
    await this.#write();
  }

  /** Stops writing. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    if (this.#path === undefined) return;
    await writeFileOf(this.#flag, fileAt(this.#path), [await this.#node.dumpState()]);
  }
}

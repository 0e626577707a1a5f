/** The folder of a run's results: a file of NDJSON for each range, and run.json, which says whose they are. */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { fromUtf8 } from "../../primitives/platform/encodings.ts";
import { type BlockRange, type RunRow, type RunWish, rangesOf } from "../../sharing/jobs/run-row.ts";
import { fileError, writeFileOf } from "../options/files.ts";

const FLAG = "--out";
const RUN_FILE = "run.json";
const RESULTS = /^\d+-\d+\.ndjson$/;
/** Of a file whose writing was interrupted. */
const PARTIAL = /\.partial$/;
/** Digits of a block number in a name, so that names are in the order of the blocks. */
const NAME_DIGITS = 12;

/** The content of run.json. */
interface RunFile {
  readonly run: string;
  readonly wish: RunWish;
  readonly isComplete: boolean;
}

/** One for each command that delivers into a folder. */
export class ResultFolder {
  readonly path: string;
  readonly #file: RunFile;

  /**
   * Opens a folder for a run: an empty one, one that does not exist, or that of the same run.
   *
   * @throws {UnsupportedError} `JOBS_REFUSED` for one with anything else
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `FILE_NOT_WRITABLE`
   */
  static async open(path: string, wish: RunWish): Promise<ResultFolder> {
    const names = await entriesOf(path);
    if (!names.includes(RUN_FILE)) {
      if (names.length > 0) throw refused(`The folder ${path} is not empty, and not that of a run.`);
      const folder = new ResultFolder(path, { run: crypto.randomUUID(), wish, isComplete: false });
      await folder.#writeRunFile(false);
      return folder;
    }
    const file = await readRunFile(join(path, RUN_FILE));
    if (file === undefined) throw refused(`${join(path, RUN_FILE)} is not that of a run.`);
    if (JSON.stringify(file.wish) !== JSON.stringify(wish)) {
      throw refused(`The folder ${path} has another run: ${describeWish(file.wish)}.`);
    }
    for (const name of names) if (PARTIAL.test(name)) await rm(join(path, name), { force: true });
    return new ResultFolder(path, file);
  }

  private constructor(path: string, file: RunFile) {
    this.path = path;
    this.#file = file;
  }

  /** The id of the run. */
  get run(): string {
    return this.#file.run;
  }

  get isComplete(): boolean {
    return this.#file.isComplete;
  }

  /** True if no results have arrived. */
  async isEmpty(): Promise<boolean> {
    return !(await entriesOf(this.path)).some((name) => RESULTS.test(name));
  }

  /** @throws {UnsupportedError} `JOBS_REFUSED` if files are missing that have been delivered, and exist nowhere else */
  async requireDelivered(run: RunRow): Promise<void> {
    if (run.delivered === 0n) return;
    const names = new Set(await entriesOf(this.path));
    const ranges = rangesOf(run);
    for (let number = 0n; number < run.delivered; number++) {
      const name = nameOf(ranges.at(number));
      if (!names.has(name)) throw refused(`The file ${join(this.path, name)} was delivered, and is gone.`);
    }
  }

  /** Writes the file of a range, which is there as a whole or not at all. */
  readonly deliver = (range: BlockRange, lines: AsyncIterable<Bytes>): Promise<void> =>
    writeFileOf(FLAG, join(this.path, nameOf(range)), lines, { flush: true });

  /** Notes that all results are there. */
  async complete(): Promise<void> {
    await this.#writeRunFile(true);
  }

  async #writeRunFile(isComplete: boolean): Promise<void> {
    const text = `${JSON.stringify({ ...this.#file, isComplete }, undefined, 2)}\n`;
    await writeFileOf(FLAG, join(this.path, RUN_FILE), [fromUtf8(text)], { flush: true });
  }
}

/** The subject of a run in words. */
export function describeWish({ kind, parameters, from, to, chain }: RunWish): string {
  const flagOf = (name: string): string => name.replace(/[A-Z]/g, "-$&").toLowerCase();
  const details = Object.entries(parameters).map(([name, value]) => ` --${flagOf(name)} ${String(value)}`);
  return `${kind}${details.join("")} of blocks ${from} to ${to} of the chain ${chain}`;
}

function nameOf({ first, last }: BlockRange): string {
  const [from, to] = [first, last].map((number) => String(number).padStart(NAME_DIGITS, "0"));
  return `${from}-${to}.ndjson`;
}

async function entriesOf(path: string): Promise<readonly string[]> {
  try {
    await mkdir(path, { recursive: true });
    return await readdir(path);
  } catch (error) {
    throw fileError("FILE_NOT_WRITABLE", `${FLAG}: cannot write ${path}`, error);
  }
}

async function readRunFile(path: string): Promise<RunFile | undefined> {
  try {
    const { run, wish, isComplete } = JSON.parse(await readFile(path, "utf8")) as Partial<RunFile>;
    if (typeof run !== "string" || typeof wish !== "object") return undefined;
    return { run, wish, isComplete: isComplete === true };
  } catch {
    return undefined;
  }
}

function refused(what: string): UnsupportedError {
  return new UnsupportedError({ code: "JOBS_REFUSED", what, fix: "Name another folder: --out FOLDER." });
}

/** Finds and reads the configuration file: `hindcast.config.ts`, `.js`, `.mjs` or `.json`. */
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nearestName } from "../../primitives/shapes/nearest-name.ts";
import { FLAGS, type GivenValues, NAMES, type Name } from "../flags/flags.ts";
import { expected, usageError } from "../flags/option-values.ts";
import { readFileOf } from "./files.ts";
import { REFUSED_FLAGS } from "./refused-flags.ts";

const NAMES_OF_FILES = ["ts", "mts", "js", "mjs", "json"].map((extension) => `hindcast.config.${extension}`);
/** What a file cannot say of itself. */
const NOT_IN_A_FILE: readonly string[] = ["config"] satisfies readonly Name[];

/** The configuration file of a folder, if it has one. */
export function findConfigFile(folder: string): string | undefined {
  return NAMES_OF_FILES.map((name) => resolve(folder, name)).find((path) => existsSync(path));
}

/**
 * What a configuration file says.
 *
 * @param path - absolute
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`, or `INVALID_OPTION` naming the file and the member
 */
export async function readConfigFile(path: string): Promise<GivenValues> {
  const isJson = extname(path) === ".json";
  const content = isJson ? await readJson(path) : await runModule(path);
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw expected(path, isJson ? "an object" : "an object as its default export", content);
  }
  return Object.fromEntries(
    Object.entries(content)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, readMember(knownName(key, path), value, `${path}: ${key}`)]),
  );
}

async function readJson(path: string): Promise<unknown> {
  const text = Buffer.from(await readFileOf("--config", path)).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${path} is no JSON: ${reasonOf(error)}.`, undefined, error);
  }
}

/** Runs the module and gives its default export. The compiler of TypeScript is loaded for TypeScript only. */
async function runModule(path: string): Promise<unknown> {
  await readFileOf("--config", path);
  try {
    if (/\.m?ts$/.test(path)) {
      const { createJiti } = await import("jiti");
      // Read anew each time, and nothing of it kept on disk.
      const jiti = createJiti(path, { fsCache: false, moduleCache: false, interopDefault: false });
      const module = (await jiti.import(path)) as { readonly default?: unknown; readonly __esModule?: true };
      // What exports nothing by name may be CommonJS, which assigns the whole of it; or nothing was exported.
      const isWhole = module.__esModule === undefined && Object.keys(module).length > 0;
      return isWhole ? module : module.default;
    }
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    throw usageError(`${path} cannot be run: ${reasonOf(error)}.`, undefined, error);
  }
}

function knownName(key: string, path: string): Name {
  const name = NAMES.find((known) => known === key);
  if (name !== undefined && !NOT_IN_A_FILE.includes(name)) return name;
  const foreign = REFUSED_FLAGS.find(({ flags }) => flags.some((flag) => camelCase(flag) === key));
  if (foreign !== undefined) throw usageError(`${path}: ${key}: ${foreign.reason}`);
  const near = nearestName(
    key,
    NAMES.filter((known) => !NOT_IN_A_FILE.includes(known)),
  );
  const fix = near === undefined ? "Its members are the long flags in camel case." : `Did you mean ${near}?`;
  throw usageError(`${path}: ${key} is no option.`, fix);
}

/** `--fork-block-number [value]` as `forkBlockNumber`. */
function camelCase(flag: string): string {
  const long = /--([\w-]+)/.exec(flag)?.[1] ?? "";
  return long.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function readMember(name: Name, value: unknown, label: string): unknown {
  const { flags, read, isList, isText } = FLAGS[name];
  const takesSwitch = read === undefined || flags.endsWith("]");
  if (takesSwitch && typeof value === "boolean") return value;
  if (read === undefined) throw expected(label, "true or false", value);
  if (isList === true && Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return value.flatMap((entry: string) => read(entry, label) as readonly unknown[]);
  }
  if (typeof value === "string") return read(value, label);
  if (isText !== true && (typeof value === "bigint" || typeof value === "number")) return read(textOf(value), label);
  throw expected(label, shapeOf(name), value);
}

function shapeOf(name: Name): string {
  const { isList, isText } = FLAGS[name];
  if (isList === true) return "text or a list of texts";
  return isText === true ? "text" : "text or a number";
}

/** A number as a person writes it: `1e21` is 1 and 21 zeros. */
function textOf(value: number | bigint): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*\n\s*/g, " ").replace(/\.$/, "");
}

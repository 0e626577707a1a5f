/** Finds and reads the configuration file: `hindcast.config.ts`, `.js`, `.mjs` or `.json`. */
import { existsSync } from "node:fs";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nearestName } from "../../primitives/validation/nearest-name.ts";
import { FLAGS, type GivenValues, NAMES, type Name } from "../flags/flags.ts";
import { expected, readText, usageError } from "../flags/option-values.ts";
import { readFileOf } from "./files.ts";
import { REFUSED_FLAGS } from "./refused-flags.ts";

const NAMES_OF_FILES = ["ts", "mts", "js", "mjs", "json"].map((extension) => `hindcast.config.${extension}`);
/** Options that a configuration file cannot contain. */
const NOT_IN_A_FILE: readonly string[] = ["config"] satisfies readonly Name[];

/** The configuration file of a folder; undefined if there is none. */
export function findConfigFile(folder: string): string | undefined {
  return NAMES_OF_FILES.map((name) => resolve(folder, name)).find((path) => existsSync(path));
}

/**
 * The values in a configuration file.
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
    throw usageError(`${path} is not JSON: ${reasonOf(error)}.`, undefined, error);
  }
}

/** Runs the module and returns its default export. The TypeScript compiler is loaded only for TypeScript. */
async function runModule(path: string): Promise<unknown> {
  await readFileOf("--config", path);
  try {
    if (/\.m?ts$/.test(path)) {
      const { createJiti } = await import("jiti");
      // Without caches, so that changes of the file are seen.
      const jiti = createJiti(path, { fsCache: false, moduleCache: false, interopDefault: false });
      const module = (await jiti.import(path)) as { readonly default?: unknown; readonly __esModule?: true };
      // Without named exports the module may be CommonJS, whose default is the whole of it; or it may export nothing.
      const isWhole = module.__esModule === undefined && Object.keys(module).length > 0;
      return isWhole ? module : module.default;
    }
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    const place = error instanceof Error ? placeIn(path, error) : undefined;
    const isUnplaced = place === undefined && error instanceof SyntaxError;
    const fix = isUnplaced ? `node --check ${path} shows the line.` : undefined;
    throw usageError(`${path} cannot be run${place ?? ""}: ${reasonOf(error)}.`, fix, error);
  }
}

/** The first line of the file that a stack names. There is none for syntax errors of JavaScript. */
function placeIn(path: string, { stack = "" }: Error): string | undefined {
  const [, line] = /^:(\d+)/.exec(stack.slice(stack.indexOf(path) + path.length)) ?? [];
  return line === undefined || !stack.includes(path) ? undefined : ` (line ${line})`;
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
  throw usageError(`${path}: ${key} is not an option.`, fix);
}

/** `forkBlockNumber` for `--fork-block-number [value]`. */
function camelCase(flag: string): string {
  const long = /--([\w-]+)/.exec(flag)?.[1] ?? "";
  return long.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function readMember(name: Name, value: unknown, label: string): unknown {
  const { flags, shape, isList, isText } = FLAGS[name];
  const takesSwitch = shape === undefined || flags.endsWith("]");
  if (takesSwitch && typeof value === "boolean") return value;
  if (shape === undefined) throw expected(label, "true or false", value);
  if (isList === true && Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return value.flatMap((entry) => readText<unknown>(shape, entry, label));
  }
  if (typeof value === "string") return readText<unknown>(shape, value, label);
  if (isText !== true && (typeof value === "bigint" || typeof value === "number"))
    return readText<unknown>(shape, textOf(value), label);
  throw expected(label, shapeOf(name), value);
}

function shapeOf(name: Name): string {
  const { isList, isText } = FLAGS[name];
  if (isList === true) return "text or a list of texts";
  return isText === true ? "text" : "text or a number";
}

/** A number in plain digits: 1e21 becomes 1 and 21 zeros. */
function textOf(value: number | bigint): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*\n\s*/g, " ").replace(/\.$/, "");
}

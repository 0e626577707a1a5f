/**
 * A build file of Hardhat or Foundry, read in parts. The whole file has up to a hundred megabytes, of which an
 * explanation needs a contract and the sources that it imports. So the file is scanned once for the places of its parts.
 *
 * Hardhat 2 and Foundry (with `build_info = true`) write input and output into one file, Hardhat 3 into two: `ID.json`
 * and `ID.output.json`.
 */
import { LRUCache } from "lru-cache";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type JsonSpan, JsonSpans, type SpanChoice } from "../../primitives/json/json-spans.ts";
import { toUtf8 } from "../../primitives/platform/encodings.ts";
import { readParts, readPieces } from "../../primitives/platform/files.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import {
  type Build,
  type BuiltContract,
  type BuiltSource,
  type CompilerDocuments,
  gapsOf,
  inSourceOrder,
  readContract,
  readSource,
  tablesOf,
} from "./build.ts";
import { outputFileOf } from "./build-info-folder.ts";
import { CodeFinder } from "./code-finder.ts";
import { CodeTemplate } from "./code-template.ts";
import { isObject, type JsonObject, listOf, objectOf } from "./read/json-values.ts";
import type { SourceChoice } from "./source-file.ts";
import { isPackagePath, userPaths } from "./user-paths.ts";

/** A part of the file, or of the one beside it. */
interface Place extends JsonSpan {
  readonly path: string;
}

/** A contract of a build file that has not been read. */
export interface ContractPlace {
  readonly path: string;
  readonly name: string;
  readonly place: Place;
}

interface Places {
  /** Small members of the input: `language` and `settings`. */
  readonly members: ReadonlyMap<string, Place>;
  readonly texts: ReadonlyMap<string, Place>;
  readonly sources: ReadonlyMap<string, Place>;
  readonly contracts: readonly ContractPlace[];
  /** Sources that are not the project's own. */
  readonly packages: ReadonlySet<string>;
  /** The user's path of each of the compiler's. */
  readonly userPath: (path: string) => string;
  readonly hasOutput: boolean;
}

/** Sources that were read lately, by file and path, of all build files. */
export type SourceCache = LRUCache<string, { readonly source: BuiltSource | undefined }>;

/** Bytes of JSON whose sources are kept. Their functions and statements take about as much memory. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** A cache for the sources of some build files. */
export function sourceCache(): SourceCache {
  return new LRUCache({ maxSize: KEPT_BYTES });
}

/** Advice for a file without the compiler's output. */
const FOUNDRY_FIX = "Set build_info = true and ast = true in foundry.toml, and build with --force";

/** One for each content of a file: it is not used any more after the file has changed. */
export class BuildFile {
  readonly path: string;
  readonly stamp: string;
  readonly #cache: SourceCache;
  #places: Promise<Places> | undefined;
  #codes: Promise<CodeFinder<ContractPlace>> | undefined;

  /** @param stamp - identifies the content */
  constructor(path: string, stamp: string, cache: SourceCache) {
    this.path = path;
    this.stamp = stamp;
    this.#cache = cache;
  }

  /**
   * The codes of its contracts, by which they are found. They are read on the first call.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  codes(): Promise<CodeFinder<ContractPlace>> {
    this.#codes ??= this.#readCodes();
    return this.#codes;
  }

  async #readCodes(): Promise<CodeFinder<ContractPlace>> {
    const codes = new CodeFinder<ContractPlace>();
    for await (const [contract, { evm }] of this.contracts()) {
      const { bytecode, deployedBytecode } = objectOf(evm);
      codes.add(contract, CodeTemplate.parse(objectOf(bytecode)), CodeTemplate.parse(objectOf(deployedBytecode)));
    }
    return codes;
  }

  /**
   * All contracts with their members of the compiler's output, one after another.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  async *contracts(): AsyncGenerator<readonly [ContractPlace, JsonObject]> {
    const { contracts } = await this.#scanned();
    let index = 0;
    for await (const value of this.#values(contracts.map(({ place }) => place))) {
      yield [contracts[index++] as ContractPlace, objectOf(value)];
    }
  }

  /** A sentence if the file lacks the compiler's input or output. */
  async gaps(): Promise<readonly string[]> {
    const { hasOutput, texts } = await this.#scanned();
    return hasOutput && texts.size > 0 ? [] : [`${this.path} has no input or output of the compiler. ${FOUNDRY_FIX}.`];
  }

  /**
   * Reads a contract, with the sources that its own source imports, directly or not.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  load(contract: ContractPlace): Promise<Build> {
    return this.#load([contract]);
  }

  /**
   * Reads the contracts of some sources, with all that these import.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  async loadWhere(isWanted: SourceChoice): Promise<Build> {
    const { contracts, packages } = await this.#scanned();
    const isPackage = (path: string): boolean => packages.has(path);
    const build = await this.#load(contracts.filter(({ path }) => isWanted({ path, isPackage: isPackage(path) })));
    return { ...build, gaps: [...(await this.gaps()), ...build.gaps] };
  }

  async #load(places: readonly ContractPlace[]): Promise<Build> {
    const sources = await this.#reachable(new Set(places.map(({ path }) => path)));
    const tables = tablesOf(sources);
    const contracts: BuiltContract[] = [];
    for await (const output of this.#values(places.map(({ place }) => place))) {
      const { path, name } = places[contracts.length] as ContractPlace;
      contracts.push(readContract(path, name, output, tables));
    }
    const paths = sources.map(({ file }) => file.path);
    const documents = (): Promise<CompilerDocuments> => this.#documents(paths, places);
    return { contracts: inSourceOrder(contracts, tables), gaps: gapsOf(sources), documents };
  }

  /**
   * The compiler's input and output; empty for a part that is missing.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  async documents(): Promise<CompilerDocuments> {
    const { sources, texts, contracts } = await this.#scanned();
    return this.#documents([...new Set([...texts.keys(), ...sources.keys()])], contracts);
  }

  async #documents(paths: readonly string[], contracts: readonly ContractPlace[]): Promise<CompilerDocuments> {
    const { members, texts, sources } = await this.#scanned();
    const read = async (places: ReadonlyMap<string, Place>): Promise<JsonObject> => {
      const known = [...places].filter(([path]) => places === members || paths.includes(path));
      const values = await this.#all(known.map(([, place]) => place));
      return Object.fromEntries(known.map(([path], index) => [path, values[index]]));
    };
    const outputs: Record<string, Record<string, unknown>> = {};
    const values = await this.#all(contracts.map(({ place }) => place));
    for (const [index, { path, name }] of contracts.entries()) {
      outputs[path] = { ...outputs[path], [name]: values[index] };
    }
    return {
      input: { ...(await read(members)), sources: await read(texts) },
      output: { sources: await this.#withUserPaths(await read(sources)), contracts: outputs },
    };
  }

  /** Sources by user paths, with imports that name these. */
  async #withUserPaths(sources: JsonObject): Promise<JsonObject> {
    const { userPath } = await this.#scanned();
    for (const source of Object.values(sources)) renameImports(source, userPath);
    return sources;
  }

  /** Some sources and all that they import, in the compiler's order. All of the build if there is no AST. */
  async #reachable(paths: Set<string>): Promise<readonly BuiltSource[]> {
    const { sources } = await this.#scanned();
    const found: BuiltSource[] = [];
    for (const path of paths) {
      const source = await this.#source(path);
      if (source === undefined) continue;
      found.push(source);
      for (const imported of source.imports ?? sources.keys()) paths.add(imported);
    }
    return found.sort((left, right) => left.index - right.index);
  }

  async #source(path: string): Promise<BuiltSource | undefined> {
    const key = `${this.path} ${this.stamp} ${path}`;
    const kept = this.#cache.get(key);
    if (kept !== undefined) return kept.source;
    const { texts, sources, packages, userPath } = await this.#scanned();
    const [text, place] = [texts.get(path), sources.get(path)];
    if (text === undefined || place === undefined) return undefined;
    const [input, output] = await this.#all([text, place]);
    renameImports(output, userPath);
    const source = readSource(path, input, output, packages.has(path));
    this.#cache.set(key, { source }, { size: Math.max(1, place.end - place.start) });
    return source;
  }

  async #all(places: readonly Place[]): Promise<readonly unknown[]> {
    const values: unknown[] = [];
    for await (const value of this.#values(places)) values.push(value);
    return values;
  }

  /** Parses parts, and yields to the event loop between them. */
  async *#values(places: readonly Place[]): AsyncGenerator<unknown> {
    const breaks = new Breaks();
    try {
      for (let from = 0; from < places.length; ) {
        const { path } = places[from] as Place;
        const other = places.findIndex((place, index) => index > from && place.path !== path);
        const end = other < 0 ? places.length : other;
        for (const bytes of readParts(path, places.slice(from, end))) {
          yield JSON.parse(toUtf8(bytes));
          await breaks.check();
        }
        from = end;
      }
    } catch (cause) {
      throw notReadable(this.path, cause);
    }
  }

  #scanned(): Promise<Places> {
    this.#places ??= scanFiles(this.path).catch((cause: unknown) => {
      throw notReadable(this.path, cause);
    });
    return this.#places;
  }
}

/** Imports are by the compiler's paths; a path that is the user's already stays as it is. */
function renameImports(source: unknown, userPath: (path: string) => string): void {
  for (const node of listOf(objectOf(objectOf(source).ast).nodes)) {
    if (!isObject(node) || node.nodeType !== "ImportDirective" || typeof node.absolutePath !== "string") continue;
    Object.assign(node, { absolutePath: userPath(node.absolutePath) });
  }
}

async function scanFiles(path: string): Promise<Places> {
  const own = await scanFile(path);
  const isWhole = (own.get("output")?.members.size ?? 0) > 0;
  const beside = isWhole ? undefined : await scanFile(outputFileOf(path)).catch(() => undefined);
  const found = (beside ?? own).get("output");
  const below = (of: ReadonlyMap<string, Found> | undefined, name: string): ReadonlyMap<string, Found> =>
    of?.get(name)?.members ?? new Map();
  const input = below(own, "input");
  const map = own.get("userSourceNameMap")?.place;
  const names = map === undefined ? {} : parsed(map);
  const sources = below(found?.members, "sources");
  const userPath = userPaths([...sources.keys()], objectOf(names));
  const placed = (members: ReadonlyMap<string, Found>): Map<string, Place> =>
    new Map(Array.from(members).flatMap(([key, { place }]) => (place === undefined ? [] : [[userPath(key), place]])));
  return {
    members: new Map(
      ["language", "settings"].flatMap((name) => {
        const place = input.get(name)?.place;
        return place === undefined ? [] : [[name, place]];
      }),
    ),
    texts: placed(below(input, "sources")),
    sources: placed(sources),
    contracts: Array.from(below(found?.members, "contracts")).flatMap(([of, { members }]) =>
      Array.from(members).flatMap(([name, { place }]) =>
        place === undefined ? [] : [{ path: userPath(of), name, place }],
      ),
    ),
    packages: new Set([...sources.keys()].filter(isPackagePath).map(userPath)),
    userPath,
    hasOutput: (found?.members.size ?? 0) > 0,
  };
}

function parsed({ path, ...span }: Place): unknown {
  for (const bytes of readParts(path, [span])) return JSON.parse(toUtf8(bytes));
  return undefined;
}

/** Members that were entered, and places that were reported. */
interface Found {
  readonly members: Map<string, Found>;
  place: Place | undefined;
}

/** The places of a file's parts, as a tree of their names. */
async function scanFile(path: string): Promise<ReadonlyMap<string, Found>> {
  const root: Found = { members: new Map(), place: undefined };
  const at = (names: readonly string[]): Found =>
    names.reduce<Found>((found, name) => {
      const known = found.members.get(name) ?? { members: new Map(), place: undefined };
      found.members.set(name, known);
      return known;
    }, root);
  const choose = (names: readonly string[]): SpanChoice => {
    const choice = choiceOf(names);
    if (choice === "enter") at(names);
    return choice;
  };
  const spans = new JsonSpans(choose, (names, span) => {
    at(names).place = { path, ...span };
  });
  const breaks = new Breaks();
  for await (const piece of readPieces(path)) {
    spans.push(piece);
    await breaks.check();
  }
  spans.end();
  return root.members;
}

/** How a member of a build file is read. */
function choiceOf([first, second, ...rest]: readonly string[]): SpanChoice {
  if (first === "userSourceNameMap") return second === undefined ? "report" : "skip";
  if (first !== "input" && first !== "output") return "skip";
  if (second === undefined) return "enter";
  if (second === "sources") return rest.length === 0 ? "enter" : "report";
  if (second === "contracts" && first === "output") return rest.length < 2 ? "enter" : "report";
  return first === "input" && (second === "language" || second === "settings") ? "report" : "skip";
}

function notReadable(path: string, cause: unknown): InvalidParamsError {
  return new InvalidParamsError({
    code: "FILE_NOT_READABLE",
    what: `Cannot read the build file ${path}.`,
    where: `${cause instanceof Error ? cause.message : String(cause)}.`,
    fix: "Compile again, or leave the folder out.",
    cause,
  });
}

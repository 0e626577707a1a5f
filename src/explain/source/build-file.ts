/**
 * A build file of Hardhat or Foundry, read in parts. The whole file has up to a hundred megabytes, of which an
 * explanation needs a contract and the sources that it imports. So the file is scanned once for the places of its parts.
 *
 * Hardhat 2 and Foundry (with `build_info = true`) write input and output into one file, Hardhat 3 into two: `ID.json`
 * and `ID.output.json`.
 *
 * It has over 300 lines, because the parts of a file are found, cut out and read by the same offsets.
 */
import { LRUCache } from "lru-cache";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type JsonSpan, JsonSpans, type SpanChoice } from "../../primitives/json/json-spans.ts";
import { toUtf8 } from "../../primitives/platform/encodings.ts";
import { readParts, readPieces } from "../../primitives/platform/files.ts";
import { inTurns, SharedSteps, type Steps } from "../../primitives/platform/turns.ts";
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

/** Bytes of JSON whose sources stay in memory. Their functions and statements take about as much memory. */
const CACHED_BYTES = 32 * 1024 * 1024;

/** A cache for the sources of some build files. */
export function sourceCache(): SourceCache {
  return new LRUCache({ maxSize: CACHED_BYTES });
}

/** Advice for a file without the compiler's output. */
const FOUNDRY_FIX = "Set build_info = true and ast = true in foundry.toml, and build with --force";

/** One for each content of a file: it is not used any more after the file has changed. */
export class BuildFile {
  readonly path: string;
  readonly stamp: string;
  readonly #cache: SourceCache;
  readonly #scanned = new SharedSteps(this.#scan());
  readonly #codes = new SharedSteps(this.#readCodes());

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
  codes(): Steps<CodeFinder<ContractPlace>> {
    return this.#codes.join();
  }

  *#readCodes(): Steps<CodeFinder<ContractPlace>> {
    const codes = new CodeFinder<ContractPlace>();
    yield* this.eachContract((contract, { evm }) => {
      const { bytecode, deployedBytecode } = objectOf(evm);
      codes.add(contract, CodeTemplate.parse(objectOf(bytecode)), CodeTemplate.parse(objectOf(deployedBytecode)));
    });
    return codes;
  }

  /**
   * Reads all contracts with their members of the compiler's output, one after another.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  *eachContract(take: (contract: ContractPlace, output: JsonObject) => void): Steps<void> {
    const { contracts } = yield* this.#scanned.join();
    let index = 0;
    const places = contracts.map(({ place }) => place);
    yield* this.#each(places, (value) => take(contracts[index++] as ContractPlace, objectOf(value)));
  }

  /** A sentence if the file lacks the compiler's input or output. */
  *gaps(): Steps<readonly string[]> {
    const { hasOutput, texts } = yield* this.#scanned.join();
    return hasOutput && texts.size > 0 ? [] : [`${this.path} has no input or output of the compiler. ${FOUNDRY_FIX}.`];
  }

  /**
   * Reads a contract, with the sources that its own source imports, directly or not.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  load(contract: ContractPlace): Steps<Build> {
    return this.#load([contract]);
  }

  /**
   * Reads the contracts of some sources, with all that these import.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  *loadWhere(isWanted: SourceChoice): Steps<Build> {
    const { contracts, packages } = yield* this.#scanned.join();
    const isPackage = (path: string): boolean => packages.has(path);
    const build = yield* this.#load(contracts.filter(({ path }) => isWanted({ path, isPackage: isPackage(path) })));
    return { ...build, gaps: [...(yield* this.gaps()), ...build.gaps] };
  }

  *#load(places: readonly ContractPlace[]): Steps<Build> {
    const sources = yield* this.#reachable(new Set(places.map(({ path }) => path)));
    const { members } = yield* this.#scanned.join();
    const { settings } = yield* this.#named(members);
    const tables = tablesOf(sources, settings);
    const contracts: BuiltContract[] = [];
    const outputs = places.map(({ place }) => place);
    yield* this.#each(outputs, (output) => {
      const { path, name } = places[contracts.length] as ContractPlace;
      contracts.push(readContract(path, name, output, tables));
    });
    const paths = sources.map(({ file }) => file.path);
    const documents = (): Promise<CompilerDocuments> => inTurns(this.#documents(paths, places));
    return { contracts: inSourceOrder(contracts, tables), gaps: gapsOf(sources), documents };
  }

  /**
   * The compiler's input and output; empty for a part that is missing.
   *
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`
   */
  *documents(): Steps<CompilerDocuments> {
    const { sources, texts, contracts } = yield* this.#scanned.join();
    return yield* this.#documents([...new Set([...texts.keys(), ...sources.keys()])], contracts);
  }

  *#documents(paths: readonly string[], contracts: readonly ContractPlace[]): Steps<CompilerDocuments> {
    const { members, texts, sources, userPath } = yield* this.#scanned.join();
    const wanted = (places: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> =>
      new Map([...places].filter(([path]) => paths.includes(path)));
    const outputs: Record<string, Record<string, unknown>> = {};
    const values = yield* this.#all(contracts.map(({ place }) => place));
    for (const [index, { path, name }] of contracts.entries()) {
      outputs[path] = { ...outputs[path], [name]: values[index] };
    }
    const outputSources = yield* this.#named(wanted(sources));
    for (const source of Object.values(outputSources)) renameImports(source, userPath);
    return {
      input: { ...(yield* this.#named(members)), sources: yield* this.#named(wanted(texts)) },
      output: { sources: outputSources, contracts: outputs },
    };
  }

  *#named(places: ReadonlyMap<string, Place>): Steps<JsonObject> {
    const values = yield* this.#all([...places.values()]);
    return Object.fromEntries(Array.from(places.keys(), (name, index) => [name, values[index]]));
  }

  /** Some sources and all that they import, in the compiler's order. All of the build if there is no AST. */
  *#reachable(paths: Set<string>): Steps<readonly BuiltSource[]> {
    const { sources } = yield* this.#scanned.join();
    const found: BuiltSource[] = [];
    for (const path of paths) {
      const source = yield* this.#source(path);
      if (source === undefined) continue;
      found.push(source);
      for (const imported of source.imports ?? sources.keys()) paths.add(imported);
    }
    return found.sort((left, right) => left.index - right.index);
  }

  *#source(path: string): Steps<BuiltSource | undefined> {
    const key = `${this.path} ${this.stamp} ${path}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known.source;
    const { texts, sources, packages, userPath } = yield* this.#scanned.join();
    const [text, place] = [texts.get(path), sources.get(path)];
    if (text === undefined || place === undefined) return undefined;
    const [input, output] = yield* this.#all([text, place]);
    renameImports(output, userPath);
    const source = yield* readSource(path, input, output, packages.has(path));
    this.#cache.set(key, { source }, { size: Math.max(1, place.end - place.start) });
    return source;
  }

  *#all(places: readonly Place[]): Steps<readonly unknown[]> {
    const values: unknown[] = [];
    yield* this.#each(places, (value) => values.push(value));
    return values;
  }

  /** Parses parts, one in each step. */
  *#each(places: readonly Place[], take: (value: unknown) => void): Steps<void> {
    try {
      for (let from = 0; from < places.length; ) {
        const { path } = places[from] as Place;
        const other = places.findIndex((place, index) => index > from && place.path !== path);
        const end = other < 0 ? places.length : other;
        for (const bytes of readParts(path, places.slice(from, end))) {
          take(JSON.parse(toUtf8(bytes)));
          yield;
        }
        from = end;
      }
    } catch (cause) {
      throw notReadable(this.path, cause);
    }
  }

  *#scan(): Steps<Places> {
    try {
      return yield* scanFiles(this.path);
    } catch (cause) {
      throw notReadable(this.path, cause);
    }
  }
}

/** Imports are by the compiler's paths; a path that is the user's already stays as it is. */
function renameImports(source: unknown, userPath: (path: string) => string): void {
  for (const node of listOf(objectOf(objectOf(source).ast).nodes)) {
    if (!isObject(node) || node.nodeType !== "ImportDirective" || typeof node.absolutePath !== "string") continue;
    Object.assign(node, { absolutePath: userPath(node.absolutePath) });
  }
}

function* scanFiles(path: string): Steps<Places> {
  const own = yield* scanFile(path);
  const isWhole = (own.get("output")?.members.size ?? 0) > 0;
  const beside = isWhole ? undefined : yield* scanBeside(path);
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

/** Undefined if there is no file with the output. */
function* scanBeside(path: string): Steps<ReadonlyMap<string, Found> | undefined> {
  try {
    return yield* scanFile(outputFileOf(path));
  } catch {
    return undefined;
  }
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
function* scanFile(path: string): Steps<ReadonlyMap<string, Found>> {
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
  for (const piece of readPieces(path)) {
    spans.push(piece);
    yield;
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

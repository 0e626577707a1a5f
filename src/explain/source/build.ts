/**
 * Standard JSON input and output of a compiler run, limited to what stack traces need.
 *
 * It has over 300 lines, because the parts of a build are read by the same tables.
 *
 * @see https://docs.soliditylang.org/en/latest/using-the-compiler.html#compiler-input-and-output-json-description
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { once } from "../../primitives/once.ts";
import { atOnce, type Steps } from "../../primitives/platform/turns.ts";
import { CodeTemplate } from "./code-template.ts";
import { mapProgram } from "./ethdebug.ts";
import { CallGraph, type Inlining, inliningBy } from "./functions/call-graph.ts";
import { CodeFunctions } from "./functions/code-functions.ts";
import { countOf, isObject, type JsonObject, objectOf, signaturesOf, textOf } from "./read/json-values.ts";
import { importsOf, readAst, readDeclarations } from "./read/read-ast.ts";
import { type NamedTypes, readLayout } from "./read/read-layout.ts";
import { TypeReader } from "./read/read-types.ts";
import { type SourceContract, SourceFile } from "./source-file.ts";
import { type InstructionMap, mapInstructions } from "./source-map.ts";
import type { StorageLayout } from "./storage-type.ts";

/** How a source that a server gave matches the code of the chain: with its metadata, or without them. */
export type SourceMatch = "full" | "partial";

/** A compiled contract. */
export interface BuiltContract {
  readonly name: string;
  readonly path: string;
  /** Its JSON ABI as the compiler wrote it. */
  readonly abi: unknown;
  /** Undefined if the build has no AST. */
  readonly definition: SourceContract | undefined;
  /** Definitions of the contract and its bases, the most derived first. */
  readonly lineage: readonly SourceContract[];
  /** Signatures of functions by selector, in hex digits. */
  readonly signatures: ReadonlyMap<string, string>;
  /** Init code and deployed code; undefined for interfaces and abstract contracts. */
  readonly creation: BuiltCode | undefined;
  readonly runtime: BuiltCode | undefined;
  /** Returns the calls between its functions. They are read on the first call. */
  readonly calls: () => CallGraph;
  /** Returns the functions of a code's instructions. They are found on the first call. */
  readonly functionsOf: (code: BuiltCode) => CodeFunctions;
  /** Returns the storage layout. It is computed on the first call. */
  readonly storage: () => StorageLayout;
  /** Only of a contract whose source comes from a server. */
  readonly sourceMatch?: SourceMatch;
}

/** Members of a code in the compiler's output that say what its instructions were made from. */
interface DebugMembers {
  readonly sourceMap?: string | undefined;
  /** A program in the ethdebug format. */
  readonly ethdebug?: unknown;
}

/** A code of a contract. Its instructions are read on first use. */
export class BuiltCode {
  readonly template: CodeTemplate;
  readonly #debug: DebugMembers;
  readonly #files: ReadonlyMap<number, SourceFile>;
  #instructions: InstructionMap | undefined;

  /** @internal */
  constructor(template: CodeTemplate, debug: DebugMembers, files: ReadonlyMap<number, SourceFile>) {
    this.template = template;
    this.#debug = debug;
    this.#files = files;
  }

  /** Another code from the same sources, without a map. */
  withoutMap(bytes: Bytes): BuiltCode {
    return new BuiltCode(new CodeTemplate(bytes, []), {}, this.#files);
  }

  /** The sources of its build. */
  get files(): readonly SourceFile[] {
    return [...this.#files.values()];
  }

  /** By program counter; empty if the build says nothing of the code's instructions. */
  get instructions(): InstructionMap {
    this.#instructions ??= this.#readInstructions();
    return this.#instructions;
  }

  #readInstructions(): InstructionMap {
    const { bytes } = this.template;
    const { sourceMap, ethdebug } = this.#debug;
    // The source map comes first: it also says which jumps call functions.
    if (sourceMap === undefined || sourceMap === "") return mapProgram(bytes, ethdebug, this.#files);
    return mapInstructions(bytes, sourceMap, this.#files);
  }
}

/** A compiler's standard JSON input and output. */
export interface CompilerDocuments {
  readonly input: unknown;
  readonly output: unknown;
}

/** One run of solc. Large parts are read when they are needed. */
export interface Build {
  /** The documents that the build was read from. Files are read again, because most users never need this. */
  readonly documents: () => Promise<CompilerDocuments>;
  /** In the order of the sources, and of their definitions in each source. */
  readonly contracts: readonly BuiltContract[];
  /** Facts that the sources lack, in a sentence each, with the setting that adds them. */
  readonly gaps: readonly string[];
}

/** A source with what its AST says. */
export interface BuiltSource {
  readonly file: SourceFile;
  /** Index by which source maps name it. */
  readonly index: number;
  readonly definitions: readonly SourceContract[];
  /** Structs, enums, contracts and value types by their ids. */
  readonly declarations: ReadonlyMap<number, JsonObject>;
  /** Paths of the sources that it imports; undefined if the build has no AST of it. */
  readonly imports: readonly string[] | undefined;
}

/** Sources that refer to one another. */
export interface BuildTables {
  readonly files: ReadonlyMap<number, SourceFile>;
  /** Definitions by id, in order. */
  readonly definitions: ReadonlyMap<number, SourceContract>;
  /** The same by path and name. */
  readonly named: ReadonlyMap<string, SourceContract>;
  readonly types: () => TypeReader;
  readonly inlining: Inlining;
}

/**
 * Reads a compiler's input and output. They must not be nested without bounds.
 *
 * @param input - with the texts of the sources
 * @param output - with `ast` for every source, and for every contract `abi` and `evm` with `bytecode`,
 * `deployedBytecode` and `methodIdentifiers`
 * @throws {InvalidParamsError} `INVALID_BUILD` if the values do not have this form
 */
export function readBuild(input: unknown, output: unknown): Build {
  return atOnce(buildSteps(input, output));
}

/** The same in steps. @param documents - returns input and output again; default: both stay in memory */
export function* buildSteps(
  input: unknown,
  output: unknown,
  documents: Build["documents"] = async () => ({ input, output }),
): Steps<Build> {
  const { sources: texts, settings } = objectOf(input);
  const { sources, contracts } = objectOf(output);
  if (!isObject(texts)) throw invalid("The compiler's input has no object `sources`.");
  if (!isObject(contracts)) throw invalid("The compiler's output has no object `contracts`.");
  const read: BuiltSource[] = [];
  for (const [path, source] of Object.entries(objectOf(sources))) {
    const readable = yield* readSource(path, texts[path], source);
    if (readable !== undefined) read.push(readable);
  }
  if (read.length === 0) throw invalid("No source of the compiler's output has its text in the input.");
  const tables = tablesOf(read, settings);
  const made: BuiltContract[] = [];
  for (const [path, named] of Object.entries(contracts)) {
    for (const [name, contract] of Object.entries(objectOf(named))) {
      made.push(readContract(path, name, contract, tables));
      yield;
    }
  }
  return { documents, contracts: inSourceOrder(made, tables), gaps: gapsOf(read) };
}

/** Contracts in the order of the sources, and of their definitions in each source. */
export function inSourceOrder(
  contracts: readonly BuiltContract[],
  { definitions }: BuildTables,
): readonly BuiltContract[] {
  const order = new Map(Array.from(definitions.values(), (definition, index) => [definition, index]));
  const placeOf = ({ definition }: BuiltContract): number => (definition && order.get(definition)) ?? -1;
  return contracts.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/**
 * Reads a source.
 *
 * @param input - its member of the input's `sources`
 * @param output - its member of the output's `sources`
 * @param isPackage - whether it belongs to a package; by default its path says
 * @returns undefined if its text or its index is missing
 */
export function* readSource(
  path: string,
  input: unknown,
  output: unknown,
  isPackage?: boolean,
): Steps<BuiltSource | undefined> {
  const { id, ast } = objectOf(output);
  const text = textOf(objectOf(input).content);
  const index = countOf(id);
  if (text === undefined || index === undefined) return undefined;
  const file = new SourceFile(path, text, isPackage);
  return {
    file,
    index,
    definitions: yield* readAst(ast, file),
    declarations: readDeclarations(ast),
    imports: isObject(ast) ? importsOf(ast) : undefined,
  };
}

/**
 * The tables of sources, which have to be in the compiler's order.
 *
 * @param settings - of the compiler's input
 */
export function tablesOf(sources: readonly BuiltSource[], settings: unknown): BuildTables {
  const definitions = sources.flatMap((source) => source.definitions);
  return {
    files: new Map(sources.map(({ index, file }) => [index, file])),
    definitions: new Map(definitions.map((definition) => [definition.id, definition])),
    named: new Map(definitions.map((definition) => [`${definition.range.file.path}:${definition.name}`, definition])),
    types: once(() => new TypeReader(new Map(sources.flatMap(({ declarations }) => [...declarations])))),
    inlining: inliningBy(settings),
  };
}

/** Facts that sources lack, in a sentence each. */
export function gapsOf(sources: readonly BuiltSource[]): readonly string[] {
  return sources.flatMap(({ file, imports }) =>
    imports === undefined
      ? [`The build has no AST of ${file.path}: functions there are not known (output "ast").`]
      : [],
  );
}

/**
 * Reads a contract.
 *
 * @param output - its member of the output's `contracts`
 * @param tables - at least the sources that its own source imports, directly or not
 */
export function readContract(
  path: string,
  name: string,
  output: unknown,
  { files, definitions, named, types, inlining }: BuildTables,
): BuiltContract {
  const { abi, evm, storageLayout, transientStorageLayout } = objectOf(output);
  const { bytecode, deployedBytecode, methodIdentifiers } = objectOf(evm);
  const definition = named.get(`${path}:${name}`);
  const lineage = (definition?.bases ?? []).flatMap((id) => definitions.get(id) ?? []);
  const calls = once(() => new CallGraph(lineage, [...files.values()], inlining));
  return {
    name,
    path,
    abi,
    definition,
    lineage,
    signatures: signaturesOf(methodIdentifiers),
    creation: codeOf(bytecode, files),
    runtime: codeOf(deployedBytecode, files),
    calls,
    functionsOf: functionsOfCodes(calls),
    storage: once(() => storageOf(lineage, types(), { storageLayout, transientStorageLayout })),
  };
}

function functionsOfCodes(calls: () => CallGraph): BuiltContract["functionsOf"] {
  const known = new WeakMap<BuiltCode, CodeFunctions>();
  return (code) => {
    const functions = known.get(code) ?? new CodeFunctions(code, calls());
    known.set(code, functions);
    return functions;
  };
}

/** solc's own layout if the build has it; otherwise one that is computed from the AST. */
function storageOf(
  lineage: readonly SourceContract[],
  types: TypeReader,
  { storageLayout, transientStorageLayout }: JsonObject,
): StorageLayout {
  const named: NamedTypes = (label) => types.valueNamed(label);
  const [variables, transient] = [readLayout(storageLayout, named), readLayout(transientStorageLayout, named)];
  const own = { variables: variables ?? [], transient: transient ?? [], namespaces: [] };
  if (lineage.length === 0) return { isKnown: variables !== undefined, ...own };
  const basesFirst = lineage.toReversed();
  const made = types.layout(
    basesFirst.flatMap((contract) => contract.variables),
    basesFirst.flatMap((contract) => contract.namespaces),
  );
  return {
    isKnown: true,
    variables: variables ?? made.variables,
    transient: transient ?? made.transient,
    namespaces: made.namespaces,
  };
}

function codeOf(bytecode: unknown, files: ReadonlyMap<number, SourceFile>): BuiltCode | undefined {
  const template = CodeTemplate.parse(objectOf(bytecode));
  const { sourceMap, ethdebug } = objectOf(bytecode);
  return template && new BuiltCode(template, { sourceMap: textOf(sourceMap), ethdebug }, files);
}

function invalid(what: string): InvalidParamsError {
  const fix = "Give solc's standard JSON input and its output, or a build-info file that holds both.";
  return new InvalidParamsError({ code: "INVALID_BUILD", what, fix });
}

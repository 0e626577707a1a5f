/**
 * The variables of functions, by the AST, for code in which their places on the stack are known: that of solc's older
 * code generator without the optimizer, from version 0.6 on. There parameters and return variables lie at the top of
 * the stack when a function begins, and each declaration reserves its variables' places when it is reached.
 */
import type { BuiltContract, CompilerDocuments } from "../../explain/source/build.ts";
import type { ContractFinder } from "../../explain/source/contract-finder.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf } from "../../explain/source/read/json-values.ts";
import { readDeclarations } from "../../explain/source/read/read-ast.ts";
import { TypeReader } from "../../explain/source/read/read-types.ts";
import type { SourceFunction } from "../../explain/source/source-file.ts";

/** A variable on the stack, or with its data elsewhere. */
export interface LocalVariable {
  /** Empty for one without a name. */
  readonly name: string;
  /** With the location of its data, such as `uint256[] memory`. */
  readonly type: string;
  /** Number of stack items. */
  readonly items: number;
  /** Its declaration in the AST. */
  readonly node: JsonObject;
}

/** Bytes of a source from `start` to before `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A statement that declares variables. */
export interface Declaration extends Span {
  /** Where they can be named, from the end of the statement on. */
  readonly scopeEnd: number;
  readonly variables: readonly LocalVariable[];
}

/** The variables of one function or modifier. */
export interface FunctionLocals {
  readonly parameters: readonly LocalVariable[];
  readonly returns: readonly LocalVariable[];
  readonly declarations: readonly Declaration[];
  /** Types of the build. */
  readonly types: TypeReader;
}

interface SourceTable {
  readonly text: string;
  readonly functions: ReadonlyMap<number, JsonObject>;
  readonly types: TypeReader;
}

/** Details of the optimizer that are on by default, and move no variable. */
const HARMLESS = new Set(["peephole", "jumpdestRemover"]);
const SCOPES: ReadonlySet<unknown> = new Set(["Block", "UncheckedBlock", "ForStatement"]);

/** One for each session. Builds are read when their first variable is asked for. */
export class LocalTables {
  readonly #sources = new Map<string, SourceTable[]>();
  readonly #locals = new Map<SourceFunction, FunctionLocals | undefined>();

  /** Reads the builds of contracts. */
  static async read(contracts: Iterable<BuiltContract>, finder: ContractFinder): Promise<LocalTables> {
    const tables = new LocalTables();
    for (const documents of await finder.documentsOf(contracts)) tables.#add(documents);
    return tables;
  }

  /** The variables of a function or modifier; undefined where their places are not known. */
  of(definition: SourceFunction): FunctionLocals | undefined {
    if (!this.#locals.has(definition)) this.#locals.set(definition, this.#find(definition));
    return this.#locals.get(definition);
  }

  #add({ input, output }: CompilerDocuments): void {
    const { sources: texts, settings } = objectOf(input);
    if (!isObject(settings) || !isPlain(settings)) return;
    const asts = Object.entries(objectOf(objectOf(output).sources)).map(([path, source]) => ({
      path,
      ast: objectOf(source).ast,
    }));
    const types = new TypeReader(new Map(asts.flatMap(({ ast }) => [...readDeclarations(ast)])));
    for (const { path, ast } of asts) {
      const text = textOf(objectOf(objectOf(texts)[path]).content) ?? "";
      this.#sources.set(path, [...(this.#sources.get(path) ?? []), { text, types, functions: functionsOf(ast) }]);
    }
  }

  #find({ range }: SourceFunction): FunctionLocals | undefined {
    const { file } = range;
    const text = file.textOf(0, file.length);
    const source = this.#sources.get(file.path)?.find((candidate) => candidate.text === text);
    const node = source?.functions.get(range.start);
    // Versions before 0.6 do not say whether a function is virtual.
    if (source === undefined || node === undefined || typeof node.virtual !== "boolean") return undefined;
    const list = (member: unknown): readonly LocalVariable[] =>
      listOf(objectOf(member).parameters).filter(isObject).map(variableOf);
    return {
      parameters: list(node.parameters),
      returns: list(node.returnParameters),
      declarations: declarationsIn(node.body, range),
      types: source.types,
    };
  }
}

function isPlain({ optimizer, viaIR }: JsonObject): boolean {
  const { enabled, details } = objectOf(optimizer);
  const isDetailed = Object.entries(objectOf(details)).some(([name, value]) => value === true && !HARMLESS.has(name));
  return viaIR !== true && enabled !== true && !isDetailed;
}

/** Nodes of functions and modifiers by the start of their range. */
function functionsOf(ast: unknown): ReadonlyMap<number, JsonObject> {
  const functions = new Map<number, JsonObject>();
  const members = listOf(objectOf(ast).nodes)
    .filter(isObject)
    .flatMap((node) => [node, ...listOf(node.nodes).filter(isObject)]);
  for (const node of members) {
    const isFunction = node.nodeType === "FunctionDefinition" || node.nodeType === "ModifierDefinition";
    if (isFunction) functions.set(spanOf(node).start, node);
  }
  return functions;
}

function declarationsIn(body: unknown, scope: Span): readonly Declaration[] {
  const found: Declaration[] = [];
  const visit = (value: unknown, around: Span): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, around);
      return;
    }
    if (!isObject(value) || typeof value.src !== "string") return;
    const inside = SCOPES.has(value.nodeType) ? spanOf(value) : around;
    if (value.nodeType === "VariableDeclarationStatement") {
      const variables = listOf(value.declarations).filter(isObject).map(variableOf);
      found.push({ ...spanOf(value), scopeEnd: around.end, variables });
    }
    for (const member of Object.values(value)) visit(member, inside);
  };
  visit(body, scope);
  return found;
}

function variableOf(node: JsonObject): LocalVariable {
  const { storageLocation } = node;
  const isReference = storageLocation === "memory" || storageLocation === "calldata";
  const type = `${textOf(objectOf(node.typeDescriptions).typeString) ?? ""}${isReference ? ` ${storageLocation}` : ""}`;
  return { name: textOf(node.name) ?? "", type, items: itemsOf(type), node };
}

/** Dynamic call data has an offset and a length, an external function an address and a selector. */
function itemsOf(type: string): number {
  if (/^(?:bytes|string|.*\[\]) calldata$/.test(type)) return 2;
  return /^function .*\bexternal\b/.test(type) && !/\]/.test(type) ? 2 : 1;
}

function spanOf({ src }: JsonObject): Span {
  const [start = 0, length = 0] = (textOf(src) ?? "").split(":").map(Number);
  return { start, end: start + length };
}

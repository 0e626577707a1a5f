/** Finds contracts, functions and modifiers in solc's compact AST. */

import type { Steps } from "../../../primitives/platform/turns.ts";
import type {
  FunctionKind,
  SourceContract,
  SourceFile,
  SourceFunction,
  SourceRange,
  SourceStatements,
} from "../source-file.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "./json-values.ts";
import { readStatements } from "./read-statements.ts";

/** AST nodes that can be the type of a variable. */
const TYPES: ReadonlySet<unknown> = new Set([
  "ContractDefinition",
  "StructDefinition",
  "EnumDefinition",
  "UserDefinedValueTypeDefinition",
]);

/**
 * Structs, enums, contracts and value types of a file, by their ids. For a contract only the name is needed, because the
 * AST node of a contract contains all of its code.
 */
export function readDeclarations(ast: unknown): ReadonlyMap<number, JsonObject> {
  const declarations = new Map<number, JsonObject>();
  for (const node of listOf(objectOf(ast).nodes).filter(isObject)) {
    for (const declaration of [node, ...listOf(node.nodes).filter(isObject)]) {
      const { nodeType, name } = declaration;
      if (!TYPES.has(nodeType)) continue;
      declarations.set(
        countOf(declaration.id) ?? -1,
        nodeType === "ContractDefinition" ? { nodeType, name } : declaration,
      );
    }
  }
  return declarations;
}

/** Paths of the sources that a source imports. */
export function importsOf(ast: JsonObject): readonly string[] {
  return listOf(ast.nodes)
    .filter(isObject)
    .flatMap(({ nodeType, absolutePath }) =>
      nodeType === "ImportDirective" && typeof absolutePath === "string" ? [absolutePath] : [],
    );
}

/** Adds the functions of a file to it, and returns its contracts. A value that is not an AST has none. */
export function* readAst(ast: unknown, file: SourceFile): Steps<readonly SourceContract[]> {
  const contracts: SourceContract[] = [];
  for (const node of listOf(objectOf(ast).nodes).filter(isObject)) {
    if (node.nodeType === "ContractDefinition") contracts.push(yield* readContract(node, file));
    else if (node.nodeType === "FunctionDefinition") addFunction(node, file, undefined);
    yield;
  }
  return contracts;
}

function* readContract(node: JsonObject, file: SourceFile): Steps<SourceContract> {
  const functions: SourceFunction[] = [];
  const { contractKind } = node;
  const members = listOf(node.nodes).filter(isObject);
  const contract: SourceContract = {
    id: countOf(node.id) ?? -1,
    name: textOf(node.name) ?? "",
    kind: contractKind === "library" || contractKind === "interface" ? contractKind : "contract",
    range: rangeOf(node.src, file),
    bases: listOf(node.linearizedBaseContracts).filter((id) => typeof id === "number"),
    functions,
    variables: members.filter(hasSlot),
    initialValues: members.flatMap(({ nodeType, constant, mutability, value }) => {
      const isInitialized = nodeType === "VariableDeclaration" && constant !== true && mutability !== "constant";
      return isInitialized && isObject(value) ? [rangeOf(value.src, file)] : [];
    }),
    namespaces: members.flatMap((member) => {
      const name = member.nodeType === "StructDefinition" ? namespaceOf(member, file) : undefined;
      return name === undefined ? [] : [{ name, struct: member }];
    }),
  };
  for (const member of members) {
    const added = addMember(member, file, contract);
    if (added !== undefined) functions.push(added);
    yield;
  }
  return contract;
}

/** Bytes before a struct in which its comment is looked for. */
const COMMENT_BYTES = 2_000;

/**
 * The namespace that a struct's comment gives it. Not all versions of solc have that comment in the AST.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7201
 */
function namespaceOf({ src }: JsonObject, file: SourceFile): string | undefined {
  const { start } = rangeOf(src, file);
  const before = file.textOf(Math.max(0, start - COMMENT_BYTES), start);
  return /@custom:storage-location\s+erc7201:(\S+)[^;{}]*$/.exec(before)?.[1];
}

function hasSlot({ nodeType, constant, mutability }: JsonObject): boolean {
  return (
    nodeType === "VariableDeclaration" && constant !== true && mutability !== "immutable" && mutability !== "constant"
  );
}

function addMember(node: JsonObject, file: SourceFile, contract: SourceContract): SourceFunction | undefined {
  if (node.nodeType === "FunctionDefinition") return addFunction(node, file, contract);
  if (node.nodeType === "ModifierDefinition")
    return add(file, { ...functionOf(node, file, contract), kind: "modifier" });
  const isGetter = node.nodeType === "VariableDeclaration" && node.visibility === "public";
  if (!isGetter) return undefined;
  return add(file, { ...functionOf(node, file, contract), kind: "getter", body: undefined, isPayable: false });
}

function addFunction(node: JsonObject, file: SourceFile, contract: SourceContract | undefined): SourceFunction {
  return add(file, functionOf(node, file, contract));
}

function add(file: SourceFile, definition: SourceFunction): SourceFunction {
  file.functions.push(definition);
  return definition;
}

function functionOf(node: JsonObject, file: SourceFile, contract: SourceContract | undefined): SourceFunction {
  const kind = kindOf(node);
  const isNamed = kind === "function";
  return {
    id: countOf(node.id) ?? -1,
    kind,
    name: isNamed ? (textOf(node.name) ?? "") : "",
    contract,
    range: rangeOf(node.src, file),
    body: isObject(node.body) ? rangeOf(node.body.src, file) : undefined,
    code: readCode(node, (src) => rangeOf(src, file)),
    isPayable: node.stateMutability === "payable" || node.payable === true,
    selector: textOf(node.functionSelector),
    parameterTypes: listOf(objectOf(node.parameters).parameters).map(
      (parameter) => textOf(objectOf(objectOf(parameter).typeDescriptions).typeString) ?? "",
    ),
    isPrivate: node.visibility === "private",
    modifiers: listOf(node.modifiers)
      .map(objectOf)
      .map(({ src, modifierName }) => ({
        range: rangeOf(src, file),
        callee: countOf(objectOf(modifierName).referencedDeclaration) ?? -1,
        kind: "virtual",
      })),
  };
}

/** The statements of a function's body, with the calls in the arguments of its modifiers and base constructors. */
function readCode(node: JsonObject, rangeOf: (src: unknown) => SourceRange): SourceStatements {
  const body = readStatements(node.body, rangeOf);
  const given = readStatements(
    listOf(node.modifiers).flatMap((modifier) => listOf(objectOf(modifier).arguments)),
    rangeOf,
  );
  return {
    ...body,
    calls: [...given.calls, ...body.calls],
    mentions: [...given.mentions, ...body.mentions],
  };
}

/** Before 0.5 solc marked constructors by `isConstructor`, and gave fallback functions no name. */
function kindOf(node: JsonObject): FunctionKind {
  const { kind } = node;
  if (node.isConstructor === true || kind === "constructor") return "constructor";
  if (kind === "fallback" || kind === "receive") return kind;
  return node.nodeType === "FunctionDefinition" && node.name === "" ? "fallback" : "function";
}

/** A range in the AST's form: `start:length:file`. */
function rangeOf(src: unknown, file: SourceFile): SourceRange {
  const [start = 0, length = 0] = (textOf(src) ?? "").split(":").map(Number);
  return { file, start, end: start + length };
}

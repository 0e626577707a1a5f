/** Finds contracts, functions and modifiers in solc's compact AST. */

import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "./json-values.ts";
import type { FunctionKind, SourceContract, SourceFile, SourceFunction, SourceRange } from "./source-file.ts";

/** Adds the functions of a file to it, and returns its contracts. A value that is not an AST has none. */
export function readAst(ast: unknown, file: SourceFile): readonly SourceContract[] {
  const contracts: SourceContract[] = [];
  for (const node of listOf(objectOf(ast).nodes).filter(isObject)) {
    if (node.nodeType === "ContractDefinition") contracts.push(readContract(node, file));
    else if (node.nodeType === "FunctionDefinition") addFunction(node, file, undefined);
  }
  return contracts;
}

function readContract(node: JsonObject, file: SourceFile): SourceContract {
  const functions: SourceFunction[] = [];
  const { contractKind } = node;
  const contract: SourceContract = {
    id: countOf(node.id) ?? -1,
    name: textOf(node.name) ?? "",
    kind: contractKind === "library" || contractKind === "interface" ? contractKind : "contract",
    range: rangeOf(node.src, file),
    bases: listOf(node.linearizedBaseContracts).filter((id) => typeof id === "number"),
    functions,
  };
  for (const member of listOf(node.nodes).filter(isObject)) {
    const added = addMember(member, file, contract);
    if (added !== undefined) functions.push(added);
  }
  return contract;
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
    kind,
    name: isNamed ? (textOf(node.name) ?? "") : "",
    contract,
    range: rangeOf(node.src, file),
    body: isObject(node.body) ? rangeOf(node.body.src, file) : undefined,
    isPayable: node.stateMutability === "payable" || node.payable === true,
    selector: textOf(node.functionSelector),
    parameterTypes: listOf(objectOf(node.parameters).parameters).map(
      (parameter) => textOf(objectOf(objectOf(parameter).typeDescriptions).typeString) ?? "",
    ),
    modifierNames: listOf(node.modifiers).map(
      (modifier) => textOf(objectOf(objectOf(modifier).modifierName).name) ?? "",
    ),
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

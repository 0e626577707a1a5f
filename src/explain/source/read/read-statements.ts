/** Finds the statements, branches and calls of functions in solc's compact AST. */

import type { CallKind, SourceBranch, SourceCall, SourceRange, SourceStatements } from "../source-file.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf } from "./json-values.ts";

/** Statements that execute something themselves, not only the statements inside them. */
const STATEMENTS: ReadonlySet<unknown> = new Set([
  ...[
    "ExpressionStatement",
    "VariableDeclarationStatement",
    "Return",
    "EmitStatement",
    "RevertStatement",
    "IfStatement",
  ],
  ...[
    "ForStatement",
    "WhileStatement",
    "DoWhileStatement",
    "TryStatement",
    "InlineAssembly",
    "Throw",
    "Break",
    "Continue",
  ],
]);

/** Statements that neither leave the function nor run the body of the function that a modifier is for. */
const STRAIGHT_STATEMENTS: ReadonlySet<unknown> = new Set([
  "ExpressionStatement",
  "VariableDeclarationStatement",
  "EmitStatement",
]);

/** The type of a function of another contract, as text. */
const EXTERNAL = /^function \((?:[^()]|\([^()]*\))*\) (?:\w+ )?external\b/;

/** @param rangeOf - parses the `src` of a node */
export function readStatements(body: unknown, rangeOf: (src: unknown) => SourceRange): SourceStatements {
  const statements: SourceRange[] = [];
  const branches: SourceBranch[] = [];
  const calls: SourceCall[] = [];
  const blocks: SourceRange[] = [];
  const mentions: number[] = [];
  const visit = (value: unknown, isCalled = false): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isObject(value) || typeof value.src !== "string") return;
    const { nodeType } = value;
    if (!isCalled && isInternalFunction(value, false)) mentions.push(countOf(value.referencedDeclaration) ?? -1);
    if (STATEMENTS.has(nodeType)) statements.push(rangeOf(value.src));
    blocks.push(
      ...listOf(value.statements)
        .filter(isBlock)
        .map(({ src }) => rangeOf(src)),
    );
    const branch = branchOf(value, rangeOf);
    if (branch !== undefined) branches.push(branch);
    const callee = calleeOf(value);
    if (callee !== undefined) calls.push({ range: rangeOf(value.src), callee, kind: callKindOf(value.expression) });
    const operator = countOf(value.function);
    if (operator !== undefined) calls.push({ range: rangeOf(value.src), callee: operator, kind: "direct" });
    // An assembly block counts as one statement, so its parts are not visited.
    if (nodeType === "InlineAssembly") return;
    for (const [name, member] of Object.entries(value))
      visit(member, nodeType === "FunctionCall" && name === "expression");
  };
  visit(body);
  const reverts = unconditionalRevert(body, rangeOf);
  return { statements, branches, blocks, calls, mentions, unconditionalRevert: reverts };
}

/**
 * The first statement of the body that always reverts; undefined if an earlier one may run the function's body or
 * leave.
 */
function unconditionalRevert(body: unknown, rangeOf: (src: unknown) => SourceRange): SourceRange | undefined {
  for (const statement of listOf(objectOf(body).statements).map(objectOf)) {
    const { nodeType, src } = statement;
    if (nodeType === "RevertStatement" || nodeType === "Throw" || isRevertCall(statement)) return rangeOf(src);
    if (!STRAIGHT_STATEMENTS.has(nodeType)) return undefined;
  }
  return undefined;
}

function isRevertCall({ nodeType, expression }: JsonObject): boolean {
  const { nodeType: called, expression: name } = objectOf(expression);
  return nodeType === "ExpressionStatement" && called === "FunctionCall" && objectOf(name).name === "revert";
}

function branchOf(node: JsonObject, rangeOf: (src: unknown) => SourceRange): SourceBranch | undefined {
  const arm = (member: unknown): SourceRange | undefined => (isObject(member) ? rangeOf(member.src) : undefined);
  const range = rangeOf(node.src);
  if (node.nodeType === "IfStatement") {
    return { range, isCheck: false, arms: [arm(node.trueBody), arm(node.falseBody)] };
  }
  if (isCheck(node)) return { range, isCheck: true, arms: [undefined, undefined] };
  if (node.nodeType !== "Conditional") return undefined;
  return { range, isCheck: false, arms: [arm(node.trueExpression), arm(node.falseExpression)] };
}

/** True for a call of `require` or `assert`. */
function isCheck({ nodeType, expression }: JsonObject): boolean {
  const { nodeType: called, name } = objectOf(expression);
  return nodeType === "FunctionCall" && called === "Identifier" && (name === "require" || name === "assert");
}

function isBlock(value: unknown): value is JsonObject {
  return isObject(value) && (value.nodeType === "Block" || value.nodeType === "UncheckedBlock");
}

/**
 * Id of the declaration that a call names; negative for built-in functions, and for an expression that is no name.
 * Undefined for external calls, whose code runs in a frame of its own, and for conversions of types.
 */
function calleeOf({ nodeType, expression }: JsonObject): number | undefined {
  const called = objectOf(expression);
  if (nodeType !== "FunctionCall" || isExternal(called)) return undefined;
  return countOf(called.referencedDeclaration) ?? (isInternalFunction(called, false) ? -1 : undefined);
}

/** True for a function of another contract or of a deployed library. Internal functions of libraries may be called as members. */
function isExternal({ typeDescriptions, expression }: JsonObject): boolean {
  const { typeIdentifier, typeString } = objectOf(typeDescriptions);
  if (typeof typeIdentifier === "string") return /^t_function_(?:external|delegatecall)_/.test(typeIdentifier);
  if (typeof typeString === "string") return EXTERNAL.test(typeString);
  const { typeString: owner } = objectOf(objectOf(expression).typeDescriptions);
  return typeof owner === "string" && /^contract (?!super )/.test(owner);
}

/** A name that stands alone may be overridden; one behind a contract, a library or a value may not. */
function callKindOf(expressionCalled: unknown): CallKind {
  const called = objectOf(expressionCalled);
  const { nodeType, expression } = called;
  if (nodeType === "Identifier") return isInternalFunction(called) ? "virtual" : "direct";
  if (nodeType !== "MemberAccess") return "variable";
  return objectOf(expression).name === "super" ? "super" : "direct";
}

/** True for an expression whose value is a function of the same contract. Some builds give types no identifier. */
function isInternalFunction({ typeDescriptions }: JsonObject, isByDefault = true): boolean {
  const { typeIdentifier } = objectOf(typeDescriptions);
  return typeof typeIdentifier === "string" ? typeIdentifier.startsWith("t_function_internal") : isByDefault;
}

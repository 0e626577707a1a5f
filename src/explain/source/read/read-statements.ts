/** Finds the statements, branches and calls of functions in solc's compact AST. */

import type { SourceBranch, SourceCall, SourceRange, SourceStatements } from "../source-file.ts";
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

/** @param rangeOf - parses the `src` of a node */
export function readStatements(body: unknown, rangeOf: (src: unknown) => SourceRange): SourceStatements {
  const statements: SourceRange[] = [];
  const branches: SourceBranch[] = [];
  const calls: SourceCall[] = [];
  const blocks: SourceRange[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value) || typeof value.src !== "string") return;
    const { nodeType } = value;
    if (STATEMENTS.has(nodeType)) statements.push(rangeOf(value.src));
    blocks.push(
      ...listOf(value.statements)
        .filter(isBlock)
        .map(({ src }) => rangeOf(src)),
    );
    const branch = branchOf(value, rangeOf);
    if (branch !== undefined) branches.push(branch);
    const callee = calleeOf(value);
    if (callee !== undefined) calls.push({ range: rangeOf(value.src), callee });
    // An assembly block counts as one statement, so its parts are not visited.
    if (nodeType !== "InlineAssembly") Object.values(value).forEach(visit);
  };
  visit(body);
  return { statements, branches, blocks, calls };
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

/** The declaration that a call names; built-in functions have a negative id. */
function calleeOf({ nodeType, expression }: JsonObject): number | undefined {
  return nodeType === "FunctionCall" ? countOf(objectOf(expression).referencedDeclaration) : undefined;
}

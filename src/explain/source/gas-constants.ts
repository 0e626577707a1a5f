/**
 * Finds amounts of gas that a project's sources name: `transfer` and `send`, the option `gas` of calls, assembly, and
 * comparisons with `gasleft()`.
 */
import { inTurns } from "../../primitives/platform/turns.ts";
import { BuildFile, sourceCache } from "./build-file.ts";
import { isObject, type JsonObject, listOf, objectOf, textOf } from "./read/json-values.ts";
import { SourceFile } from "./source-file.ts";

/** An amount of gas in a source. */
export interface GasConstant {
  /** `transfer` and `send` give their recipient 2,300 gas. */
  readonly kind: "transfer" | "send" | "gas" | "assembly" | "gasleft";
  readonly gas: bigint;
  /** True if it is given to a call that must not write. */
  readonly isStatic: boolean;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line, without the spaces around it. */
  readonly text: string;
}

/** The result of {@link readGasConstants}. */
export interface GasConstants {
  readonly found: readonly GasConstant[];
  /** Build files without ASTs, in which nothing can be found. */
  readonly withoutAsts: readonly string[];
}

/** Gas of a call with value that states none. */
const STIPEND = 2_300n;
const CALLS: ReadonlySet<unknown> = new Set(["call", "callcode", "delegatecall", "staticcall"]);
const SENDS: ReadonlySet<unknown> = new Set(["transfer", "send"]);
const COMPARISONS: ReadonlySet<unknown> = new Set(["<", "<=", ">", ">="]);

/**
 * The amounts of gas in the sources of build files, each place once. Amounts that are computed are not found.
 *
 * @param paths - of {@link listBuildFiles}
 * @throws {InvalidParamsError} `FILE_NOT_READABLE`
 */
export async function readGasConstants(paths: readonly string[]): Promise<GasConstants> {
  const found = new Map<string, GasConstant>();
  const withoutAsts: string[] = [];
  for (const path of paths) {
    const { input, output } = await inTurns(new BuildFile(path, "", sourceCache()).documents());
    const asts = Object.entries(objectOf(objectOf(output).sources)).map(([file, source]) => [
      file,
      objectOf(source).ast,
    ]);
    if (!asts.some(([, ast]) => isObject(ast))) withoutAsts.push(path);
    for (const constant of constantsOf(objectOf(objectOf(input).sources), asts as [string, unknown][])) {
      found.set(`${constant.file}:${constant.line}:${constant.column}`, constant);
    }
  }
  return { found: [...found.values()], withoutAsts };
}

function* constantsOf(texts: JsonObject, asts: readonly (readonly [string, unknown])[]): Generator<GasConstant> {
  const values = new Map<unknown, bigint>();
  for (const [, ast] of asts) {
    for (const { nodeType, constant, id, value } of nodesOf(ast)) {
      const number = nodeType === "VariableDeclaration" && constant === true ? numberOf(value, values) : undefined;
      if (number !== undefined) values.set(id, number);
    }
  }
  for (const [path, ast] of asts) {
    const file = new SourceFile(path, textOf(objectOf(texts[path]).content) ?? "");
    for (const node of nodesOf(ast)) {
      const amount = amountIn(node, values);
      if (amount === undefined) continue;
      const position = file.positionOf(Number(textOf(node.src)?.split(":")[0] ?? 0));
      yield { ...amount, file: path, ...position, text: file.lineText(position.line).trim() };
    }
  }
}

/** All nodes of an AST, outer ones before those inside them. */
function* nodesOf(ast: unknown): Generator<JsonObject> {
  const waiting: unknown[] = [ast];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isObject(value) && "nodeType" in value) yield value;
    if (typeof value !== "object" || value === null) continue;
    for (const inner of Object.values(value).reverse()) waiting.push(inner);
  }
}

type Amount = Pick<GasConstant, "kind" | "gas" | "isStatic">;

function amountIn(node: JsonObject, values: ReadonlyMap<unknown, bigint>): Amount | undefined {
  const { nodeType } = node;
  if (nodeType === "MemberAccess") return stipendOf(node);
  if (nodeType === "FunctionCallOptions") {
    const gas = numberOf(listOf(node.options)[listOf(node.names).indexOf("gas")], values);
    return gas === undefined ? undefined : { kind: "gas", gas, isStatic: isStaticCall(node.expression) };
  }
  if (nodeType === "BinaryOperation") return checkedOf(node, values);
  if (nodeType === "FunctionCall") {
    // Before Solidity 0.7: address.call.gas(2300).
    const called = objectOf(node.expression);
    const isGas = called.nodeType === "MemberAccess" && called.memberName === "gas";
    const gas = isGas ? numberOf(listOf(node.arguments)[0], values) : undefined;
    return gas === undefined ? undefined : { kind: "gas", gas, isStatic: isStaticCall(called.expression) };
  }
  const { name } = objectOf(node.functionName);
  if (nodeType !== "YulFunctionCall" || !CALLS.has(name)) return undefined;
  const gas = numberOf(listOf(node.arguments)[0], values);
  return gas === undefined ? undefined : { kind: "assembly", gas, isStatic: name === "staticcall" };
}

/** True for `staticcall`, and for functions that are `view` or `pure`. */
function isStaticCall(called: unknown): boolean {
  return /\b(?:view|pure)\b/.test(textOf(objectOf(objectOf(called).typeDescriptions).typeString) ?? "");
}

/** The number that `gasleft()` is compared with. */
function checkedOf(node: JsonObject, values: ReadonlyMap<unknown, bigint>): Amount | undefined {
  const sides = [node.leftExpression, node.rightExpression];
  const isGasLeft = (side: unknown): boolean => objectOf(objectOf(side).expression).name === "gasleft";
  const gas = sides.some(isGasLeft)
    ? numberOf(
        sides.find((side) => !isGasLeft(side)),
        values,
      )
    : undefined;
  const isCompared = COMPARISONS.has(node.operator) && gas !== undefined;
  return isCompared ? { kind: "gasleft", gas, isStatic: false } : undefined;
}

/** `transfer` and `send` of addresses, not of contracts such as tokens. */
function stipendOf({ memberName, expression }: JsonObject): Amount | undefined {
  const type = textOf(objectOf(objectOf(expression).typeDescriptions).typeString) ?? "";
  if (!SENDS.has(memberName) || !/^address( payable)?$/.test(type)) return undefined;
  return { kind: memberName === "send" ? "send" : "transfer", gas: STIPEND, isStatic: false };
}

/** The value of a literal number, or of a constant that is one; undefined for anything else. */
function numberOf(value: unknown, values: ReadonlyMap<unknown, bigint>): bigint | undefined {
  const { nodeType, kind, value: text, referencedDeclaration, subdenomination } = objectOf(value);
  if (nodeType === "Identifier") return values.get(referencedDeclaration);
  const isNumber = (nodeType === "Literal" || nodeType === "YulLiteral") && kind === "number";
  const digits = (textOf(text) ?? "").replaceAll("_", "");
  if (!isNumber || typeof subdenomination === "string") return undefined;
  return /^(?:\d+|0x[0-9a-fA-F]+)$/.test(digits) ? BigInt(digits) : undefined;
}

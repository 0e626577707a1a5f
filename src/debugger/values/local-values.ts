/** Local variables as values, read from the stack, and from what they point to. */
import { elementary } from "../../explain/source/read/read-types.ts";
import { functionAround, type SourceFunction, type SourceRange } from "../../explain/source/source-file.ts";
import type { ValueType } from "../../explain/source/storage-type.ts";
import { bytesText, valueText } from "../../explain/storage/value-text.ts";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { FrameMachine } from "../../tracer/replay.ts";
import type { Activation, Program } from "../program/program.ts";
import { statementAt } from "../program/statement-lines.ts";
import type { Declaration, FunctionLocals, LocalTables, LocalVariable } from "./local-tables.ts";
import type { StateValues } from "./state-values.ts";
import type { ValueNode } from "./value-node.ts";

/** A variable with the index of its first stack item, counted from the bottom. */
interface PlacedVariable {
  readonly variable: LocalVariable;
  readonly item: number;
  readonly locals: FunctionLocals;
}

/** A function's activation and the machine that its variables are read from. */
export interface LocalsRequest {
  readonly activation: Activation;
  /** The last step of the activation itself. */
  readonly step: number;
  /** The frame's machine now. */
  readonly machine: FrameMachine;
  /** Bytes of memory now. */
  readonly memoryBytes: number;
  readonly state: StateValues;
}

const SLOT_BYTES = 32;
const MOST_ELEMENTS = 256;
const MOST_BYTES = 4_096;
/** Statements that take variables off the stack while they run. */
const LEAVING = /^(?:return|break|continue)\b/;

/** Reads the local variables of functions. One for each session. */
export class LocalValues {
  readonly #program: Program;
  readonly #tables: LocalTables;

  constructor(program: Program, tables: LocalTables) {
    this.#program = program;
    this.#tables = tables;
  }

  /** The variables that can be named at a step; undefined where their places are not known. */
  async nodes(request: LocalsRequest): Promise<readonly ValueNode[] | undefined> {
    const placed = this.#placed(request);
    if (placed === undefined) return undefined;
    const nodes: ValueNode[] = [];
    for (const { variable, item, locals } of placed) {
      const words = request.machine.stack.slice(item, item + variable.items);
      if (variable.name === "" || words.length < variable.items) continue;
      nodes.push(await shownValue(variable, words, { ...request, locals }));
    }
    return nodes;
  }

  #placed({ activation, step }: LocalsRequest): readonly PlacedVariable[] | undefined {
    const range = this.#rangeAt(activation, step);
    const statement = range && statementAt(range);
    if (range === undefined || statement === undefined) return undefined;
    const definition = activation.definition ?? functionAround(range);
    const locals = definition && this.#tables.of(definition);
    if (locals === undefined) return undefined;
    const ownParameters = activation.definition === undefined ? [] : placeParameters(locals, activation.entryHeight);
    const text = statement.file.textOf(statement.start, Math.min(statement.end, statement.start + 9));
    if (LEAVING.test(text) && !this.#program.isLineStart(step)) return ownParameters;
    return [...ownParameters, ...this.#declared(activation, step, range)];
  }

  /** Variables of declarations that have run and whose scope holds the range. */
  #declared(activation: Activation, step: number, range: SourceRange): readonly PlacedVariable[] {
    const reached = new Map<Declaration, number>();
    const ofRange = new Map<SourceRange, Declaration | undefined>();
    let current: Declaration | undefined;
    for (let at = activation.entry; at <= step; at++) {
      if (this.#program.activationOf(at) !== activation) continue;
      const passed = this.#rangeAt(activation, at);
      if (passed === undefined) continue;
      if (!ofRange.has(passed)) ofRange.set(passed, this.#declarationOf(passed));
      const next = ofRange.get(passed);
      if (next !== undefined && next !== current) reached.set(next, this.#program.heightAt(at));
      current = next;
    }
    const definition = functionAround(range);
    const locals = definition && this.#tables.of(definition);
    if (locals === undefined) return [];
    const live = locals.declarations.filter(({ end, scopeEnd }) => range.start >= end && range.end <= scopeEnd);
    return live.flatMap((declaration) => {
      const height = reached.get(declaration);
      return height === undefined ? [] : place(declaration.variables, height, locals);
    });
  }

  #declarationOf(range: SourceRange): Declaration | undefined {
    const definition = functionAround(range);
    const locals = definition && this.#tables.of(definition);
    return locals?.declarations.find(({ start, end }) => start <= range.start && range.end <= end);
  }

  #rangeAt({ code }: Activation, step: number): SourceRange | undefined {
    return code.found?.code.instructions.get(this.#program.pcOf(step))?.range;
  }
}

function placeParameters(locals: FunctionLocals, entryHeight: number): readonly PlacedVariable[] {
  const items = locals.parameters.reduce((sum, variable) => sum + variable.items, 0);
  return [...place(locals.parameters, entryHeight - items, locals), ...place(locals.returns, entryHeight, locals)];
}

function place(variables: readonly LocalVariable[], first: number, locals: FunctionLocals): readonly PlacedVariable[] {
  let item = first;
  return variables.map((variable) => {
    const placed = { variable, item, locals };
    item += variable.items;
    return placed;
  });
}

type Context = LocalsRequest & { readonly locals: FunctionLocals };

async function shownValue(variable: LocalVariable, words: readonly bigint[], context: Context): Promise<ValueNode> {
  const { name, type, node } = variable;
  const [word = 0n, length = 0n] = words;
  if (node.storageLocation === "storage") {
    const { variables } = context.locals.types.layout([node], [], word);
    const [value] = await context.state.nodes(variables);
    return { ...value, name, type, value: value?.value ?? encodeQuantity(word) };
  }
  const data = dataOf(type, { word, length }, context);
  if (data !== undefined) return { name, type, ...data };
  const value = valueType(type, context.locals);
  if (value === undefined) return { name, type, value: encodeQuantity(word) };
  return { name, type, value: scalarText(value, word) };
}

/** Strings, bytes and arrays of values, in memory or call data. */
function dataOf(
  type: string,
  { word, length }: { readonly word: bigint; readonly length: bigint },
  { machine, memoryBytes, locals }: Context,
): Pick<ValueNode, "value" | "children"> | undefined {
  const [, form = "", location] = /^(.*) (memory|calldata)$/.exec(type) ?? [];
  const isMemory = location === "memory";
  const [, base = "", digits] = /^(.*)\[(\d*)\]$/.exec(form) ?? [];
  const isText = form === "string" || form === "bytes";
  const element = isText ? undefined : valueType(base, locals);
  if (!isText && (element === undefined || base === "")) return undefined;
  const size = isMemory ? memoryBytes : machine.frame.input.length;
  const readBytes = (from: number, count: number): Bytes =>
    isMemory ? machine.readMemory(from, count) : machine.frame.input.subarray(from, from + count);
  const isFixed = digits !== undefined && digits !== "";
  const hasLengthWord = isMemory && !isFixed;
  if (word + BigInt(hasLengthWord ? SLOT_BYTES : 0) > BigInt(size)) return undefined;
  const start = Number(word) + (hasLengthWord ? SLOT_BYTES : 0);
  const count = isFixed ? BigInt(digits) : hasLengthWord ? bytesToBigInt(readBytes(Number(word), SLOT_BYTES)) : length;
  if (BigInt(start) + count * BigInt(isText ? 1 : SLOT_BYTES) > BigInt(size)) return undefined;
  if (isText) {
    return { value: count > MOST_BYTES ? `(${count} bytes)` : bytesText(readBytes(start, Number(count)), form) };
  }
  const shown = Math.min(Number(count), MOST_ELEMENTS);
  const elementAt = (index: number): ValueNode => ({
    name: `[${index}]`,
    type: base,
    value: scalarText(element as ValueType, bytesToBigInt(readBytes(start + index * SLOT_BYTES, SLOT_BYTES))),
  });
  const children = async () => Array.from({ length: shown }, (_, index) => elementAt(index));
  return { value: `${count} elements`, children: shown === 0 ? undefined : children };
}

/** A type of one stack item that holds its value; undefined for all others. */
function valueType(type: string, { types }: FunctionLocals): ValueType | undefined {
  if (/^(?:u?int\d*|address(?: payable)?|bool|bytes\d+)$/.test(type)) {
    const found = elementary(type);
    return found.kind === "value" ? found : undefined;
  }
  if (/^contract /.test(type)) return { kind: "value", label: type, bytes: 20 };
  return /^(?:enum )?[\w.$]+$/.test(type) ? types.valueNamed(type) : undefined;
}

/** Values of `bytesN` are at the left end of a stack item, and all others at the right. */
function scalarText(type: ValueType, word: bigint): string {
  const isLeft = /^bytes\d+$/.test(type.label);
  return valueText(type, isLeft ? word >> BigInt((SLOT_BYTES - type.bytes) * 8) : word, 0);
}

/** The function that a line belongs to, which may be a modifier of the activation's function. */
export function functionAt(activation: Activation, range: SourceRange | undefined): SourceFunction | undefined {
  const found = functionAround(range);
  return found?.kind === "modifier" || activation.definition === undefined ? found : activation.definition;
}

/** The scopes of an entry of the call stack: its variables, the state of the EVM, and the call. */
import { FrameKind } from "../../evm/frames.ts";
import { wordText } from "../../explain/storage/value-text.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, bigIntToFixedBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { machineAt } from "../../tracer/inspect/machine-at.ts";
import type { FrameMachine } from "../../tracer/replay.ts";
import type { Program } from "../program/program.ts";
import type { RecordedTransaction } from "../recording/transaction.ts";
import type { LocalValues } from "../values/local-values.ts";
import { StateValues } from "../values/state-values.ts";
import type { StorageHistory } from "../values/storage-history.ts";
import { findValue, type ValueNode } from "../values/value-node.ts";
import type { StackEntry } from "./call-stack.ts";

/** A group of variables in an editor's view. */
export interface Scope {
  readonly name: string;
  /** True for a scope that is costly or long, which clients do not open by themselves. */
  readonly isLong: boolean;
  readonly nodes: () => Promise<readonly ValueNode[]>;
  /** The scope as bytes, if it is some. */
  readonly bytes?: Bytes;
}

/** Source of values. */
export interface ScopeParts {
  readonly transaction: RecordedTransaction;
  readonly program: Program;
  readonly history: StorageHistory;
  readonly locals: LocalValues;
}

/** Scopes whose values are found by their names alone. */
const NAMED_SCOPES: ReadonlySet<string> = new Set(["Locals", "State", "Transient state", "Call"]);
const WORD_BYTES = 32;
const SELECTOR_BYTES = 4;
/** Most rows of bytes that are listed; all of them can be read as memory. */
const MOST_ROWS = 1_024;

const KINDS = {
  [FrameKind.call]: "CALL",
  [FrameKind.callCode]: "CALLCODE",
  [FrameKind.delegateCall]: "DELEGATECALL",
  [FrameKind.staticCall]: "STATICCALL",
  [FrameKind.create]: "CREATE",
  [FrameKind.create2]: "CREATE2",
} as const satisfies Record<FrameKind, string>;

/** The scopes of an entry, in the order in which they are shown. */
export async function scopesOf(entry: StackEntry, parts: ScopeParts): Promise<readonly Scope[]> {
  const { frames, steps } = parts.transaction;
  const { activation, machineStep } = entry;
  const { frame, code } = activation;
  const machine = machineAt({ frames, steps }, machineStep);
  const buffer = steps.bufferOf(machineStep);
  const memoryBytes = buffer.memoryBytes(machineStep - buffer.first);
  const state = stateOf(entry, parts);
  const scopes: Scope[] = [];
  const locals = await parts.locals.nodes({ activation, step: entry.step, machine, memoryBytes, state });
  if (locals !== undefined) scopes.push({ name: "Locals", isLong: false, nodes: async () => locals });
  const layout = code.found?.contract.storage();
  if (layout?.isKnown === true) {
    const variables = [...layout.variables, ...layout.namespaces];
    scopes.push({ name: "State", isLong: false, nodes: () => state.nodes(variables) });
    const transient = transientOf(entry, parts);
    if (layout.transient.length > 0) {
      scopes.push({ name: "Transient state", isLong: false, nodes: () => transient.nodes(layout.transient) });
    }
  }
  const memory = machine.readMemory(0, memoryBytes);
  const { input } = frame;
  return [
    ...scopes,
    { name: "Call", isLong: false, nodes: async () => callNodes(entry, parts) },
    { name: "Stack", isLong: true, nodes: async () => stackNodes(machine) },
    { name: "Memory", isLong: true, nodes: async () => byteNodes(memory), bytes: memory },
    { name: "Storage", isLong: true, nodes: () => storageNodes(entry, parts) },
    { name: "Calldata", isLong: true, nodes: async () => callDataNodes(entry), bytes: input },
    { name: "Return data", isLong: true, nodes: async () => byteNodes(machine.returnData), bytes: machine.returnData },
  ];
}

/** A local or state variable of an entry, or a part of one, by its name or path; undefined if there is none. */
export async function valueIn(entry: StackEntry, parts: ScopeParts, path: string): Promise<ValueNode | undefined> {
  for (const { name, nodes } of await scopesOf(entry, parts)) {
    const found = NAMED_SCOPES.has(name) ? await findValue(path, await nodes()) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function stateOf({ activation, machineStep }: StackEntry, { history }: ScopeParts): StateValues {
  const { account } = activation.frame;
  const read = async (slots: readonly bigint[]) =>
    account === undefined ? [] : history.read(account, slots, machineStep);
  return new StateValues({ account, isTransient: false, read }, history.preimages);
}

function transientOf({ activation, machineStep }: StackEntry, { history }: ScopeParts): StateValues {
  const { account } = activation.frame;
  const read = async (slots: readonly bigint[]) =>
    slots.map((slot) => (account === undefined ? undefined : history.readTransient(account, slot, machineStep)));
  return new StateValues({ account, isTransient: true, read }, history.preimages);
}

function callNodes(
  { activation, machineStep }: StackEntry,
  { transaction, program }: ScopeParts,
): readonly ValueNode[] {
  const { kind, from, to, account, value } = activation.frame;
  const address = (bytes: Bytes | undefined): string => (bytes === undefined ? "none" : checksumAddress(bytes));
  const buffer = transaction.steps.bufferOf(machineStep);
  const row = machineStep - buffer.first;
  const pc = buffer.pc(row);
  return [
    { name: "contract", value: activation.code.name },
    { name: "kind", value: KINDS[kind] },
    { name: "from", value: address(from) },
    { name: "to", value: address(to) },
    { name: "storage of", value: address(account) },
    { name: "value", value: `${value} wei` },
    { name: "gas left", value: buffer.gas(row).toString() },
    { name: "gas of the operation", value: buffer.cost(row).toString() },
    { name: "operation", value: activation.code.textOf(pc) },
    { name: "pc", value: encodeQuantity(pc) },
    { name: "step", value: `${machineStep} of ${program.length}` },
  ];
}

function stackNodes({ stack }: FrameMachine): readonly ValueNode[] {
  return stack.toReversed().map((word, index) => ({ name: `[${index}]`, value: encodeQuantity(word) }));
}

function byteNodes(bytes: Bytes, start = 0): readonly ValueNode[] {
  const rows = Math.min(MOST_ROWS, Math.ceil((bytes.length - start) / WORD_BYTES));
  return Array.from({ length: rows }, (_, row) => {
    const from = start + row * WORD_BYTES;
    return { name: encodeQuantity(from), value: encodeData(bytes.subarray(from, from + WORD_BYTES)) };
  });
}

function callDataNodes({ activation: { frame } }: StackEntry): readonly ValueNode[] {
  const { input, kind } = frame;
  if (kind >= FrameKind.create || input.length < SELECTOR_BYTES) return byteNodes(input);
  const selector = { name: "selector", value: encodeData(input.subarray(0, SELECTOR_BYTES)) };
  return [selector, ...byteNodes(input, SELECTOR_BYTES)];
}

/** Slots that the transaction has used by then. */
async function storageNodes(entry: StackEntry, { history }: ScopeParts): Promise<readonly ValueNode[]> {
  const step = entry.machineStep;
  const { account } = entry.activation.frame;
  if (account === undefined) return [];
  const slots = history.usedSlots(account, { isTransient: false, step });
  const values = await history.read(account, slots, step);
  const shown = (value: bigint | undefined): string =>
    value === undefined ? "(not in the replay file)" : encodeData(bigIntToFixedBytes(value, WORD_BYTES));
  const transient = history.usedSlots(account, { isTransient: true, step });
  const place = { account, slots: 1n, offset: 0, bytes: WORD_BYTES };
  return [
    ...slots.map((slot, index) => ({
      name: wordText(slot),
      value: shown(values[index]),
      storage: { ...place, slot, isTransient: false },
    })),
    ...transient.map((slot) => ({
      name: `transient ${wordText(slot)}`,
      value: shown(history.readTransient(account, slot, step)),
      storage: { ...place, slot, isTransient: true },
    })),
  ];
}

/** Properties of the traces of every mined transaction, checked by running blocks again. */
import { expect } from "vitest";
import type { Chain } from "../../src/chain/chain.ts";
import type { Rules } from "../../src/chainspec/hardforks/rules.ts";
import type { Block } from "../../src/chainspec/header/block.ts";
import { floorGas, intrinsicGas } from "../../src/chainspec/transaction/intrinsic-gas.ts";
import type { Transaction } from "../../src/chainspec/transaction/transaction.ts";
import { isCreation, StepOutcome } from "../../src/evm/frames.ts";
import type { TransactionOutcome } from "../../src/executor/run-transaction.ts";
import { type Bytes, bytesKey, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../src/primitives/hash/hash.ts";
import { atOnce } from "../../src/primitives/platform/turns.ts";
import { replayBlock } from "../../src/services/simulate/replay/replay.ts";
import type { WorkingState } from "../../src/state/working/working-state.ts";
import { callTrace, type GethCallFrame } from "../../src/tracer/formats/call-tracer.ts";
import { type FlatTrace, flatTraces } from "../../src/tracer/formats/flat.ts";
import { type Delta, type StateDiff, stateDiff } from "../../src/tracer/formats/state-diff.ts";
import { type StructLog, StructLogs } from "../../src/tracer/formats/struct-log.ts";
import { type VmTrace, vmTrace } from "../../src/tracer/formats/vm-trace.ts";
import { Recorder } from "../../src/tracer/recorder.ts";
import type { CallFrame } from "../../src/tracer/recording.ts";
import { shown } from "../support/plain.ts";
import { stepAt } from "../support/recorded-steps.ts";

/** A mined transaction that was run again with everything recorded. */
export interface TracedTransaction {
  readonly tx: Transaction;
  readonly rules: Rules;
  readonly outcome: TransactionOutcome;
  readonly recorder: Recorder;
  /** The state before it; to be written on. */
  readonly before: WorkingState;
  /** The state after it, its changes at hand. */
  readonly after: WorkingState;
}

/**
 * Runs a block again with and without recording, and checks that both come to what the chain has; hands each transaction
 * to a check.
 */
export async function checkBlock(
  chain: Chain,
  block: Block,
  check: (traced: TracedTransaction) => void | Promise<void>,
): Promise<void> {
  const rules = chain.rulesOf(block.header);
  const plain: unknown[] = [];
  const request = { chain, block, limits: chain.executor.clock() };
  for await (const { outcome, state } of replayBlock({ ...request, recorderFor: () => undefined })) {
    plain.push([outcome.gasUsed, shown(outcome.logs), shown(state.computeStateRoot())]);
  }
  const receipts = chain.getStoredReceipts(block);
  let before: WorkingState | undefined;
  let cumulativeGas = 0n;
  const recorderFor = ({ state }: { readonly state: WorkingState }) => {
    state.computeStateRoot();
    before = state.fork();
    return new Recorder({ logs: true, accesses: true, steps: true, memory: true });
  };
  for await (const { tx, index, outcome, recorder, state } of replayBlock({ ...request, recorderFor })) {
    if (recorder === undefined || before === undefined) throw new Error("nothing was recorded");
    cumulativeGas += outcome.gasUsed;
    expect(cumulativeGas).toBe(receipts[index]?.cumulativeGasUsed);
    await check({ tx, rules, outcome, recorder, before, after: state });
    expect([outcome.gasUsed, shown(outcome.logs), shown(state.computeStateRoot())]).toEqual(plain[index]);
  }
}

/** All checks of this file. */
export async function checkTransaction(traced: TracedTransaction): Promise<void> {
  listTheSameOperations(traced);
  leadFromUsedToUsed(traced);
  holdTheSameFrames(traced);
  addUpToTheReceipt(traced);
  await leadFromStateToState(traced);
}

interface Operation {
  readonly pc: number;
  readonly op: string | undefined;
  readonly gas: number;
  readonly depth: number;
}

/** vmTrace and struct logs: the same operations, in the same order, with the same gas, at the same depth. */
export function listTheSameOperations({ recorder }: Pick<TracedTransaction, "recorder">): void {
  const trace = vmTrace(recorder);
  const root = recorder.frames[0];
  const operations = trace && root ? [...operationsOf(recorder, trace, root, 1)] : [];
  const logs = [...new StructLogs(recorder, { disableStack: true })].filter((_, step) => isListed(recorder, step));
  expect(operations).toEqual(logs.map(({ pc, op, gas, depth }) => ({ pc, op, gas, depth })));
}

/** Gas before an operation is what the one before it left. */
function* operationsOf(recorder: Recorder, trace: VmTrace, frame: CallFrame, depth: number): Generator<Operation> {
  let gas = Number(frame.gas);
  const children = startedChildren(recorder, frame);
  for (const { pc, op, ex, sub } of trace.ops) {
    yield { pc, op, gas, depth };
    if (sub !== null) yield* operationsOf(recorder, sub, children.next().value as CallFrame, depth + 1);
    if (ex !== null) gas = ex.used;
  }
}

function* startedChildren({ frames }: Recorder, frame: CallFrame): Generator<CallFrame, undefined> {
  for (const index of frame.children) {
    const child = frames[index];
    if (child?.isStarted === true) yield child;
  }
}

/** vmTrace leaves out what was not dispatched, and the STOP behind the end of code. */
function isListed(recorder: Recorder, step: number): boolean {
  if (recorder.steps === undefined) return false;
  const { pc, frame, outcome } = stepAt(recorder, step);
  return pc < (recorder.frames[frame]?.code.length ?? 0) && outcome < StepOutcome.undefinedOpcode;
}

/** `used` of a vmTrace: what was left before, less the cost, and after a call with what the child left. */
export function leadFromUsedToUsed({ recorder }: Pick<TracedTransaction, "recorder">): void {
  const trace = vmTrace(recorder);
  const root = recorder.frames[0];
  if (trace !== undefined && root !== undefined) checkUsed(recorder, trace, root);
}

function checkUsed(recorder: Recorder, trace: VmTrace, frame: CallFrame): void {
  let left = Number(frame.gas);
  const children = frame.children.values();
  for (const { ex, cost, sub, op } of trace.ops) {
    const isCall = /^(?:CALL|CALLCODE|DELEGATECALL|STATICCALL|CREATE2?)$/.test(op ?? "");
    const child = isCall && ex !== null ? recorder.frames[children.next().value ?? -1] : undefined;
    // A call that never started gives back all that it was to have, the stipend included.
    const back = child === undefined ? 0 : Number(child.isStarted ? child.gas - child.gasUsed : child.gas);
    if (ex !== null) expect(ex.used).toBe(left - cost + back);
    left = ex?.used ?? left;
    if (sub !== null) checkUsed(recorder, sub, child as CallFrame);
  }
}

interface Frame {
  readonly type: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly value: unknown;
  readonly gas: unknown;
  readonly input: unknown;
  readonly failed: boolean;
  readonly gasUsed: unknown;
  readonly output: unknown;
}

/** Flat traces, with what clients hide, and the call tree: the same frames with the same members. */
export function holdTheSameFrames({ recorder }: Pick<TracedTransaction, "recorder">): void {
  const root = recorder.frames[0];
  if (root === undefined) return;
  const tree = atOnce(callTrace(recorder, { gasLimit: root.gas, gasUsed: root.gasUsed }));
  const flat = [...flatTraces(recorder, "reth", { includePrecompiles: true })];
  // Frontier's creations that could not pay for their code: geth shows what they returned, flat traces the empty code.
  const undeposited = new Set(recorder.frames.map((frame) => frame.undeposited));
  expect(flat.map(frameOfFlat)).toEqual(tree === undefined ? [] : [...framesOfTree(tree, undeposited)]);
  expect(flat.map(({ traceAddress }) => traceAddress.join())).toEqual(tree === undefined ? [] : [...pathsOfTree(tree)]);
}

function frameOfFlat(trace: FlatTrace): Frame {
  const failed = trace.error !== undefined;
  if (trace.type === "suicide") {
    const { address, refundAddress, balance } = trace.action;
    const base = { type: "SELFDESTRUCT", from: address, to: refundAddress, value: balance };
    return shown({ ...base, gas: 0n, input: EMPTY_BYTES, failed, gasUsed: 0n, output: EMPTY_BYTES }) as Frame;
  }
  if (trace.type === "create") {
    const { creationMethod, from, value, gas, init } = trace.action;
    const type = creationMethod?.toUpperCase() ?? "";
    const to = failed ? "none" : trace.result?.address;
    const rest = { gasUsed: trace.result?.gasUsed, output: trace.result?.code };
    return shown({ type, from, to, value, gas, input: init, failed, ...unlessHalted(trace, rest) }) as Frame;
  }
  if (trace.type !== "call") throw new Error(`no frame: ${trace.type}`);
  const { callType, from, to, value, gas, input } = trace.action;
  const rest = { gasUsed: trace.result?.gasUsed, output: trace.result?.output };
  const base = { type: callType.toUpperCase(), from, to, value, gas, input, failed };
  return shown({ ...base, ...unlessHalted(trace, rest) }) as Frame;
}

/** Flat traces tell gas and output of what ended well or reverted. */
function unlessHalted(trace: FlatTrace, rest: { gasUsed: unknown; output: unknown }): object {
  return trace.result === null ? { gasUsed: "halted", output: "halted" } : rest;
}

function* framesOfTree(frame: GethCallFrame, undeposited: ReadonlySet<unknown>): Generator<Frame> {
  const { type, from, to, value, gas, gasUsed, input, error } = frame;
  const output = undeposited.has(frame.output) ? EMPTY_BYTES : frame.output;
  const creates = type.startsWith("CREATE");
  const hasHalted = error !== undefined && error !== "execution reverted";
  yield shown({
    type,
    from,
    to: creates && error !== undefined ? "none" : to,
    value: value ?? 0n,
    gas,
    input,
    failed: error !== undefined,
    gasUsed: hasHalted ? "halted" : gasUsed,
    output: hasHalted ? "halted" : (output ?? EMPTY_BYTES),
  }) as Frame;
  for (const call of frame.calls ?? []) yield* framesOfTree(call, undeposited);
}

function* pathsOfTree(frame: GethCallFrame, path: readonly number[] = []): Generator<string> {
  yield path.join();
  for (const [index, call] of (frame.calls ?? []).entries()) yield* pathsOfTree(call, [...path, index]);
}

/** Gas in the receipt: intrinsic gas plus gas of the outermost frame, less the refund, at least the floor. */
export function addUpToTheReceipt({ tx, rules, outcome, recorder }: TracedTransaction): void {
  const root = recorder.frames[0];
  if (root === undefined || tx.authorizations.length > 0) return;
  const intrinsic = intrinsicGas(tx, rules);
  expect(root.gas).toBe(tx.gasLimit - intrinsic);
  const used = intrinsic + root.gasUsed;
  let last: StructLog | undefined;
  for (const log of new StructLogs(recorder, { disableStack: true })) last = log;
  const refunds = root.error === undefined ? BigInt(last?.refund ?? 0) : 0n;
  const cap = used / rules.maxRefundQuotient;
  const charged = used - (refunds < cap ? refunds : cap);
  const floor = floorGas(tx, rules);
  expect(outcome.gasUsed).toBe(charged > floor ? charged : floor);
}

/** stateDiff, applied to the state before, gives the state after. */
export async function leadFromStateToState({ rules, before, after, recorder }: TracedTransaction): Promise<void> {
  const changes = after.transactionChanges();
  const codes = new Map<string, Bytes>();
  for (const account of changes.flatMap((change) => [change.before, change.after])) {
    if (account !== undefined) codes.set(bytesKey(account.codeHash), await after.getCode(account.codeHash));
    // Before EIP-161 an empty account is something, and the format has no words for it.
    const isEmpty = account?.nonce === 0n && account.balance === 0n && bytesKey(account.codeHash) === NO_CODE;
    if (isEmpty && !rules.has(161)) return;
  }
  const codeOf = (codeHash: Bytes): Bytes => codes.get(bytesKey(codeHash)) ?? EMPTY_BYTES;
  const diff = stateDiff({ changes, codeOf, created: recorder.frames.flatMap(createdBy) });
  await applyDiff(before, diff);
  expect(shown(before.computeStateRoot())).toBe(shown(after.computeStateRoot()));
}

const NO_CODE = bytesKey(EMPTY_CODE_HASH);

const createdBy = ({ kind, to }: CallFrame): Bytes[] => (isCreation(kind) && to !== undefined ? [to] : []);

async function applyDiff(state: WorkingState, diff: StateDiff): Promise<void> {
  for (const { address, balance, nonce, code, storage } of diff) {
    if (isGone(balance)) {
      state.apply({ writes: [{ ...NO_ACCOUNT, address, isDeleted: true }] });
      continue;
    }
    const was = await state.getAccount(address);
    const account = was ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH, storageRoot: EMPTY_TRIE_ROOT };
    state.putAccount(address, {
      ...account,
      nonce: applied(nonce, account.nonce),
      balance: applied(balance, account.balance),
    });
    const newCode = applied(code, undefined);
    if (newCode !== undefined) {
      await state.putCode(address, newCode);
      expect(shown((await state.getAccount(address))?.codeHash)).toBe(shown(keccak256(newCode)));
    }
    for (const { slot, delta } of storage) state.putStorage(address, slot, withoutZeros(applied(delta, EMPTY_BYTES)));
  }
}

const NO_ACCOUNT = {
  wipesStorage: true,
  nonce: 0n,
  balance: 0n,
  codeHash: EMPTY_CODE_HASH,
  code: undefined,
  slots: [],
};

const isGone = (delta: Delta<unknown>): boolean => typeof delta === "object" && "-" in delta;

function applied<Value, Old>(delta: Delta<Value>, old: Old): Value | Old {
  if (delta === "=") return old;
  if ("+" in delta) return delta["+"];
  return "*" in delta ? delta["*"].to : old;
}

function withoutZeros(word: Bytes): Bytes {
  const start = word.findIndex((byte) => byte !== 0);
  return start === -1 ? EMPTY_BYTES : word.slice(start);
}

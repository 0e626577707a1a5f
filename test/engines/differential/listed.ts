/**
 * The members that docs/engines.md lists: in the situations that are listed there, and nowhere else, what EthereumJS'
 * engine recorded is replaced by what ours did. All formats are then compared to the letter.
 */
import { type Hardfork, isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { type FailureDetail, type FrameError, isCreation, StepOutcome } from "../../../src/evm/frames.ts";
import { isDup, isPush, isSwap, Op, startsFrame } from "../../../src/evm/opcodes.ts";
import { FLAG_WORD, STEP_BYTES, STEP_WORDS, StepBuffer, StepByte, StepWord } from "../../../src/evm/step-buffer.ts";
import type { TransactionOutcome } from "../../../src/executor/run-transaction.ts";
import type { CallFrame, Recording } from "../../../src/tracer/recording.ts";

/** Operations that EthereumJS refuses before it knows their price. */
const REFUSED_UNPRICED: ReadonlySet<number> = new Set([
  ...[Op.CALL, Op.CALLCODE, Op.DELEGATECALL, Op.STATICCALL, Op.CREATE, Op.CREATE2],
  ...[Op.SSTORE, Op.SELFDESTRUCT, Op.RETURNDATACOPY, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
]);
/** Operations that a static frame forbids. */
const CHANGES_STATE: ReadonlySet<number> = new Set(
  [...REFUSED_UNPRICED].filter((opcode) => ![Op.CALLCODE, Op.DELEGATECALL, Op.STATICCALL].includes(opcode as 0xf2)),
);
/** Outcomes of failed operations, dispatched or not. */
const REFUSED: ReadonlySet<StepOutcome> = new Set([StepOutcome.outOfGas, StepOutcome.failed, StepOutcome.uncomputable]);

/** An engine's result of a transaction. */
export interface Made {
  readonly outcome: TransactionOutcome;
  readonly recording: Recording;
}

/** The fault of EthereumJS that shows in a transaction, after which nothing can be compared; undefined for none. */
export function faultIn({ frames }: Recording, hardfork: Hardfork): string | undefined {
  for (const { kind, input, error, output } of frames) {
    if (!isCreation(kind)) continue;
    if (input[0] === 0xef && input[1] === 0x00) return "init code that begins with 0xef00";
    const isReverted = error === "reverted" && output[0] === 0xef;
    if (isReverted && isAtLeast(hardfork, "london")) return "init code that reverts with 0xef";
  }
  return undefined;
}

/** EthereumJS' recording with the listed members replaced, and the names of the situations that were met. */
export function withListedMembers(wasm: Made, other: Made): Made & { readonly listed: readonly string[] } {
  const listed: string[] = [];
  const steps = patchedSteps(wasm.recording, other.recording, listed);
  const lastOpcodes = lastOpcodesOf(wasm.recording);
  const frames = other.recording.frames.map((frame, index) => {
    const own = wasm.recording.frames[index];
    return own === undefined ? frame : patchedFrame(own, frame, lastOpcodes.get(index), listed);
  });
  const { error, detail } = patchedFailure(wasm.outcome, other.outcome, lastOpcodes.get(0), []);
  const recording = { frames, steps, accesses: other.recording.accesses };
  return { recording, outcome: { ...other.outcome, error, detail }, listed };
}

interface Failed {
  readonly error: FrameError | undefined;
  readonly detail: FailureDetail | undefined;
}

function patchedFrame(own: CallFrame, frame: CallFrame, opcode: number | undefined, listed: string[]): CallFrame {
  return { ...frame, ...patchedFailure(own, frame, opcode, listed) };
}

/** @param opcode - the last operation of the frame */
function patchedFailure(own: Failed, other: Failed, opcode: number | undefined, listed: string[]): Failed {
  const name = listedFailure(own, other, opcode);
  if (name === undefined) return { error: other.error, detail: other.detail };
  listed.push(name);
  return { error: own.error, detail: own.detail };
}

function listedFailure(own: Failed, other: Failed, opcode: number | undefined): string | undefined {
  if (own.error === "precompileFailed" && other.error === own.error && other.detail === undefined) {
    return own.detail === undefined ? undefined : "what a precompile refuses";
  }
  const isTooLong = own.detail !== undefined && "fault" in own.detail && own.detail.fault === "modexpLength";
  if (isTooLong && other.error === "outOfGas") return "modexp of more than 1,024 bytes";
  if (own.error !== "outOfGas") return undefined;
  if (other.error === "precompileFailed") return "unpaid precompile that refuses its input";
  if (opcode === undefined) return undefined;
  const cause = own.detail !== undefined && "cause" in own.detail ? own.detail.cause : undefined;
  if (other.error === "staticStateChange" && CHANGES_STATE.has(opcode)) return "unpaid in a static frame";
  if (other.error === "outOfBounds" && opcode === Op.RETURNDATACOPY) return "unpaid and out of bounds";
  const isAbsurd = cause === "memoryOverflow" || cause === "gasOverflow";
  return other.error === "outOfGas" && isAbsurd ? "absurd region of memory" : undefined;
}

/** A step in its buffer. */
interface Row {
  readonly steps: StepBuffer;
  readonly row: number;
}

function rowsOf({ steps }: Recording): Row[] {
  const rows: Row[] = [];
  for (const buffer of steps ?? []) {
    if (buffer instanceof Promise) throw new TypeError("rowsOf: the steps have to be waited for");
    for (let row = 0; row < buffer.length; row++) rows.push({ steps: buffer, row });
  }
  return rows;
}

function lastOpcodesOf(recording: Recording): ReadonlyMap<number, number> {
  return new Map(rowsOf(recording).map(({ steps, row }) => [steps.frame(row), steps.opcode(row)]));
}

function patchedSteps(wasm: Recording, other: Recording, listed: string[]): readonly StepBuffer[] {
  const copies = [...(other.steps ?? [])].map((buffer) => {
    if (buffer instanceof Promise) throw new TypeError("patchedSteps: the steps have to be waited for");
    return new StepBuffer(buffer.first, buffer.bytes.slice(), buffer.writes);
  });
  const own = rowsOf(wasm);
  const others = rowsOf({ ...other, steps: copies });
  if (own.length !== others.length) return copies;
  /** The last step so far of each frame. */
  const latest = new Map<number, number>();
  own.forEach((row, index) => {
    const frame = row.steps.frame(row.row);
    const name = patchStep(row, others[index] as Row);
    if (name !== undefined) listed.push(name);
    const before = latest.get(frame);
    if (before !== undefined && isUnheardRevert(row, own[before] as Row)) {
      patchRevert([own[before] as Row, row], [others[before] as Row, others[index] as Row]);
      listed.push("REVERT that is not heard");
    }
    latest.set(frame, index);
  });
  return copies;
}

/** Replaces the price of an operation that was refused. Gives the name of the situation. */
function patchStep(own: Row, other: Row): string | undefined {
  const outcome = own.steps.outcome(own.row);
  const opcode = own.steps.opcode(own.row);
  if (!REFUSED.has(outcome) || !REFUSED.has(other.steps.outcome(other.row))) return undefined;
  const isAbsurd = outcome === StepOutcome.uncomputable && other.steps.cost(other.row) > 2 ** 54;
  if (!REFUSED_UNPRICED.has(opcode) && !isAbsurd && opcode !== Op.REVERT) return undefined;
  for (const place of [StepWord.cost, StepWord.forwarded, StepWord.refund]) copyNumber(own, other, place);
  other.steps.bytes[other.row * STEP_BYTES + StepByte.outcome] = outcome;
  return isAbsurd ? "price of an absurd region" : "price of a refused operation";
}

/** A REVERT that EthereumJS is not listened to at: behind anything but PUSH, DUP and SWAP, or of more than 64 MiB. */
function isUnheardRevert({ steps, row }: Row, before: Row): boolean {
  if (steps.opcode(row) !== Op.REVERT) return false;
  const opcode = before.steps.opcode(before.row);
  return !(isPush(opcode) || isDup(opcode) || isSwap(opcode)) || steps.outcome(row) !== StepOutcome.done;
}

/** Replaces the result of the operation before, and the memory and the refunds that a REVERT found. */
function patchRevert([ownBefore, own]: readonly [Row, Row], [before, other]: readonly [Row, Row]): void {
  const at = other.row * STEP_WORDS + StepWord.memoryBytes;
  other.steps.words[at] = own.steps.memoryBytes(own.row);
  if (startsFrame(ownBefore.steps.opcode(ownBefore.row))) copyNumber(own, other, StepWord.refund);
  if (!ownBefore.steps.hasWord(ownBefore.row) || before.steps.hasWord(before.row)) return;
  const start = ownBefore.row * STEP_BYTES + StepByte.word;
  before.steps.bytes.set(ownBefore.steps.bytes.subarray(start, start + 32), before.row * STEP_BYTES + StepByte.word);
  const flags = before.row * STEP_BYTES + StepByte.flags;
  before.steps.bytes[flags] = (before.steps.bytes[flags] as number) | FLAG_WORD;
}

function copyNumber(own: Row, other: Row, place: number): void {
  for (const part of [0, 1]) {
    other.steps.words[other.row * STEP_WORDS + place + part] = own.steps.words[
      own.row * STEP_WORDS + place + part
    ] as number;
  }
}

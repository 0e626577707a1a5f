/** Lists all SSTORE and TSTORE operations of a recording in order, and the inputs of all KECCAK256 operations. */
import { FrameKind, isCreation, StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { Steps } from "../../primitives/platform/turns.ts";
import type { CallFrame, Recording } from "../../tracer/recording.ts";
import { FrameMachine } from "../../tracer/replay.ts";
import { StepTable } from "../../tracer/step-table.ts";
import type { ContractFinder, FoundContract } from "../source/contract-finder.ts";
import { functionAround, isSameRange, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import type { InstructionMap } from "../source/source-map.ts";
import { selectedFunction, walkedCode } from "../stack/called-function.ts";
import { Execution, OPERATIONS_OF_STEP } from "../stack/execution.ts";

/** A write to storage. */
export interface StorageWrite {
  /** Account whose storage is written. */
  readonly account: Bytes;
  readonly slot: bigint;
  readonly value: bigint;
  readonly isTransient: boolean;
  /** True if the frame, or one that contains it, failed. */
  readonly isUndone: boolean;
  /** Index of the first step at which the write is undone; infinite if it is not undone. */
  readonly undoneAt: number;
  readonly frame: CallFrame;
  /** Index of the step. */
  readonly step: number;
  /** The contract whose code contains the instruction. */
  readonly found: FoundContract | undefined;
  /** The function that wrote; undefined outside of functions. */
  readonly definition: SourceFunction | undefined;
  /** Source range of the instruction, or of the last one before it that has a range in the function. */
  readonly range: SourceRange | undefined;
  /** True if the source map does not show exactly which function wrote. */
  readonly isApproximate: boolean;
}

/** The parts of a recording that give names to slots. */
export interface WritesOfRecording {
  /** In order of execution. */
  readonly writes: readonly StorageWrite[];
  /** Inputs of KECCAK256, by hash. */
  readonly preimages: ReadonlyMap<bigint, Bytes>;
  /** Contracts whose code ran with each account's storage, by the account's key. */
  readonly contracts: ReadonlyMap<string, readonly FoundContract[]>;
  /** For each account that is a proxy: the contract whose functions it has, by the account's key. */
  readonly implementations: ReadonlyMap<string, FoundContract>;
}

const NO_INSTRUCTIONS: InstructionMap = new Map();
/** Longest KECCAK256 input in bytes that is noted. Keys of mappings are shorter. */
const LONGEST_PREIMAGE = 8_192n;

/** @param recording - made with steps and with what they wrote to memory */
export function* readWrites({ frames, steps }: Recording, finder: ContractFinder): Steps<WritesOfRecording> {
  const preimages = new Map<bigint, Bytes>();
  const contracts = new Map<string, FoundContract[]>();
  const implementations = new Map<string, FoundContract>();
  const writes: StorageWrite[] = [];
  if (!(steps instanceof StepTable)) return { writes, preimages, contracts, implementations };
  const find = ({ kind, input, code }: CallFrame): FoundContract | undefined =>
    isCreation(kind) ? finder.findCreation(input) : finder.findRuntime(code);
  // By frame index: end of the outermost failed frame that contains it; undefined if none failed.
  const undone: (number | undefined)[] = [];
  for (const frame of frames) {
    undone[frame.index] = frame.error === undefined ? undone[frame.parent] : frame.stepEnd;
    if (!frame.isStarted || frame.account === undefined) continue;
    const found = find(frame);
    if (found !== undefined) addContract(contracts, frame.account, found);
    const key = bytesKey(frame.account);
    const caller = frames[frame.parent];
    if (
      found !== undefined &&
      caller !== undefined &&
      !implementations.has(key) &&
      isOfProxy(frame, caller, find(caller))
    )
      implementations.set(key, found);
    const walked = found && walkedCode(frame, found);
    const instructions = found?.code.instructions ?? NO_INSTRUCTIONS;
    const execution = yield* Execution.read(frame, { frames, steps }, instructions, walked);
    const { account, index } = frame;
    const undoneAt = undone[index] ?? Number.POSITIVE_INFINITY;
    const common = { account, isUndone: undone[index] !== undefined, undoneAt, frame, found };
    for (const write of yield* writesOfFrame(execution, preimages, found)) writes.push({ ...write, ...common });
    yield;
  }
  return { writes: writes.sort((left, right) => left.step - right.step), preimages, contracts, implementations };
}

/**
 * True for a DELEGATECALL by code that has no function for its call data: a constructor, or the fallback function of a
 * proxy. A contract that calls a library has one.
 */
function isOfProxy({ kind }: CallFrame, caller: CallFrame, found: FoundContract | undefined): boolean {
  if (kind !== FrameKind.delegateCall) return false;
  return isCreation(caller.kind) || found === undefined || selectedFunction(found.contract, caller.input) === undefined;
}

function addContract(contracts: Map<string, FoundContract[]>, account: Bytes, found: FoundContract): void {
  const key = bytesKey(account);
  const known = contracts.get(key) ?? [];
  if (!known.some(({ code }) => code === found.code)) known.push(found);
  contracts.set(key, known);
}

type FrameWrite = Pick<StorageWrite, "slot" | "value" | "isTransient" | "step"> & WrittenAt;
type WrittenAt = Pick<StorageWrite, "definition" | "range" | "isApproximate">;

function* writesOfFrame(
  execution: Execution,
  preimages: Map<bigint, Bytes>,
  found: FoundContract | undefined,
): Steps<readonly FrameWrite[]> {
  const machine = new FrameMachine(execution.frame);
  const writes: FrameWrite[] = [];
  for (let index = 0; index < execution.length; index++) {
    const { steps, row } = execution.stepAt(index);
    const opcode = steps.opcode(row);
    const isDone = steps.outcome(row) === StepOutcome.done;
    if (isDone && opcode === Op.KECCAK256) {
      const length = machine.operand(1);
      if (length <= LONGEST_PREIMAGE) {
        preimages.set(steps.word(row), machine.readMemory(Number(machine.operand(0)), Number(length)));
      }
    } else if (isDone && (opcode === Op.SSTORE || opcode === Op.TSTORE)) {
      writes.push({
        slot: machine.operand(0),
        value: machine.operand(1),
        isTransient: opcode === Op.TSTORE,
        step: steps.first + row,
        ...writtenAt(execution, index, found),
      });
    }
    machine.apply(steps, row, execution.children.get(index));
    if (index % OPERATIONS_OF_STEP === 0) yield;
  }
  return writes;
}

/** The active function, and its last range. The optimizer may give an instruction the range of another function. */
function writtenAt(execution: Execution, index: number, found: FoundContract | undefined): WrittenAt {
  const { definition, isCertain = true } = execution.activation(index) ?? {};
  if (definition === undefined) {
    const isInFunction = (each: SourceRange): boolean => functionAround(each) !== undefined;
    const { range } = execution.at(index) ?? {};
    // Other code outside of functions may be that of any function.
    const isInitial = range !== undefined && found?.contract.calls().isInitialValue(range) === true;
    return { definition, range: execution.lastRange(index, isInFunction), isApproximate: !isInitial };
  }
  const isOwn = (each: SourceRange): boolean => functionAround(each) === definition;
  const { range } = execution.at(index) ?? {};
  const isExact = range !== undefined && isOwn(range) && !isSameRange(range, definition.range);
  return {
    definition,
    range: isExact ? range : (execution.lastRange(index, isOwn) ?? definition.range),
    isApproximate: !isCertain || !isExact,
  };
}

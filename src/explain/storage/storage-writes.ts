/** Every SSTORE and TSTORE of a recording in order, with what was hashed while it ran. */
import { isCreation, StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";
import type { CallFrame, Recording } from "../../tracer/recording.ts";
import { FrameMachine } from "../../tracer/replay.ts";
import { StepTable } from "../../tracer/step-table.ts";
import type { ContractFinder, FoundContract } from "../source/contract-finder.ts";
import type { SourceRange } from "../source/source-file.ts";
import type { InstructionMap } from "../source/source-map.ts";
import { Execution } from "../stack/execution.ts";

/** A write to storage. */
export interface StorageWrite {
  /** Whose storage. */
  readonly account: Bytes;
  readonly slot: bigint;
  readonly value: bigint;
  readonly isTransient: boolean;
  /** The frame, or one around it, failed. */
  readonly isUndone: boolean;
  /** Number of the step from which on it is undone; meaningful where it is. */
  readonly undoneAt: number;
  readonly frame: CallFrame;
  /** Number of the step. */
  readonly step: number;
  /** The contract whose code wrote. */
  readonly found: FoundContract | undefined;
  /** Where in the source; the nearest place before it where the instruction has none. */
  readonly range: SourceRange | undefined;
}

export interface WritesOfRecording {
  /** In the order in which they were made. */
  readonly writes: readonly StorageWrite[];
  /** By hash. */
  readonly preimages: ReadonlyMap<bigint, Bytes>;
  /** Contracts whose code ran on the storage of each account, by the account's key. */
  readonly contracts: ReadonlyMap<string, readonly FoundContract[]>;
}

const NO_INSTRUCTIONS: InstructionMap = new Map();
/** Longer inputs are no keys of mappings. */
const LONGEST_PREIMAGE = 8_192n;

/** @param recording - made with steps and what they wrote to memory */
export function readWrites({ frames, steps }: Recording, finder: ContractFinder): WritesOfRecording {
  const preimages = new Map<bigint, Bytes>();
  const contracts = new Map<string, FoundContract[]>();
  const writes: StorageWrite[] = [];
  if (!(steps instanceof StepTable)) return { writes, preimages, contracts };
  /** By frame: where the outermost failure that it is part of ends. */
  const undone: (number | undefined)[] = [];
  for (const frame of frames) {
    undone[frame.index] = frame.error === undefined ? undone[frame.parent] : frame.stepEnd;
    if (!frame.isStarted || frame.account === undefined) continue;
    const found = isCreation(frame.kind) ? finder.findCreation(frame.input) : finder.findRuntime(frame.code);
    if (found !== undefined) addContract(contracts, frame.account, found);
    const execution = new Execution(frame, { frames, steps }, found?.code.instructions ?? NO_INSTRUCTIONS);
    writes.push(
      ...writesOfFrame(execution, preimages).map((write) => ({
        ...write,
        account: frame.account as Bytes,
        isUndone: undone[frame.index] !== undefined,
        undoneAt: undone[frame.index] ?? Number.POSITIVE_INFINITY,
        frame,
        found,
      })),
    );
  }
  return { writes: writes.sort((left, right) => left.step - right.step), preimages, contracts };
}

function addContract(contracts: Map<string, FoundContract[]>, account: Bytes, found: FoundContract): void {
  const key = bytesKey(account);
  const known = contracts.get(key) ?? [];
  if (!known.some(({ code }) => code === found.code)) known.push(found);
  contracts.set(key, known);
}

type FrameWrite = Pick<StorageWrite, "slot" | "value" | "isTransient" | "step" | "range">;

function writesOfFrame(execution: Execution, preimages: Map<bigint, Bytes>): readonly FrameWrite[] {
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
        range: execution.lastRange(index, ({ file, start, end }) => file.functionAt(start, end) !== undefined),
      });
    }
    machine.apply(steps, row, execution.children.get(index));
  }
  return writes;
}

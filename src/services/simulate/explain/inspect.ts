/** What somebody who looks at a mined transaction asks for, part by part: its calls, its changes, its steps. */

import type { BlockId } from "../../../chain/archive/block-id.ts";
import { InvalidParamsError, LimitError } from "../../../errors/hindcast-error.ts";
import { isCreation } from "../../../evm/frames.ts";
import type { StepBuffer } from "../../../evm/step-buffer.ts";
import type { AbiRegistry, Contract } from "../../../explain/abi/registry.ts";
import { type DescribedCall, describeCalls } from "../../../explain/render/call-list.ts";
import type { ContractFinder, FoundContract } from "../../../explain/source/contract-finder.ts";
import type { SourceRange } from "../../../explain/source/source-file.ts";
import type { BlockViews } from "../../../miner/block-views.ts";
import { type Bytes, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { machineAt } from "../../../tracer/inspect/machine-at.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import type { FrameMachine } from "../../../tracer/replay.ts";
import type { StepTable } from "../../../tracer/step-table.ts";
import type { TraceBounds } from "../debug/options.ts";
import type { KeptRecording, KeptRecordings, StorageChange } from "./kept-recordings.ts";

/** A part of a list: where it begins, and how many at most. */
export interface Part {
  readonly from: number;
  readonly count: number;
}

/** Some of the calls of a transaction. */
export interface CallPart {
  readonly kept: KeptRecording;
  /** Steps of the transaction; undefined where they were too many to keep. */
  readonly steps: number | undefined;
  readonly calls: readonly DescribedCall[];
  /** Storage that these calls changed, in order; undefined where steps were too many to keep. */
  readonly storage: readonly StorageChange[] | undefined;
}

/** An operation in a list. */
export interface ListedStep {
  readonly number: number;
  readonly steps: StepBuffer;
  readonly row: number;
  readonly frame: CallFrame;
  /** Where it stands in the source; undefined where none is known. */
  readonly range: SourceRange | undefined;
}

export interface StepPart {
  readonly total: number;
  readonly steps: readonly ListedStep[];
}

/** An operation with the machine as it was before it. */
export interface InspectedStep extends ListedStep {
  readonly total: number;
  readonly machine: FrameMachine;
  /** Storage of its account that the transaction had changed until then: the newest value of each slot. */
  readonly storage: readonly { readonly slot: bigint; readonly value: bigint }[];
}

export interface InspectorParts {
  readonly recordings: KeptRecordings;
  readonly views: BlockViews;
  readonly abi: AbiRegistry;
}

export class Inspector {
  readonly #parts: InspectorParts;

  constructor(parts: InspectorParts) {
    this.#parts = parts;
  }

  /**
   * The calls of a mined transaction with names, and what each changed.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} when time is up, the recording too large, or the caller aborted
   */
  async calls(txHash: Bytes, { from, count }: Part, bounds: TraceBounds = {}): Promise<CallPart> {
    const kept = await this.#parts.recordings.get(txHash, bounds);
    const { recording, storage } = kept;
    const calls = describeCalls(recording, this.#parts.abi, { from, count });
    const isShown = ({ frame }: StorageChange): boolean => frame.index >= from && frame.index < from + count;
    return { kept, steps: recording.steps?.length, calls, storage: storage?.filter(isShown) };
  }

  /**
   * Some of a transaction's steps.
   *
   * @param opcode - of which operations alone; default all
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} `RESULT_LIMIT` where steps are too many to keep; and as {@link calls}
   */
  async steps(txHash: Bytes, part: Part & { readonly opcode?: number | undefined }, bounds: TraceBounds = {}) {
    const { recording, steps } = await this.#recorded(txHash, bounds);
    const rangeOf = rangeFinder(await this.#contracts());
    const list: ListedStep[] = [];
    for (let number = part.from; number < steps.length && list.length < part.count; number++) {
      const buffer = steps.bufferOf(number);
      if (part.opcode !== undefined && buffer.opcode(number - buffer.first) !== part.opcode) continue;
      list.push(listed(number, buffer, recording.frames, rangeOf));
    }
    return { total: steps.length, steps: list } satisfies StepPart;
  }

  /**
   * One step with stack, memory and storage as they were before it.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` for a step that there is not
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} as {@link steps}
   */
  async step(txHash: Bytes, number: number, bounds: TraceBounds = {}): Promise<InspectedStep> {
    const { recording, steps, storage } = await this.#recorded(txHash, bounds);
    if (number >= steps.length) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `There is no step ${number}: the transaction has ${steps.length}, counted from 0.`,
      });
    }
    const { frames } = recording;
    const step = listed(number, steps.bufferOf(number), frames, rangeFinder(await this.#contracts()));
    const machine = machineAt({ frames, steps }, number);
    return { ...step, total: steps.length, machine, storage: storageAt(step, storage ?? []) };
  }

  /** The contract at an address and the items of its ABI; undefined for a stranger. */
  async contract(address: Bytes, id: BlockId): Promise<Contract | undefined> {
    const state = (await this.#parts.views.require(id)).state();
    const account = await state.getAccount(address);
    if (account === undefined) return undefined;
    return this.#parts.abi.contractAt(address, await state.getCode(account.codeHash));
  }

  async #recorded(txHash: Bytes, bounds: TraceBounds): Promise<KeptRecording & { readonly steps: StepTable }> {
    const kept = await this.#parts.recordings.get(txHash, bounds);
    const { steps } = kept.recording;
    if (steps !== undefined) return { ...kept, steps };
    throw new LimitError({
      code: "RESULT_LIMIT",
      what: "The transaction has more steps than are kept.",
      fix: "Read them with debug_traceTransaction, which writes them as they come.",
    });
  }

  #contracts(): Promise<ContractFinder> {
    return this.#parts.abi.builds.contracts();
  }
}

type RangeFinder = (frame: CallFrame, pc: number) => SourceRange | undefined;

/** Looks up each code once: calls of one code share its array. */
function rangeFinder(contracts: ContractFinder): RangeFinder {
  const found = new Map<Bytes, FoundContract | undefined>();
  return ({ kind, code }, pc) => {
    if (!found.has(code))
      found.set(code, isCreation(kind) ? contracts.findCreation(code) : contracts.findRuntime(code));
    return found.get(code)?.code.instructions.get(pc)?.range;
  };
}

function listed(number: number, steps: StepBuffer, frames: readonly CallFrame[], rangeOf: RangeFinder): ListedStep {
  const row = number - steps.first;
  const frame = frames[steps.frame(row)] as CallFrame;
  return { number, steps, row, frame, range: rangeOf(frame, steps.pc(row)) };
}

/** The newest values that were written before a step and are not undone yet. */
function storageAt({ number, frame }: ListedStep, changes: readonly StorageChange[]): InspectedStep["storage"] {
  const values = new Map<bigint, bigint>();
  for (const { step, account, slot, value, goneAt } of changes) {
    const isThere = step < number && (goneAt === undefined || goneAt > number);
    if (isThere && frame.account !== undefined && equalBytes(account, frame.account)) values.set(slot, value);
  }
  return Array.from(values, ([slot, value]) => ({ slot, value }));
}

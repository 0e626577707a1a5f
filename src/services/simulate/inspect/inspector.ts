/** Answers the explorer's requests about a mined transaction: its calls, its changes and its steps, in parts. */

import type { BlockViews } from "../../../chain/block-views.ts";
import type { BlockId } from "../../../chain/blocks/block-id.ts";
import { InvalidParamsError } from "../../../errors/hindcast-error.ts";
import { FrameKind, isCreation } from "../../../evm/frames.ts";
import type { StateReader } from "../../../evm/state-port.ts";
import type { StepBuffer } from "../../../evm/step-buffer.ts";
import type { Contract } from "../../../explain/abi/contract.ts";
import { implementationOf } from "../../../explain/abi/minimal-proxy.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { type DescribedCall, describeCalls } from "../../../explain/render/call-list.ts";
import type { ContractFinder, FoundContract } from "../../../explain/source/contract-finder.ts";
import type { SourceRange } from "../../../explain/source/source-file.ts";
import { AccountVariables, type ChangedVariable } from "../../../explain/storage/account-variables.ts";
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { inTurns } from "../../../primitives/platform/turns.ts";
import type { CallFrame } from "../../../tracer/recording.ts";
import type { FrameMachine } from "../../../tracer/replay.ts";
import type { TraceBounds } from "../debug/options.ts";
import type { CachedRecording, CachedRecordings, StorageChange } from "./cached-recordings.ts";
import { ClientArtifacts } from "./client-artifacts.ts";

/** A part of a list: the index of the first item, and the most items. */
export interface Part {
  readonly from: number;
  readonly count: number;
}

/** Steps that are asked for. */
export interface StepRequest extends Part {
  /** Lists only the steps of this opcode; default all. */
  readonly opcode?: number | undefined;
}

/** A part of the calls of a transaction. */
export interface CallPart {
  readonly cached: CachedRecording;
  /** Number of steps in the transaction. */
  readonly steps: number;
  readonly calls: readonly DescribedCall[];
  /** Storage that these calls changed, in order. */
  readonly storage: readonly NamedChange[];
}

/** A write to storage with the variables that it changed. */
export interface NamedChange extends StorageChange {
  /** Empty if none is known. */
  readonly variables: readonly ChangedVariable[];
}

/** A step in a list. */
export interface ListedStep {
  readonly number: number;
  readonly steps: StepBuffer;
  readonly row: number;
  readonly frame: CallFrame;
  /** Source range of the instruction; undefined if not known. */
  readonly range: SourceRange | undefined;
}

/** Steps of one part of a list; `total` counts all of the transaction's. */
export interface StepPart {
  readonly total: number;
  readonly steps: readonly ListedStep[];
}

/** A step with the EVM's state before it. */
export interface InspectedStep extends ListedStep {
  readonly total: number;
  readonly machine: FrameMachine;
  /** Slots of the account that the transaction had changed before the step, each with its newest value. */
  readonly storage: readonly { readonly slot: bigint; readonly value: bigint }[];
}

/** Sources of recordings, earlier states and names. */
export interface InspectorParts {
  readonly recordings: CachedRecordings;
  readonly views: BlockViews;
  readonly abi: AbiRegistry;
}

/** Serves `hindcast_getCalls`, `hindcast_getSteps` and similar methods. The explorer calls them, other programs may. */
export class Inspector {
  readonly artifacts: ClientArtifacts;
  readonly #parts: InspectorParts;

  constructor(parts: InspectorParts) {
    this.artifacts = new ClientArtifacts(parts.abi);
    this.#parts = parts;
  }

  /**
   * Lists calls of a mined transaction with names, and the changes that each made.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} at the time limit, if the recording is too large, or if the caller aborts
   */
  async calls(txHash: Bytes, { from, count }: Part, bounds: TraceBounds = {}): Promise<CallPart> {
    const cached = await this.#parts.recordings.get(txHash, bounds);
    const { recording, steps, storage } = cached;
    await this.#parts.abi.refreshFor(recording.frames);
    const calls = await inTurns(describeCalls(recording, this.#parts.abi, { from, count }));
    const variablesOf = await this.#variablesIn(cached);
    const isShown = ({ frame }: StorageChange): boolean => frame.index >= from && frame.index < from + count;
    return { cached, steps: steps.length, calls, storage: storage.filter(isShown).map(variablesOf) };
  }

  /**
   * Lists some of a transaction's steps.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} as {@link calls}
   */
  async steps(txHash: Bytes, part: StepRequest, bounds: TraceBounds = {}): Promise<StepPart> {
    const { recording, steps } = await this.#parts.recordings.get(txHash, bounds);
    const clock = this.#parts.recordings.clock(bounds);
    const rangeOf = rangeFinder(await this.#contractsIn(recording));
    const list: ListedStep[] = [];
    const add = (buffer: StepBuffer, row: number): void =>
      void list.push(listed(buffer, row, recording.frames, rangeOf));
    const { from, count, opcode } = part;
    if (opcode !== undefined) {
      for (const found of await steps.find(opcode, { from, count }, clock)) add(found.steps, found.row);
      return { total: steps.length, steps: list };
    }
    const end = Math.min(steps.length, from + count);
    for (let number = from; number < end; ) {
      const window = await steps.partAt(number, clock);
      for (; number < Math.min(end, window.end); number++) {
        const buffer = window.steps.bufferOf(number);
        add(buffer, number - buffer.first);
      }
    }
    return { total: steps.length, steps: list };
  }

  /**
   * Returns one step with stack, memory and storage before it.
   *
   * @throws {InvalidParamsError} `INVALID_PARAMS` if there is no such step
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   * @throws {LimitError} as {@link steps}
   */
  async step(txHash: Bytes, number: number, bounds: TraceBounds = {}): Promise<InspectedStep> {
    const { recording, steps, storage } = await this.#parts.recordings.get(txHash, bounds);
    if (number >= steps.length) {
      throw new InvalidParamsError({
        code: "INVALID_PARAMS",
        what: `There is no step ${number}: the transaction has ${steps.length}, counted from 0.`,
      });
    }
    const window = await steps.partAt(number, this.#parts.recordings.clock(bounds));
    const buffer = window.steps.bufferOf(number);
    const rangeOf = rangeFinder(await this.#contractsIn(recording));
    const step = listed(buffer, number - buffer.first, recording.frames, rangeOf);
    return { ...step, total: steps.length, machine: window.machineAt(number), storage: storageAt(step, storage) };
  }

  /** The contract at an address with its ABI, of a minimal proxy its implementation; undefined if it is not known. */
  async contract(address: Bytes, id: BlockId): Promise<Contract | undefined> {
    const { abi, views } = this.#parts;
    const state = (await views.require(id)).state();
    const code = await codeAt(state, address);
    if (code === undefined) return undefined;
    const cloned = implementationOf(code);
    const run = { to: cloned ?? address, code: cloned === undefined ? code : await codeAt(state, cloned) };
    await abi.refreshFor([{ kind: FrameKind.call, input: EMPTY_BYTES, ...run, code: run.code ?? EMPTY_BYTES }]);
    return abi.contractAt(address, code) ?? abi.contractAt(run.to, run.code ?? EMPTY_BYTES);
  }

  /** Returns what names the variables of a change. */
  async #variablesIn({ recording, preimages }: CachedRecording): Promise<(change: StorageChange) => NamedChange> {
    const contracts = await this.#contractsIn(recording);
    if (contracts.isEmpty) return (change) => ({ ...change, variables: [] });
    const foundOf = contractFinder(contracts);
    const byAccount = new Map<string, Set<FoundContract>>();
    for (const frame of recording.frames) {
      const found = frame.account === undefined ? undefined : foundOf(frame);
      if (frame.account === undefined || found === undefined) continue;
      const key = bytesKey(frame.account);
      byAccount.set(key, (byAccount.get(key) ?? new Set()).add(found));
    }
    const names = new Map(Array.from(byAccount, ([key, found]) => [key, new AccountVariables([...found], preimages)]));
    return (change) => {
      const { account, slot, before, value } = change;
      return { ...change, variables: names.get(bytesKey(account))?.changed(slot, before, value) ?? [] };
    };
  }

  #contractsIn({ frames }: CachedRecording["recording"]): Promise<ContractFinder> {
    return this.#parts.abi.builds.contractsIn(frames);
  }
}

async function codeAt(state: StateReader, address: Bytes): Promise<Bytes | undefined> {
  const account = await state.getAccount(address);
  return account && state.getCode(account.codeHash);
}

type RangeFinder = (frame: CallFrame, pc: number) => SourceRange | undefined;

/** Finds source ranges. */
function rangeFinder(contracts: ContractFinder): RangeFinder {
  const foundOf = contractFinder(contracts);
  return (frame, pc) => foundOf(frame)?.code.instructions.get(pc)?.range;
}

/** Finds the contracts of frames. It looks up each code array once, because calls of the same code share the array. */
function contractFinder(contracts: ContractFinder): (frame: CallFrame) => FoundContract | undefined {
  const found = new Map<Bytes, FoundContract | undefined>();
  return ({ kind, code }) => {
    if (!found.has(code))
      found.set(code, isCreation(kind) ? contracts.findCreation(code) : contracts.findRuntime(code));
    return found.get(code);
  };
}

function listed(steps: StepBuffer, row: number, frames: readonly CallFrame[], rangeOf: RangeFinder): ListedStep {
  const frame = frames[steps.frame(row)] as CallFrame;
  return { number: steps.first + row, steps, row, frame, range: rangeOf(frame, steps.pc(row)) };
}

/** The newest values that were written before a step and had not been undone by then. */
function storageAt({ number, frame }: ListedStep, changes: readonly StorageChange[]): InspectedStep["storage"] {
  const values = new Map<bigint, bigint>();
  for (const { step, account, slot, value, goneAt } of changes) {
    const isThere = step < number && (goneAt === undefined || goneAt > number);
    if (isThere && frame.account !== undefined && equalBytes(account, frame.account)) values.set(slot, value);
  }
  return Array.from(values, ([slot, value]) => ({ slot, value }));
}

/**
 * Execution data for Otterscan: call list, internal transfers, revert data, and the addresses in a transaction's
 * traces.
 */
import type { ChainBlocks, ChainRules, ChainStates } from "../../../chain/readable-chain.ts";
import type { Block } from "../../../chainspec/header/block.ts";
import { NotFoundError } from "../../../errors/hindcast-error.ts";
import { FrameKind, isCreation } from "../../../evm/frames.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import { AddressCollector } from "../../../tracer/address-collector.ts";
import { gethCallType } from "../../../tracer/formats/call-tracer.ts";
import { Recorder, type RecorderRequest } from "../../../tracer/recorder.ts";
import { type CallFrame, lasted } from "../../../tracer/recording.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock } from "../replay/replay.ts";

/** An entry of the call list. */
export interface OtterscanCall {
  readonly type: "CALL" | "CALLCODE" | "DELEGATECALL" | "STATICCALL" | "CREATE" | "CREATE2" | "SELFDESTRUCT";
  /** 0 for the transaction's own call. */
  readonly depth: number;
  readonly from: Bytes;
  /** Called or created account, or beneficiary; zero for a creation that failed before it had an address. */
  readonly to: Bytes;
  /** wei; undefined for calls that cannot transfer any (DELEGATECALL, STATICCALL). */
  readonly value: bigint | undefined;
  readonly input: Bytes;
  readonly output: Bytes;
}

/** A transfer of ether inside a transaction, or a creation. */
export interface InternalOperation {
  readonly kind: "transfer" | "selfDestruct" | "create" | "create2";
  readonly from: Bytes;
  readonly to: Bytes;
  /** wei */
  readonly value: bigint;
}

/** The creator of a contract and the creating transaction. */
export interface ContractCreation {
  readonly txHash: Bytes;
  readonly creator: Bytes;
}

/** A contract after the transactions of a block. */
export interface CreationInBlock {
  readonly creation: ContractCreation | undefined;
  /** True if the account has code after them. */
  readonly hasCode: boolean;
}

/** Serves `ots_traceTransaction`, `ots_getInternalOperations` and similar methods by running transactions again. */
export class OtterscanTraces {
  readonly #chain: ChainBlocks & ChainRules & ChainStates;
  readonly #limits: SimulationLimits;

  constructor(chain: ChainBlocks & ChainRules & ChainStates, limits: SimulationLimits) {
    this.#chain = chain;
    this.#limits = limits;
  }

  /**
   * Calls, creations and self-destructs of a mined transaction in order of entry; calls of precompiles are left out.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async calls(txHash: Bytes, options: TraceBounds = {}): Promise<OtterscanCall[]> {
    const calls: OtterscanCall[] = [];
    eachEvent(
      await this.#frames(txHash, options),
      (frame) => {
        if (frame.isPrecompile) return;
        calls.push({ ...callOf(frame), type: gethCallType(frame.kind), input: frame.input, output: frame.output });
      },
      ({ selfDestruct, depth }) => {
        const { address, beneficiary, balance } = selfDestruct;
        const nothing = { input: EMPTY_BYTES, output: EMPTY_BYTES };
        calls.push({
          type: "SELFDESTRUCT",
          depth: depth + 1,
          from: address,
          to: beneficiary,
          value: balance,
          ...nothing,
        });
      },
    );
    return calls;
  }

  /**
   * Transfers, creations and self-destructs below the transaction's own call, in order of entry. Reverted ones are
   * included, as in Erigon.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async internalOperations(txHash: Bytes, options: TraceBounds = {}): Promise<InternalOperation[]> {
    const operations: InternalOperation[] = [];
    eachEvent(
      await this.#frames(txHash, options, { data: false }),
      ({ kind, depth, from, to = ZERO_ADDRESS, value }) => {
        if (depth === 0) return;
        if (kind === FrameKind.call && value > 0n) operations.push({ kind: "transfer", from, to, value });
        if (isCreation(kind)) {
          operations.push({ kind: kind === FrameKind.create2 ? "create2" : "create", from, to, value });
        }
      },
      ({ selfDestruct }) => {
        const { address, beneficiary, balance } = selfDestruct;
        operations.push({ kind: "selfDestruct", from: address, to: beneficiary, value: balance });
      },
    );
    return operations;
  }

  /**
   * Revert data of a mined transaction; empty if it did not revert.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async revertData(txHash: Bytes, options: TraceBounds = {}): Promise<Bytes> {
    const [outermost] = await this.#frames(txHash, options, { frames: "outermost" });
    return outermost?.error === "reverted" ? outermost.output : EMPTY_BYTES;
  }

  /** Indexes of the transactions of a block whose traces contain an address. */
  async transactionsTouching(block: Block, address: Bytes, options: TraceBounds = {}): Promise<number[]> {
    const indexes: number[] = [];
    const recorderFor = (): AddressCollector => new AddressCollector();
    for await (const { recorder, index } of replayBlock({ ...this.#target(block, options), recorderFor })) {
      if (recorder?.addresses.some((touched) => equalBytes(touched, address)) === true) indexes.push(index);
    }
    return indexes;
  }

  /**
   * The creation of a contract in a block, if the contract is there after the block's transactions: the last one that was
   * neither reverted nor destroyed.
   */
  async creationIn(block: Block, address: Bytes, options: TraceBounds = {}): Promise<CreationInBlock> {
    let creation: ContractCreation | undefined;
    let hasCode = false;
    const recorderFor = (): Recorder => new Recorder({ data: false });
    for await (const { recorder, tx, state } of replayBlock({ ...this.#target(block, options), recorderFor })) {
      const frames = recorder?.frames ?? [];
      const frame = frames.findLast(
        (each) =>
          isCreation(each.kind) && each.to !== undefined && equalBytes(each.to, address) && lasted(frames, each),
      );
      if (frame !== undefined) creation = { txHash: tx.hash, creator: frame.from };
      const account = await state.getAccount(address);
      hasCode = account !== undefined && !equalBytes(account.codeHash, EMPTY_CODE_HASH);
      if (!hasCode) creation = undefined;
    }
    return { creation, hasCode };
  }

  async #frames(txHash: Bytes, options: TraceBounds, request?: RecorderRequest): Promise<readonly CallFrame[]> {
    const location = await this.#chain.findTransaction(txHash);
    if (location === undefined) {
      const what = `transaction ${encodeData(txHash)} not found`;
      throw new NotFoundError({ code: "TRANSACTION_NOT_FOUND", what, rpcCode: -32000 });
    }
    const { block, index: only } = location;
    const recorderFor = (): Recorder => new Recorder(request);
    for await (const { recorder } of replayBlock({ ...this.#target(block, options), recorderFor, only })) {
      if (recorder !== undefined) return recorder.frames;
    }
    return [];
  }

  #target(block: Block, { signal, timeoutMs = this.#limits.traceTimeoutMs }: TraceBounds) {
    return { chain: this.#chain, block, limits: this.#chain.executor.clock({ timeoutMs, signal }) };
  }
}

function callOf({ kind, depth, from, to = ZERO_ADDRESS, value }: CallFrame) {
  const movesNothing = kind === FrameKind.delegateCall || kind === FrameKind.staticCall;
  return { depth, from, to, value: movesNothing ? undefined : value };
}

/** Calls `onFrame` at each frame's beginning, and for a self-destruct after all frames below its own. */
function eachEvent(
  frames: readonly CallFrame[],
  onFrame: (frame: CallFrame) => void,
  onSelfDestruct: (frame: CallFrame & { readonly selfDestruct: NonNullable<CallFrame["selfDestruct"]> }) => void,
): void {
  const visit = (frame: CallFrame): void => {
    onFrame(frame);
    for (const child of frame.children) visit(frames[child] as CallFrame);
    const { selfDestruct } = frame;
    if (selfDestruct !== undefined) onSelfDestruct({ ...frame, selfDestruct });
  };
  const [outermost] = frames;
  if (outermost !== undefined) visit(outermost);
}

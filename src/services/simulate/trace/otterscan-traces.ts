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
import { listInTurns } from "../../../primitives/platform/turns.ts";
import { AddressCollector } from "../../../tracer/address-collector.ts";
import { gethCallType } from "../../../tracer/formats/call-tracer.ts";
import { visits } from "../../../tracer/frame-walk.ts";
import { Recorder, type RecorderRequest } from "../../../tracer/recorder.ts";
import { type CallFrame, lasted } from "../../../tracer/recording.ts";
import type { SimulationLimits } from "../call/simulation.ts";
import type { TraceBounds } from "../debug/options.ts";
import { replayBlock } from "../replay/replay.ts";
import { asRead, type ListOf, type StreamBounds } from "../replay/second-run.ts";

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
  async calls<Bounds extends StreamBounds | undefined = undefined>(
    txHash: Bytes,
    options: TraceBounds = {},
    streamed?: Bounds,
  ): Promise<ListOf<OtterscanCall, Bounds>> {
    return asRead(callsOf(await this.#frames(txHash, options)), streamed);
  }

  /**
   * Transfers, creations and self-destructs below the transaction's own call, in order of entry. Reverted ones are
   * included, as in Erigon.
   *
   * @throws {NotFoundError} `TRANSACTION_NOT_FOUND`
   */
  async internalOperations(txHash: Bytes, options: TraceBounds = {}): Promise<InternalOperation[]> {
    return listInTurns(operationsOf(await this.#frames(txHash, options, { data: false })));
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

function* callsOf(frames: readonly CallFrame[]): Generator<OtterscanCall, void, undefined> {
  for (const { frame, selfDestruct, depth } of visits(frames)) {
    if (selfDestruct !== undefined) {
      const { address: from, beneficiary: to, balance: value } = selfDestruct;
      yield { type: "SELFDESTRUCT", depth, from, to, value, input: EMPTY_BYTES, output: EMPTY_BYTES };
    } else if (!frame.isPrecompile) {
      const { kind, from, to = ZERO_ADDRESS, input, output } = frame;
      const movesNothing = kind === FrameKind.delegateCall || kind === FrameKind.staticCall;
      const value = movesNothing ? undefined : frame.value;
      yield { type: gethCallType(kind), depth, from, to, value, input, output };
    }
  }
}

function* operationsOf(frames: readonly CallFrame[]): Generator<InternalOperation, void, undefined> {
  for (const { frame, selfDestruct } of visits(frames)) {
    const { kind, depth, from, to = ZERO_ADDRESS, value } = frame;
    if (selfDestruct !== undefined) {
      const { address, beneficiary, balance } = selfDestruct;
      yield { kind: "selfDestruct", from: address, to: beneficiary, value: balance };
    } else if (depth > 0 && kind === FrameKind.call && value > 0n) yield { kind: "transfer", from, to, value };
    else if (depth > 0 && isCreation(kind)) {
      yield { kind: kind === FrameKind.create2 ? "create2" : "create", from, to, value };
    }
  }
}

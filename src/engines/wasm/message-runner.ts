/** Runs a session's messages on its core, and serves the core's requests during the run. */
import type { BlockContext, Message, MessageResult, Pace } from "../../evm/engine.ts";
import { type FailureDetail, FrameKind } from "../../evm/frames.ts";
import { EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../primitives/maybe-promise.ts";
import type { Timer } from "../../primitives/platform/event-loop.ts";
import type { StateLoader } from "./accounts.ts";
import * as Layout from "./core/machine/layout.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";
import { logsIn, type TransactionLogs } from "./log-reader.ts";
import { detailOf, errorOf, numberOf, numberOfFault } from "./outcomes.ts";
import type { Precompile, PrecompileAnswer } from "./precompiles/precompile.ts";
import type { SharedMemory } from "./shared-memory.ts";
import type { TraceReader } from "./trace-reader.ts";

const { Mailbox } = Records;

/** Fuel of a slice of the run loop: about a millisecond. */
const SLICE_FUEL = 1_000_000;
/** The same while executions have too much memory together. */
const SCARCE_FUEL = 50_000;
/** Work of the host in a slice, also about a millisecond. One unit is a unit of precompile gas, some 33 ns. */
const SLICE_WORK = 30_000;
/** Work of reporting a live step, for which a script takes some microseconds. */
const LIVE_STEP_WORK = 100;
/** Work of reading an account or a slot, which takes some ten microseconds from disk. */
const READ_WORK = 300;
/** Milliseconds between two checks of the time limit while an answer is awaited. */
const WAITING_CHECK_MS = 20;
const MAX_GAS = 2n ** 63n - 1n;

/** Parts of a runner. */
export interface RunnerParts {
  readonly instance: CoreInstance;
  readonly loader: StateLoader;
  /** By standard address. */
  readonly precompiles: ReadonlyMap<number, Precompile>;
  readonly pace: Pace;
  readonly memory: SharedMemory<CoreInstance>;
  /** Abandons the running transaction. */
  readonly abandon: () => void;
  /** Called before codes are dropped, with the counters of how often they ran. */
  readonly beforeDropping: () => void;
}

/** Runs the messages of one session. A run pauses while a value of the state must be awaited. */
export class MessageRunner {
  readonly #parts: RunnerParts;
  readonly #instance: CoreInstance;
  readonly #loader: StateLoader;
  #block: BlockContext | undefined;
  #trace: TraceReader | undefined;
  #isDone = false;
  #logs: TransactionLogs | undefined;
  /** Work of the host since the last check of the time limit; see {@link SLICE_WORK}. */
  #work = 0;
  /** Aborts precompiles that compute in threads. */
  #precompileAbort: AbortController | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#instance = parts.instance;
    this.#loader = parts.loader;
  }

  /**
   * Begins a transaction in a block.
   *
   * @param trace - undefined if there is no sink
   */
  begin(block: BlockContext, trace: TraceReader | undefined): void {
    this.#block = block;
    this.#trace = trace;
  }

  /** Ends the transaction. */
  end(): void {
    this.#trace = undefined;
    this.#logs = undefined;
  }

  /** Ends the transaction, drops pending answers and aborts precompiles. */
  abandon(): void {
    this.end();
    this.#parts.memory.endMessage(this.#instance);
    this.#loader.dropAnswers();
    this.#precompileAbort?.abort();
    this.#precompileAbort = undefined;
  }

  run(message: Message): MaybePromise<MessageResult> {
    this.#isDone = false;
    this.#logs = undefined;
    this.#instance.message = message;
    try {
      this.#start(message);
      const waiting = this.#check() ?? this.#advance();
      return waiting === undefined ? this.#result(message) : this.#runWaiting(waiting, message);
    } catch (error) {
      throw this.#instance.explain(error);
    }
  }

  #start(message: Message): void {
    const instance = this.#instance;
    const { core, mailbox } = instance;
    const { data } = message;
    const input = core.prepareInput(data.length) >>> 0;
    const { bytes } = instance;
    bytes.set(data, input);
    bytes.set(message.from, mailbox + Mailbox.from);
    bytes.set(message.to ?? message.createdAddress ?? EMPTY_BYTES, mailbox + Mailbox.to);
    instance.writeWord(mailbox + Mailbox.value, message.value);
    const kind = message.to === undefined ? FrameKind.create : FrameKind.call;
    const { gasLimit, stateGas } = message;
    core.beginMessage(kind, gasLimit > MAX_GAS ? MAX_GAS : gasLimit, stateGas, data.length);
    if (message.isUnpaid === true) core.refuseMessage();
  }

  async #runWaiting(first: Promise<unknown>, message: Message): Promise<MessageResult> {
    try {
      for (let waiting: Promise<unknown> | undefined = first; waiting !== undefined; waiting = this.#advance()) {
        await waiting;
      }
      return this.#result(message);
    } catch (error) {
      throw this.#instance.explain(error);
    }
  }

  /** Runs until something must be awaited; undefined when the message is complete and reported, and its logs are read. */
  #advance(): Promise<unknown> | undefined {
    const { memory } = this.#parts;
    while (!this.#isDone) {
      const status = this.#instance.core.run(memory.isScarceFor(this.#instance) ? SCARCE_FUEL : SLICE_FUEL);
      this.#isDone = status === Layout.DONE;
      this.#takeEvents();
      const waiting = this.#isDone ? this.#takeSteps() : this.#serve(status);
      if (waiting !== undefined) return waiting;
    }
    this.#logs ??= logsIn(this.#instance);
    return this.#logs?.read(() => this.#check());
  }

  /** Serves the core's request. */
  #serve(status: number): Promise<unknown> | undefined {
    switch (status) {
      case Layout.NEEDS:
        this.#work += READ_WORK;
        return this.#bound(this.#loader.serve()) ?? this.#checkAfterWork();
      case Layout.NEED_PRECOMPILE:
        return this.#bound(this.#runPrecompile()) ?? this.#checkAfterWork();
      case Layout.NEED_BLOCKHASH:
        return this.#bound(this.#answerBlockHash());
      case Layout.OUT_OF_FUEL:
        if (this.#instance.core.areCodesMany()) this.#dropCodes();
        return this.#check();
      case Layout.TRACE_FULL:
        return this.#takeSteps() ?? this.#check();
      case Layout.LIVE_STEP:
        this.#work += LIVE_STEP_WORK;
        this.#guard(() => this.#trace?.reportLiveStep());
        return this.#checkAfterWork();
      default:
        this.#guard(() => this.#trace?.reportLiveFault());
        return undefined;
    }
  }

  /** After every slice, so that the core does not hold the events of a whole transaction. */
  #takeEvents(): void {
    const trace = this.#trace;
    if (trace?.hasEvents === true) this.#guard(() => trace.takeEvents());
  }

  #dropCodes(): void {
    this.#parts.beforeDropping();
    this.#instance.dropCodes();
  }

  #takeSteps(): Promise<void> | undefined {
    const taken = this.#guard(() => this.#trace?.takeSteps());
    return taken instanceof Promise ? taken : undefined;
  }

  /** Limits the wait for an answer to the time of the run. */
  #bound(answer: Promise<unknown> | undefined): Promise<unknown> | undefined {
    if (answer === undefined) return undefined;
    let timer: Timer | undefined;
    const late = new Promise((_resolve, reject) => {
      const look = async (): Promise<void> => this.#check();
      timer = setInterval(() => look().catch(reject), WAITING_CHECK_MS);
    });
    return Promise.race([answer, late]).finally(() => clearInterval(timer));
  }

  #checkAfterWork(): Promise<void> | undefined {
    return this.#work < SLICE_WORK ? undefined : this.#check();
  }

  /** @throws {LimitError} after the transaction was abandoned */
  #check(): Promise<void> | undefined {
    this.#work = 0;
    const { pace, memory } = this.#parts;
    const recorded = this.#trace?.recordedBytes ?? 0;
    const turn = this.#guard(() => {
      pace.requireRoom?.(recorded);
      return memory.wait(this.#instance, pace, recorded)?.then(() => pace.check()) ?? pace.check();
    });
    return turn?.catch((error: unknown) => {
      this.#parts.abandon();
      throw error;
    });
  }

  /** Abandons the transaction if a function throws. */
  #guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.#parts.abandon();
      throw error;
    }
  }

  #answerBlockHash(): Promise<unknown> | undefined {
    const instance = this.#instance;
    const found = this.#block?.blockHash(instance.long(instance.mailbox + Mailbox.number));
    return this.#loader.take(found, (hash) => {
      const answer = instance.mailbox + Mailbox.answer;
      if (hash === undefined) instance.bytes.fill(0, answer, answer + 32);
      else instance.bytes.set(hash, answer);
      instance.core.answerBlockhash();
    });
  }

  #runPrecompile(): Promise<unknown> | undefined {
    const instance = this.#instance;
    const { mailbox } = instance;
    const precompile = this.#parts.precompiles.get(instance.half(mailbox + Mailbox.precompile)) as Precompile;
    const at = instance.half(mailbox + Mailbox.input);
    // Its bytes in the core. A copy for each call would be garbage of the C library's heap, a hundred megabytes a second.
    const input = instance.bytes.subarray(at, at + instance.half(mailbox + Mailbox.inputLength));
    const gas = precompile.gas(input);
    if (gas > instance.long(mailbox + Mailbox.gas)) {
      instance.core.answerPrecompile(numberOf("outOfGas"), 0n, 0, 0);
      return undefined;
    }
    this.#precompileAbort ??= new AbortController();
    const answer = precompile.run(input, this.#precompileAbort.signal);
    this.#work += Number(gas);
    return this.#loader.take(answer, (settled) => this.#answerPrecompile(gas, settled));
  }

  #answerPrecompile(gas: bigint, answer: PrecompileAnswer): void {
    const instance = this.#instance;
    if ("fault" in answer) {
      instance.core.answerPrecompile(numberOf("precompileFailed"), 0n, 0, numberOfFault(instance, answer.fault));
      return;
    }
    const { output } = answer;
    const place = instance.core.prepareOutput(output.length) >>> 0;
    instance.bytes.set(output, place);
    instance.core.answerPrecompile(0, gas, output.length, 0);
  }

  #result({ gasLimit, stateGas }: Message): MessageResult {
    const instance = this.#instance;
    const { core, mailbox } = instance;
    this.#parts.memory.endMessage(instance);
    const error = errorOf(instance.half(mailbox + Mailbox.error));
    const length = instance.half(mailbox + Mailbox.outputLength);
    return {
      error,
      detail: error && this.#detail(),
      output: length === 0 ? EMPTY_BYTES : instance.copy(instance.half(mailbox + Mailbox.output), length),
      gasUsed: gasLimit - core.gas.value,
      stateGasUsed: stateGas - core.reservoir.value + core.spilled.value,
      stateGasLeft: core.reservoir.value,
      isUnprepared: core.isUnprepared.value !== 0,
      gasRefund: core.refund.value,
      logs: this.#logs?.logs ?? [],
    };
  }

  #detail(): FailureDetail | undefined {
    const instance = this.#instance;
    const { mailbox } = instance;
    return detailOf(instance, {
      flags: instance.half(mailbox + Mailbox.flags),
      detail: instance.half(mailbox + Mailbox.detail),
      initCodeSize: mailbox + Mailbox.initCodeSize,
    });
  }
}

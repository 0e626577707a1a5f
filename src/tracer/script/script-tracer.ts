/**
 * A JavaScript tracer with geth's interface: an object with `result` and `fault`, and optionally `setup`, `step`,
 * `enter` and `exit` (eth/tracers/js/goja.go). It is an event sink, so that the script sees the machine while it runs.
 */
import type { EventSink, FrameEnd, FrameStart, LiveStep, SelfDestruct, SinkWants } from "../../evm/event-sink.ts";
import { type FrameError, FrameKind, runsForeignCode, StepOutcome } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import type { StateReader } from "../../evm/state-port.ts";
import { createAddress, createSaltedAddress } from "../../primitives/address.ts";
import { type Bytes, bigIntToFixedBytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import type { loadQuickJs } from "../../sandbox/load-quickjs.ts";
import { type CallWatch, type Host, Sandbox } from "../../sandbox/sandbox.ts";
import { gethCallType } from "../formats/call-tracer.ts";
import { gethErrorText, gethOpcodeName } from "../formats/geth-errors.ts";
import { PRELUDE, SHARED_BYTES } from "./prelude.ts";
import { accountAt, answer, type ScriptFrame, type ScriptFrameEnd, type ScriptView } from "./script-host.ts";
import {
  SANDBOX_LIMITS,
  SCRIPT_FUNCTIONS,
  type ScriptFunction,
  scriptErrors,
  timeOf,
  traceTookTooLong,
} from "./script-limits.ts";
import { resultContext, type ScriptOutcome, type ScriptTransaction } from "./script-transaction.ts";
import { SelfDestructs } from "./self-destructs.ts";
import { SharedStep } from "./shared-step.ts";
import { stepErrorText } from "./step-error.ts";

/** The script, and what it can ask about the transaction. */
export interface ScriptRequest {
  /** An expression that evaluates to the tracer. */
  readonly code: string;
  /** JSON passed to `setup`. */
  readonly config: string;
  /** Names that a request may give in place of a script, for errors. */
  readonly nativeTracers: readonly string[];
  readonly quickJs: Awaited<ReturnType<typeof loadQuickJs>>;
  /** The state that `result` sees: the one after the transaction. */
  readonly stateAfter: StateReader;
  readonly isPrecompile: (address: Bytes) => boolean;
  readonly transaction: ScriptTransaction;
  /** Gas refund of the hardfork for a SELFDESTRUCT. */
  readonly selfDestructRefund: number;
  /** Deadline of the script's result, by performance.now(). */
  readonly deadline: number;
  /** Time limit of the trace in milliseconds, for its error. */
  readonly timeoutMs: number;
  /** Notified of the script's calls. */
  readonly calls: CallWatch;
}

/** Bits of `define`'s result, which describes the tracer. */
const HAS_STEP = 1;
const HAS_ENTER = 2;

const OPCODE_NAMES = JSON.stringify(Array.from({ length: 256 }, (_, opcode) => gethOpcodeName(opcode)));

/** Runs a script for one transaction. {@link dispose} frees the sandbox's memory. */
export class ScriptTracer implements EventSink {
  readonly wants: SinkWants = { frames: "all", data: "all", steps: "live" };
  readonly #request: ScriptRequest;
  readonly #sandbox: Sandbox;
  readonly #hasStep: boolean;
  readonly #hasEnter: boolean;
  /** True if the script reads the stack, so that its top is written to the shared memory. */
  readonly #sharesStack: boolean;
  readonly #open: ScriptFrame[] = [];
  readonly #selfDestructs: SelfDestructs;
  #shared: Uint8Array | undefined;
  #sharedStep: SharedStep | undefined;
  #frameCount = 0;
  #state: StateReader;
  #step: LiveStep | undefined;
  #entered: ScriptFrame | undefined;
  #ended: ScriptFrameEnd | undefined;
  /** Salt of the CREATE2 that is about to start a frame. */
  #salt: Bytes = EMPTY_BYTES;

  /**
   * Evaluates the tracer and calls its `setup`.
   *
   * @throws {ExecutionError} `TRACER_FAILED` if that fails, or the tracer lacks a function
   */
  constructor(request: ScriptRequest) {
    this.#request = request;
    this.#state = request.stateAfter;
    this.#selfDestructs = new SelfDestructs(request.selfDestructRefund);
    const prelude = {
      source: PRELUDE,
      setting: OPCODE_NAMES,
      exports: SCRIPT_FUNCTIONS,
      sharedBytes: SHARED_BYTES,
      host: (...question: Parameters<Host>) => answer(this.#view(), question),
      calls: request.calls,
    };
    this.#sandbox = new Sandbox(request.quickJs, prelude, SANDBOX_LIMITS, scriptErrors(request.nativeTracers));
    try {
      const functions = Number(this.#sandbox.call("define", [request.code, request.config]));
      this.#hasStep = (functions & HAS_STEP) !== 0;
      this.#hasEnter = (functions & HAS_ENTER) !== 0;
    } catch (error) {
      this.#sandbox.dispose();
      throw error;
    }
    this.#sharesStack = request.code.includes("stack");
  }

  #view(): ScriptView {
    const running = this.#open.at(-1);
    const { isPrecompile } = this.#request;
    return { state: this.#state, isPrecompile, step: this.#step, running, entered: this.#entered, ended: this.#ended };
  }

  /**
   * The script's result, as JSON.
   *
   * @throws {ExecutionError} `TRACER_FAILED`
   * @throws {LimitError} `TRACER_LIMIT`
   */
  result(outcome: ScriptOutcome): string {
    this.#state = this.#request.stateAfter;
    const context = resultContext(this.#request.transaction, outcome);
    return String(this.#call("result", JSON.stringify(context)));
  }

  /** Frees the sandbox. */
  dispose(): void {
    this.#sandbox.dispose();
  }

  #call(name: ScriptFunction, ...texts: readonly string[]): number | string | undefined {
    const { deadline, timeoutMs } = this.#request;
    if (performance.now() > deadline) throw traceTookTooLong(timeoutMs);
    return this.#sandbox.call(name, texts, timeOf(name));
  }

  begin(state: StateReader): void {
    this.#state = state;
  }

  enterFrame(start: FrameStart): void {
    this.#selfDestructs.enterFrame();
    this.#enter(start);
  }

  #enter(start: FrameStart): void {
    const frame = this.#describe(start);
    this.#open.push(frame);
    this.#frameCount++;
    if (start.depth > 0) this.#reportEntered(frame);
  }

  #reportEntered(frame: ScriptFrame): void {
    this.#entered = frame;
    if (this.#hasEnter) this.#call("enter");
  }

  #describe(start: FrameStart): ScriptFrame {
    const { kind, from, value, gas, input } = start;
    const parent = this.#open.at(-1);
    const to = start.to ?? this.#newAddress(start);
    return {
      type: gethCallType(kind),
      from,
      to,
      value: kind === FrameKind.staticCall ? undefined : value,
      gas,
      input,
      caller: kind === FrameKind.delegateCall ? (parent?.caller ?? from) : from,
      account: runsForeignCode(kind) ? from : to,
      callValue: value,
    };
  }

  /** Address of a creation. Its creator's nonce is already incremented. */
  #newAddress({ kind, depth, from, input }: FrameStart): Bytes {
    if (depth === 0) return this.#request.transaction.to;
    if (kind === FrameKind.create2) return createSaltedAddress(from, this.#salt, input);
    const nonce = accountAt(this.#state, from)?.nonce ?? 0n;
    return nonce === 0n ? ZERO_ADDRESS : createAddress(from, nonce - 1n);
  }

  exitFrame({ error, detail, gasUsed, output }: FrameEnd): void {
    this.#selfDestructs.exitFrame(error !== undefined);
    this.#exit({ gasUsed, output, error: error && gethErrorText(error, detail) });
    this.#frameCount++;
  }

  refuseFrame(start: FrameStart, error: FrameError): void {
    this.#enter(start);
    this.#exit({ gasUsed: 0n, output: EMPTY_BYTES, error: gethErrorText(error, undefined) });
  }

  #exit(end: ScriptFrameEnd): void {
    this.#open.pop();
    if (this.#open.length > 0) this.#reportEnded(end);
  }

  #reportEnded(end: ScriptFrameEnd): void {
    this.#ended = end;
    if (this.#hasEnter) this.#call("exit");
  }

  selfDestruct({ address, beneficiary, balance }: SelfDestruct): void {
    this.#selfDestructs.note(address);
    const nothing = { gas: 0n, input: EMPTY_BYTES, caller: address, account: address, callValue: 0n };
    this.#reportEntered({ type: "SELFDESTRUCT", from: address, to: beneficiary, value: balance, ...nothing });
    this.#reportEnded({ gasUsed: 0n, output: EMPTY_BYTES, error: undefined });
  }

  beginStep(live: LiveStep, outcome: StepOutcome): void {
    if (live.opcode === Op.CREATE2) this.#salt = bigIntToFixedBytes(live.stackHeight < 4 ? 0n : live.stackItem(3), 32);
    this.#share(live);
    const error = outcome === StepOutcome.done ? undefined : stepErrorText(live, outcome, this.#isStatic);
    // In geth an undefined opcode, and one that a static frame forbids, begins and then fails.
    const begins = outcome === StepOutcome.undefinedOpcode || (outcome === StepOutcome.failed && this.#isStatic);
    if (this.#hasStep) this.#callWith(live, "step", begins ? undefined : error);
    if (begins) this.#callWith(live, "fault", error);
  }

  failStep(live: LiveStep, outcome: StepOutcome): void {
    // geth: a frame that reverts calls `fault` at its REVERT.
    const isRevert = outcome === StepOutcome.done;
    const error = isRevert ? gethErrorText("reverted", undefined) : stepErrorText(live, outcome, this.#isStatic);
    this.#callWith(live, "fault", error);
  }

  /** Calls a function of the script that may inspect the step. */
  #callWith(live: LiveStep, name: "step" | "fault", error: string | undefined): void {
    this.#step = live;
    if (error === undefined) this.#call(name);
    else this.#call(name, error);
    this.#step = undefined;
  }

  /** True if the executing frame must not change the state. */
  get #isStatic(): boolean {
    return this.#open.some(({ type }) => type === "STATICCALL");
  }

  #share(live: LiveStep): void {
    const { shared } = this.#sandbox;
    // The sandbox's memory moves when it grows.
    if (this.#shared !== shared || this.#sharedStep === undefined) {
      this.#shared = shared;
      this.#sharedStep = new SharedStep(shared);
    }
    this.#sharedStep.write(live, {
      depth: this.#open.length,
      frame: this.#frameCount,
      refund: live.gasRefund + this.#earned(live),
      sharesStack: this.#sharesStack,
    });
  }

  #earned({ opcode }: LiveStep): number {
    const running = this.#open.at(-1);
    return opcode !== Op.SELFDESTRUCT || running === undefined ? 0 : this.#selfDestructs.refundOf(running.account);
  }
}

/**
 * The tracer of one request: opened before each transaction, asked for the trace after it.
 *
 * JavaScript tracers run together with their transaction; native ones read a recording.
 */
import { intrinsicGas } from "../../../chainspec/transaction/intrinsic-gas.ts";
import { effectiveGasPrice } from "../../../chainspec/transaction/transaction.ts";
import type { TransactionOutcome, TransactionSink } from "../../../executor/run-transaction.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { createAddress } from "../../../primitives/address.ts";
import { gethErrorText } from "../../../tracer/formats/geth-errors.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { ScriptTransaction } from "../../../tracer/script/script-transaction.ts";
import type { ScriptBounds, Scripts } from "../../../tracer/script/scripts.ts";
import { precompilesOf } from "../call/overridden-view.ts";
import type { SecondRun } from "../replay/second-run.ts";
import type { TracerSetup } from "./run.ts";
import {
  type GethTrace,
  type GethTracer,
  nativeTrace,
  readsStateAfter,
  recordingRequestOf,
  type StreamedTrace,
  TRACER_NAMES,
} from "./tracers.ts";

/** Gas refund of a SELFDESTRUCT; none since London (EIP-3529). */
const SELF_DESTRUCT_REFUND = 24_000;

/** A tracer during one transaction. */
export interface OpenTracer {
  /** Receives events while the transaction runs; undefined if the tracer needs none. */
  readonly sink: TransactionSink | undefined;
  /** The trace of the completed transaction. @throws {ExecutionError} `TRACER_FAILED`, {LimitError} `TRACER_LIMIT` */
  finish(outcome: TransactionOutcome): Promise<GethTrace | StreamedTrace>;
  /** Frees what the tracer holds. Must be called in any case. */
  close(): void;
}

/** A tracer request and the services that it needs. */
export interface TracerSessionRequest {
  readonly tracer: GethTracer;
  /** Time limit of the request, which includes a script's own time; Infinity for none. */
  readonly timeoutMs: number;
  readonly signal: AbortState | undefined;
  /** Given if traces are read once, while they are made. */
  readonly secondRun?: SecondRun | undefined;
  /** Runs JavaScript tracers. */
  readonly scripts: Scripts;
}

/** Lives for one request; one transaction at a time. */
export class TracerSession {
  readonly #tracer: GethTracer;
  readonly #secondRun: SecondRun | undefined;
  readonly #scripts: Scripts;
  readonly #bounds: ScriptBounds;

  constructor({ tracer, timeoutMs, signal, secondRun, scripts }: TracerSessionRequest) {
    this.#tracer = tracer;
    this.#secondRun = secondRun;
    this.#scripts = scripts;
    this.#bounds = { deadline: performance.now() + timeoutMs, timeoutMs, signal };
  }

  /** True if traces are made of the state after the transaction, too. */
  get readsState(): boolean {
    return this.#tracer.name === "script" || readsStateAfter(this.#tracer);
  }

  /** @throws {ExecutionError} `TRACER_FAILED` for a script that does not define a tracer */
  async open(setup: TracerSetup): Promise<OpenTracer> {
    const tracer = this.#tracer;
    if (tracer.name === "script") return this.#openScript(tracer, setup);
    const request = recordingRequestOf(tracer);
    // Other tracers need the steps in memory.
    const secondRun = tracer.name === "structLogger" ? this.#secondRun : undefined;
    const recorder = secondRun?.recorder(request ?? {}) ?? new Recorder(request);
    return {
      sink: request === undefined ? undefined : recorder,
      finish: (outcome) => {
        const recording = secondRun?.recordingOf(recorder) ?? recorder;
        if (secondRun === undefined) this.#secondRun?.count(recorder);
        return nativeTrace(tracer, { outcome, recording, ...setup }, this.#secondRun !== undefined);
      },
      close: () => {},
    };
  }

  async #openScript(tracer: GethTracer & { name: "script" }, setup: TracerSetup): Promise<OpenTracer> {
    const { rules, state } = setup;
    const run = {
      code: tracer.code,
      config: tracer.config ?? "{}",
      nativeTracers: TRACER_NAMES,
      stateAfter: state,
      precompiles: new Set(precompilesOf(rules.hardfork).keys()),
      transaction: await describeTransaction(setup),
      selfDestructRefund: rules.has(3529) ? 0 : SELF_DESTRUCT_REFUND,
    };
    const script = await this.#scripts.open(run, this.#bounds);
    return {
      sink: { wants: {}, engine: script.engine },
      finish: async ({ gasUsed, output, error, detail }) => {
        const text = error === undefined ? undefined : gethErrorText(error, detail);
        return { name: "script", value: JSON.parse(await script.result({ gasUsed, output, error: text })) };
      },
      close: () => script.close(),
    };
  }
}

async function describeTransaction({ tx, rules, block, state, place }: TracerSetup): Promise<ScriptTransaction> {
  const nonce = (await state.getAccount(tx.sender))?.nonce ?? 0n;
  return {
    from: tx.sender,
    to: tx.to ?? createAddress(tx.sender, nonce),
    isCreation: tx.to === undefined,
    input: tx.data,
    value: tx.value,
    gasLimit: tx.gasLimit,
    intrinsicGas: intrinsicGas(tx, rules),
    gasPrice: effectiveGasPrice(tx, block.baseFeePerGas),
    blockNumber: block.number,
    coinbase: block.coinbase,
    place,
  };
}

/**
 * One request's tracer: opened for each transaction before it runs, asked for its trace afterwards.
 *
 * A script and its transaction run in a thread; geth's own tracers read a recording.
 */
import { intrinsicGas } from "../../../chainspec/transaction/intrinsic-gas.ts";
import { effectiveGasPrice } from "../../../chainspec/transaction/transaction.ts";
import type { TransactionOutcome, TransactionSink } from "../../../executor/run-transaction.ts";
import type { AbortState } from "../../../primitives/abort-state.ts";
import { createAddress } from "../../../primitives/address.ts";
import { gethErrorText } from "../../../tracer/formats/geth-errors.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { ScriptTransaction } from "../../../tracer/script/script-transaction.ts";
import type { ScriptBounds } from "../../../tracer/script/thread/script-thread.ts";
import type { ScriptThreads } from "../../../tracer/script/thread/script-threads.ts";
import { precompilesOf } from "../overrides/precompile-overrides.ts";
import type { SecondRun } from "../replay/second-run.ts";
import type { TracerSetup } from "./run.ts";
import { type GethTrace, type GethTracer, nativeTrace, recordingRequestOf } from "./tracers.ts";

/** What a SELFDESTRUCT gives back, in gas; nothing from London on (EIP-3529). */
const SELF_DESTRUCT_REFUND = 24_000;

/** A tracer over one transaction. */
export interface OpenTracer {
  /** Listens while the transaction runs; undefined for one that wants nothing. */
  readonly sink: TransactionSink | undefined;
  /** The trace, once the transaction has run. @throws {ExecutionError} `TRACER_FAILED`, {LimitError} `TRACER_LIMIT` */
  finish(outcome: TransactionOutcome): Promise<GethTrace>;
  /** Frees what the tracer holds; to be called whatever happened. */
  close(): void;
}

/** One request, and what its tracers need. */
export interface TracerSessionRequest {
  readonly tracer: GethTracer;
  /** Of the request; a script's time counts. Infinite for none. */
  readonly timeoutMs: number;
  readonly signal: AbortState | undefined;
  /** Where long traces are not to be kept. */
  readonly secondRun?: SecondRun | undefined;
  /** Where scripts run. */
  readonly scripts: ScriptThreads;
}

export class TracerSession {
  readonly #tracer: GethTracer;
  readonly #secondRun: SecondRun | undefined;
  readonly #scripts: ScriptThreads;
  readonly #bounds: ScriptBounds;

  constructor({ tracer, timeoutMs, signal, secondRun, scripts }: TracerSessionRequest) {
    this.#tracer = tracer;
    this.#secondRun = secondRun;
    this.#scripts = scripts;
    this.#bounds = { deadline: performance.now() + timeoutMs, timeoutMs, signal };
  }

  /** @throws {ExecutionError} `TRACER_FAILED` for a script that is no tracer */
  async open(setup: TracerSetup): Promise<OpenTracer> {
    const tracer = this.#tracer;
    if (tracer.name === "script") return this.#openScript(tracer, setup);
    const request = recordingRequestOf(tracer);
    // Other tracers need the steps themselves.
    const secondRun = tracer.name === "structLogger" ? this.#secondRun : undefined;
    const recorder = secondRun?.recorder(request ?? {}) ?? new Recorder(request);
    return {
      sink: request === undefined ? undefined : recorder,
      finish: (outcome) => {
        const recording = secondRun?.recordingOf(recorder) ?? recorder;
        return nativeTrace(tracer, { ...setup, outcome, recording });
      },
      close: () => {},
    };
  }

  async #openScript(tracer: GethTracer & { name: "script" }, setup: TracerSetup): Promise<OpenTracer> {
    const { rules, state } = setup;
    const run = {
      code: tracer.code,
      config: tracer.config ?? "{}",
      stateAfter: state,
      precompiles: new Set(precompilesOf(rules.hardfork).keys()),
      transaction: await describeTransaction(setup),
      selfDestructRefund: rules.isLondon ? 0 : SELF_DESTRUCT_REFUND,
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

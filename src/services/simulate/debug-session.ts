/**
 * One request's tracer: opened for each transaction before it runs, asked for its trace afterwards.
 *
 * A script runs beside the transaction; geth's own tracers read a recording.
 */
import { intrinsicGas } from "../../chainspec/intrinsic-gas.ts";
import { effectiveGasPrice } from "../../chainspec/transaction.ts";
import type { EventSink } from "../../evm/event-sink.ts";
import type { TransactionOutcome } from "../../executor/run-transaction.ts";
import { createAddress } from "../../primitives/address.ts";
import { bytesKey } from "../../primitives/bytes.ts";
import { loadQuickJs } from "../../sandbox/sandbox.ts";
import { gethErrorText } from "../../tracer/formats/geth-errors.ts";
import { Recorder } from "../../tracer/recorder.ts";
import { ScriptTracer } from "../../tracer/script/script-tracer.ts";
import type { ScriptTransaction } from "../../tracer/script/script-transaction.ts";
import type { TracerSetup } from "./debug-run.ts";
import { type GethTrace, type GethTracer, nativeTrace, recordingRequestOf } from "./debug-tracers.ts";
import { precompilesOf } from "./overrides/precompile-overrides.ts";
import type { SecondRun } from "./second-run.ts";

/** What a SELFDESTRUCT gives back, in gas; nothing from London on (EIP-3529). */
const SELF_DESTRUCT_REFUND = 24_000;

/** A tracer over one transaction. */
export interface OpenTracer {
  /** Listens while the transaction runs; undefined for one that wants nothing. */
  readonly sink: EventSink | undefined;
  /** The trace, once the transaction has run. @throws {ExecutionError} `TRACER_FAILED`, {LimitError} `TRACER_LIMIT` */
  finish(outcome: TransactionOutcome): Promise<GethTrace>;
  /** Frees what the tracer holds; to be called whatever happened. */
  close(): void;
}

export class TracerSession {
  readonly #tracer: GethTracer;
  readonly #deadline: number;
  readonly #secondRun: SecondRun | undefined;
  #quickJs: ReturnType<typeof loadQuickJs> | undefined;

  /**
   * @param timeoutMs - of the request; a script's time counts
   * @param secondRun - where long traces are not to be kept
   */
  constructor(tracer: GethTracer, timeoutMs: number, secondRun?: SecondRun) {
    this.#tracer = tracer;
    this.#secondRun = secondRun;
    this.#deadline = performance.now() + timeoutMs;
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
    // One instance for all transactions of a request: its memory is freed with it.
    this.#quickJs ??= loadQuickJs();
    const { rules, state } = setup;
    const precompiles = new Set(precompilesOf(rules.hardfork).keys());
    const script = new ScriptTracer({
      code: tracer.code,
      config: tracer.config ?? "{}",
      quickJs: await this.#quickJs,
      stateAfter: state,
      isPrecompile: (address) => precompiles.has(bytesKey(address)),
      transaction: await describeTransaction(setup),
      selfDestructRefund: rules.isLondon ? 0 : SELF_DESTRUCT_REFUND,
      deadline: this.#deadline,
    });
    return {
      sink: script,
      finish: async ({ gasUsed, output, error, detail }) => {
        const text = error === undefined ? undefined : gethErrorText(error, detail);
        return { name: "script", value: script.result({ gasUsed, output, error: text }) };
      },
      close: () => script.dispose(),
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

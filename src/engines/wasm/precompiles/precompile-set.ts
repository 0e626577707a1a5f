/**
 * The precompiled contracts of all hardforks: prices and answers.
 *
 * They map bytes to bytes or a fault, without frames and accounts. Answers that take 5 ms or more are computed in
 * threads, so that the event loop is not blocked. Libraries are loaded on first use.
 */
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../../chainspec/hardforks/precompiles.ts";
import { type ChosenSigners, chosenSignerOfInput } from "../../../chainspec/transaction/signature-overrides.ts";
import { type Bytes, bytesToBigInt, concatBytes } from "../../../primitives/bytes/bytes.ts";
import { fetchMcl } from "../../../primitives/curves/mcl.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";
import { failure, TaskThreads } from "../../../primitives/platform/task-threads.ts";
import { canStartThreads } from "../../../primitives/platform/thread.ts";
import { type Answer, openAnswers, type PrecompileTask } from "./answers.ts";
import { takesLong } from "./durations.ts";
import { recoverSigner } from "./ecrecover.ts";
import { hasTooLongOperand } from "./modexp-price.ts";
import type { Precompile, PrecompileAnswer } from "./precompile.ts";
import { priceOf } from "./prices.ts";

const ECRECOVER = 0x01;
const MODEXP = 0x05;
/** The precompiles above MODEXP compute on curves by mcl, but for this one. */
const BLAKE2F = 0x09;

/** The precompiles of an engine, which closes them. */
export class PrecompileSet {
  readonly #threads = new TaskThreads<PrecompileTask, PrecompileAnswer>({ kind: "precompiles", subject: "precompile" });
  readonly #byHardfork = new Map<Hardfork, ReadonlyMap<number, Precompile>>();
  #answer: Answer = openAnswers();

  /**
   * The precompiles of a hardfork, by standard address.
   *
   * @param signers - that ecrecover answers for signatures in this map
   */
  of(hardfork: Hardfork, signers?: ChosenSigners): ReadonlyMap<number, Precompile> {
    const precompiles = this.#of(hardfork);
    if (signers === undefined) return precompiles;
    const ecrecover = precompiles.get(ECRECOVER) as Precompile;
    const run: Precompile["run"] = (input) => {
      const signer = chosenSignerOfInput(signers, input);
      return signer === undefined ? recoverSigner(input) : { output: concatBytes(new Uint8Array(12), signer) };
    };
    return new Map(precompiles).set(ECRECOVER, { ...ecrecover, run });
  }

  #of(hardfork: Hardfork): ReadonlyMap<number, Precompile> {
    let precompiles = this.#byHardfork.get(hardfork);
    if (precompiles === undefined) {
      precompiles = new Map(
        precompilesAt(hardfork).map(({ name, address }) => {
          const standardAddress = Number(bytesToBigInt(address));
          const gas = priceOf(standardAddress, hardfork);
          const run: Precompile["run"] = (input, signal) => this.#run(standardAddress, hardfork, input, signal);
          return [standardAddress, { standardAddress, name, hardfork, gas, run }];
        }),
      );
      this.#byHardfork.set(hardfork, precompiles);
    }
    return precompiles;
  }

  /** Terminates the threads. Pending answers are rejected, and slow ones can no longer be requested. */
  close(): Promise<void> {
    return this.#threads.close();
  }

  #run(
    standardAddress: number,
    hardfork: Hardfork,
    input: Bytes,
    signal?: AbortSignal,
  ): MaybePromise<PrecompileAnswer> {
    if (standardAddress === ECRECOVER) return recoverSigner(input);
    if (standardAddress === MODEXP && hasTooLongOperand(input, hardfork)) return { fault: "modexpLength" };
    if (takesLong(standardAddress, input) && canStartThreads()) {
      // A copy, because the caller may change the input meanwhile.
      return this.#threads.run({ standardAddress, input: input.slice() }, signal);
    }
    const fetching = standardAddress > MODEXP && standardAddress !== BLAKE2F ? fetchMcl() : undefined;
    if (fetching !== undefined) {
      const copy = input.slice();
      return fetching.then(() => this.#answerHere({ standardAddress, input: copy }));
    }
    return this.#answerHere({ standardAddress, input });
  }

  #answerHere(task: PrecompileTask): PrecompileAnswer {
    try {
      return this.#answer(task);
    } catch (error) {
      // The library may be unusable after an error.
      this.#answer = openAnswers();
      throw failure("A precompile failed.", error);
    }
  }
}

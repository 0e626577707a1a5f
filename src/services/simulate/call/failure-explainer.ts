/** Builds the errors of failed executions, and explains them by the contract sources that a node knows. */
import { type ExecutionError, HindcastError } from "../../../errors/hindcast-error.ts";
import type { FrameError } from "../../../evm/frames.ts";
import type { Contract } from "../../../explain/abi/contract.ts";
import { customErrorOf } from "../../../explain/abi/custom-error.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import type { solidityStack } from "../../../explain/stack/solidity-stack.ts";
import type { SolidityStack } from "../../../explain/stack/stack-frame.ts";
import { stackText } from "../../../explain/stack/stack-text.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { once } from "../../../primitives/once.ts";
import type { Recording } from "../../../tracer/recording.ts";
import { StepTable } from "../../../tracer/step-table.ts";
import { type FailedOutcome, type FailureDetails, failureOf } from "./failure.ts";

/** Reason of a failure and its place in the source. */
export interface Explanation {
  /** Undefined if the execution succeeded. */
  readonly stack: SolidityStack | undefined;
  /**
   * The bound that a call's gas was at, if it ran into it, and facts that are missing because the builds do not have
   * them: one sentence each.
   */
  readonly gaps: readonly string[];
}

/** The recording that an explanation needs: steps, without memory writes. */
export const EXPLAINED_RECORDING = { steps: true } as const;

/** Most steps of a recording that an error may hold until its stack trace is read: some hundred kilobytes. */
const HELD_STEPS = 10_000;

/** A failed execution, and the contract that it called. */
export interface FailedExecution {
  readonly error: FrameError;
  readonly outcome: FailedOutcome;
  /** Undefined for a creation. */
  readonly to: Bytes | undefined;
  /** Code of the account `to`, or the init code. */
  readonly code: Bytes;
}

/**
 * One for each node. ABIs and sources that are added to the registry are used from the next failure on. The code that
 * reads sources is loaded when the first failure is explained.
 */
export class FailureExplainer {
  readonly #abi: AbiRegistry;
  readonly #code = once(() => import("../../../explain/stack/solidity-stack.ts"));
  /** Of all errors of the node. */
  readonly form: Omit<FailureDetails, "stack">;

  constructor(abi: AbiRegistry, form: Omit<FailureDetails, "stack"> = {}) {
    this.#abi = abi;
    this.form = form;
  }

  /** True if any sources may be known. If not, nothing is run again for an explanation. */
  get knowsSources(): boolean {
    return !this.#abi.builds.isEmpty;
  }

  /**
   * @param recording - made with {@link EXPLAINED_RECORDING}
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   */
  async explain(recording: Recording): Promise<Explanation> {
    return { stack: await this.#stack(recording), gaps: this.#abi.builds.gaps };
  }

  async #stack(recording: Recording): Promise<SolidityStack | undefined> {
    const [contracts, { solidityStack }] = await Promise.all([
      this.#abi.builds.contractsIn(recording.frames),
      this.#code(),
    ]);
    return solidityStack(recording, { abi: this.#abi, contracts });
  }

  /**
   * The error of a failed execution, with the names that are known. If sources are known, it has a stack trace, for which
   * the execution runs once more. Folders of artifacts are read when one of these members is, since most errors of a test
   * are expected ones.
   *
   * @param record - runs it again with {@link EXPLAINED_RECORDING}
   */
  async failure(
    { error, outcome, to, code }: FailedExecution,
    record: () => Promise<Recording>,
  ): Promise<ExecutionError> {
    const stack = this.knowsSources ? await this.#laterStack(record) : undefined;
    const known = (): Contract | undefined => {
      this.#abi.refreshAtOnce();
      return this.#abi.contractAt(to, code);
    };
    return failureOf(error, outcome, { ...this.form, stack }).concerning({
      ...(to === undefined ? {} : { contract: encodeData(to) }),
      contractName: () => known()?.name,
      customError: () => customErrorOf(outcome.output, this.#abi, known()),
    });
  }

  /**
   * Makes the stack trace as text, on demand unless the message has it or the recording is long. There is none if it cannot
   * be made, at a limit or for a broken build file: the failure is reported without it.
   */
  async #laterStack(record: () => Promise<Recording>): Promise<() => string | undefined> {
    try {
      const recording = await record();
      await this.#abi.builds.lookUp(recording.frames);
      if (this.form.hasStackInMessage !== true && isShort(recording)) {
        const { solidityStack } = await this.#code();
        return () => this.#textAtOnce(recording, solidityStack);
      }
      const stack = await this.#stack(recording);
      const text = stack && stackText(stack);
      return () => text;
    } catch (cause) {
      return noStack(cause);
    }
  }

  #textAtOnce(recording: Recording, make: typeof solidityStack): string | undefined {
    try {
      const stack = make(recording, {
        abi: this.#abi,
        contracts: this.#abi.builds.contractsInAtOnce(recording.frames),
      });
      return stack && stackText(stack);
    } catch (cause) {
      return noStack(cause)();
    }
  }
}

function isShort({ steps }: Recording): boolean {
  return !(steps instanceof StepTable) || steps.length <= HELD_STEPS;
}

/** @throws whatever is no error of this project's hierarchy */
function noStack(cause: unknown): () => undefined {
  if (cause instanceof HindcastError) return () => undefined;
  throw cause;
}

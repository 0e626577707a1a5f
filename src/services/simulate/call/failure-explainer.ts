/** Explains failures by the contract sources that a node knows. */
import type { FailureFacts } from "../../../errors/hindcast-error.ts";
import { customErrorOf } from "../../../explain/abi/custom-error.ts";
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import type { SolidityStack } from "../../../explain/stack/stack-frame.ts";
import { stackText } from "../../../explain/stack/stack-text.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { Recording } from "../../../tracer/recording.ts";

/** Reason of a failure and its place in the source. */
export interface Explanation {
  /** Undefined if the execution succeeded. */
  readonly stack: SolidityStack | undefined;
  /** Facts that are missing because the builds do not have them, one sentence each. */
  readonly gaps: readonly string[];
}

/** Most bytes of recorded steps for an explanation. */
const MAX_BYTES = 2 ** 30;

/** The recording that an explanation needs: steps, without memory writes. */
export const EXPLAINED_RECORDING = { steps: true, maxBytes: MAX_BYTES } as const;

/**
 * One for each node. ABIs and sources that are added to the registry are used from the next failure on. The code that
 * reads sources is loaded when the first failure is explained.
 */
export class FailureExplainer {
  readonly #abi: AbiRegistry;

  constructor(abi: AbiRegistry) {
    this.#abi = abi;
  }

  /** True if any sources are known. If not, nothing is run again for an explanation. */
  get knowsSources(): boolean {
    return !this.#abi.builds.isEmpty;
  }

  /**
   * @param recording - made with {@link EXPLAINED_RECORDING}
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   */
  async explain(recording: Recording): Promise<Explanation> {
    const [contracts, { solidityStack }] = await Promise.all([
      this.#abi.builds.contracts(),
      import("../../../explain/stack/solidity-stack.ts"),
    ]);
    return { stack: solidityStack(recording, { abi: this.#abi, contracts }), gaps: this.#abi.builds.gaps };
  }

  /** The names of the contract that failed and of its custom error. */
  factsOf(data: Bytes, contract: Bytes | undefined, code: Bytes): FailureFacts {
    const known = this.#abi.contractAt(contract, code);
    return { contractName: known?.name, customError: customErrorOf(data, this.#abi, known) };
  }

  /** The stack trace as text; empty if there is none. */
  async text(recording: Recording): Promise<string> {
    const { stack } = await this.explain(recording);
    return stack === undefined ? "" : stackText(stack);
  }
}

/** Explains failures by the sources that a node was told of. */
import type { AbiRegistry } from "../../../explain/abi/registry.ts";
import { solidityStack } from "../../../explain/stack/solidity-stack.ts";
import type { SolidityStack } from "../../../explain/stack/stack-frame.ts";
import { stackText } from "../../../explain/stack/stack-text.ts";
import type { Recording } from "../../../tracer/recording.ts";

/** Why something failed, and where in the source. */
export interface Explanation {
  /** Undefined for what succeeded. */
  readonly stack: SolidityStack | undefined;
  /** What the builds cannot tell, in a sentence each. */
  readonly gaps: readonly string[];
}

/** Most bytes of steps that an explanation may take. */
const MAX_BYTES = 2 ** 30;

/** What an explanation is made of: steps, without what they wrote to memory. */
export const EXPLAINED_RECORDING = { steps: true, maxBytes: MAX_BYTES } as const;

export class FailureExplainer {
  readonly #abi: AbiRegistry;

  constructor(abi: AbiRegistry) {
    this.#abi = abi;
  }

  /** True where sources are known: without them nothing is run again for an explanation. */
  get knowsSources(): boolean {
    return !this.#abi.builds.isEmpty;
  }

  /**
   * @param recording - made as {@link EXPLAINED_RECORDING} says
   * @throws {InvalidParamsError} `FILE_NOT_READABLE`, `INVALID_BUILD` for build files
   */
  async explain(recording: Recording): Promise<Explanation> {
    const contracts = await this.#abi.builds.contracts();
    return { stack: solidityStack(recording, { abi: this.#abi, contracts }), gaps: this.#abi.builds.gaps };
  }

  /** The stack trace as text; empty where there is none. */
  async text(recording: Recording): Promise<string> {
    const { stack } = await this.explain(recording);
    return stack === undefined ? "" : stackText(stack);
  }
}

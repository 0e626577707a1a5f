/** Init code that reverts with data that begins with 0xef, where EthereumJS runs the creation. */
import { EVMError, type EVMResult, type ExecResult } from "@ethereumjs/evm";

const texts = EVMError.errorMessages;

/**
 * EthereumJS takes such data for code, which must not begin so (EIP-3541), and all gas with it. On every chain the init
 * code has reverted, and that is all: only what it returns becomes code.
 */
export class InitCodeReverts {
  #last: ExecResult | undefined;

  /** Notes what init code ended with. */
  note(result: ExecResult): void {
    this.#last = result;
  }

  /** The result of a creation, whose init code was the last that ended if it ran at all. */
  restore(result: EVMResult): EVMResult {
    const reverted = this.#last;
    this.#last = undefined;
    if (result.execResult.exceptionError?.error !== texts.INVALID_BYTECODE_RESULT) return result;
    if (reverted?.exceptionError?.error !== texts.REVERT) return result;
    return { ...result, execResult: reverted };
  }
}

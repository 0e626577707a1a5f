/** The Solidity stack of the last request that failed, which is printed if its test fails. */
import { ExecutionError, type HindcastError } from "../errors/hindcast-error.ts";

type OnRequest = (method: string, error: HindcastError | undefined) => void;

/** ethers and viem throw errors of their own, in which the stack is hidden. */
export class LastFailure {
  readonly #next: OnRequest | undefined;
  #last: { readonly method: string; readonly error: ExecutionError } | undefined;

  /** @param next - the user's own listener */
  constructor(next: OnRequest | undefined) {
    this.#next = next;
  }

  /** For the node's option of this name. */
  readonly onRequest: OnRequest = (method, error) => {
    if (error instanceof ExecutionError) this.#last = { method, error };
    this.#next?.(method, error);
  };

  /** Begins a test. */
  forget(): void {
    this.#last = undefined;
  }

  /** Prints the stack, if a request of this test failed in a contract whose source is known. */
  print(): void {
    const { method, error } = this.#last ?? {};
    if (error?.solidityStack === undefined) return;
    process.stderr.write(`The last request of this test that failed was ${method}: ${error.solidityStack}\n`);
  }
}

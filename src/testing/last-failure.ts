/** The Solidity stack of the last request that failed, which is printed if its test fails. */
import type { HindcastError } from "../errors/hindcast-error.ts";

type OnRequest = (method: string, error: HindcastError | undefined) => void;

/** ethers and viem throw errors of their own, in which the stack is hidden. */
export class LastFailure {
  readonly #next: OnRequest | undefined;
  #text = "";

  /** @param next - the user's own listener */
  constructor(next: OnRequest | undefined) {
    this.#next = next;
  }

  /** For the node's option of this name. */
  readonly onRequest: OnRequest = (method, error) => {
    if (error?.solidityStack !== undefined) this.#text = `${method}: ${error.solidityStack}`;
    this.#next?.(method, error);
  };

  /** Begins a test. */
  forget(): void {
    this.#text = "";
  }

  /** Prints the stack, if a request of this test failed in a contract whose source is known. */
  print(): void {
    if (this.#text !== "") process.stderr.write(`The last request of this test that failed was ${this.#text}\n`);
  }
}

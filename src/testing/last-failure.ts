/** The Solidity stack of the last request that failed, which is printed if its test fails. */
import { ExecutionError, type HindcastError } from "../errors/hindcast-error.ts";
import { absolutePath, stampOf } from "../primitives/platform/files.ts";

type OnRequest = (method: string, error: HindcastError | undefined) => void;

/** ethers and viem throw errors of their own, in which the stack is hidden. */
export class LastFailure {
  readonly #next: OnRequest | undefined;
  readonly #folders: readonly string[];
  #last: { readonly method: string; readonly error: ExecutionError } | undefined;

  /**
   * @param next - the user's own listener
   * @param folders - of the user's artifacts
   */
  constructor(next: OnRequest | undefined, folders: readonly string[] = []) {
    this.#next = next;
    this.#folders = folders;
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

  /** Prints the stack, if a request of this test failed in a contract whose source is known, or why it cannot be known. */
  print(): void {
    const text = this.text();
    if (text !== undefined) process.stderr.write(`${text}\n`);
  }

  /** The text that is printed. */
  text(): string | undefined {
    if (this.#last === undefined) return undefined;
    const { method, error } = this.#last;
    const start = `The last request of this test that failed was ${method}`;
    if (error.solidityStack !== undefined) return `${start}: ${error.solidityStack}`;
    const missing = this.#folders.find((folder) => stampOf(folder) === undefined);
    return (
      missing && `${start}. There are no artifacts to explain it: the folder ${absolutePath(missing)} does not exist.`
    );
  }
}

/** The Solidity stack of what failed last in a test, which is printed if the test fails: a request, or a mined transaction. */
import type { Block } from "../chainspec/header/block.ts";
import { ExecutionError, type HindcastError } from "../errors/hindcast-error.ts";
import type { SolidityStack } from "../explain/stack/stack-frame.ts";
import { stackText } from "../explain/stack/stack-text.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { absolutePath, stampOf } from "../primitives/platform/files.ts";

type OnRequest = (method: string, error: HindcastError | undefined) => void;

/** What failed, in a few words, and what makes its stack. */
interface Failure {
  readonly start: string;
  readonly stack: () => Promise<string | undefined>;
}

/**
 * ethers and viem throw errors of their own, in which the stack is hidden. A transaction that is mined and reverts fails no
 * request.
 */
export class LastFailure {
  readonly #next: OnRequest | undefined;
  readonly #folders: readonly string[];
  #last: Failure | undefined;

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
    if (error instanceof ExecutionError) {
      const start = `The last request of this test that failed was ${method}`;
      this.#last = { start, stack: async () => error.solidityStack };
    }
    this.#next?.(method, error);
  };

  /** Notes the transactions that a node mines and that fail. Returns a function that stops it. */
  watch(node: HindcastNode): () => void {
    return node.onHeadChange(({ added }) => {
      const hash = added.reduce<Bytes | undefined>((last, block) => failedIn(block, node) ?? last, undefined);
      if (hash === undefined) return;
      const start = `The last transaction of this test that failed was ${encodeData(hash)}`;
      this.#last = { start, stack: () => stackOf(hash, node) };
    });
  }

  /** Begins a test. */
  forget(): void {
    this.#last = undefined;
  }

  /** Prints the stack, if something of this test failed in a contract whose source is known, or why it cannot be known. */
  async print(): Promise<void> {
    const text = await this.text();
    if (text !== undefined) process.stderr.write(`${text}\n`);
  }

  /** The text that is printed. */
  async text(): Promise<string | undefined> {
    if (this.#last === undefined) return undefined;
    const { start, stack } = this.#last;
    const text = await stack();
    if (text !== undefined) return `${start}: ${text}`;
    const missing = this.#folders.find((folder) => stampOf(folder) === undefined);
    return (
      missing && `${start}. There are no artifacts to explain it: the folder ${absolutePath(missing)} does not exist.`
    );
  }
}

/** The last transaction of a block that failed. */
function failedIn(block: Block, node: HindcastNode): Bytes | undefined {
  const index = node.getReceipts(block).findLastIndex(({ status }) => status === false);
  return block.transactions[index]?.hash;
}

/** A stack that cannot be made does not hide why the test failed. */
async function stackOf(hash: Bytes, node: HindcastNode): Promise<string | undefined> {
  const stack = await node.solidityStack(hash).catch(() => undefined);
  const isKnown = stack?.frames.some(({ contract }) => contract !== undefined) === true;
  return isKnown ? stackText(stack as SolidityStack) : undefined;
}

/** Asks any node, and takes errors as answers. */
import { RemoteError } from "../../errors/hindcast-error.ts";
import type { Hex } from "../../primitives/bytes/hex.ts";
import { HttpTransport } from "../../remote/transport/http-transport.ts";
import { usageError } from "../flags/option-values.ts";

/** Milliseconds that an answer may take: a node may have to run a long block again. */
const TIMEOUT_MS = 60_000;

const METHOD_NOT_FOUND = -32601;

/** An error that a node answered. */
export class AnswerError extends Error {
  readonly method: string;
  readonly code: number;

  constructor(method: string, { code, message }: { code: number; message: string }) {
    super(message);
    this.method = method;
    this.code = code;
  }

  /** Whether the node does not have the method. */
  get isMissing(): boolean {
    return this.code === METHOD_NOT_FOUND;
  }
}

/** An answer of any node, of whatever shape. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any node are looked into by name; what is not there is a difference
export type Answer = any;

/** @throws {AnswerError} for an error of the node; {@link RemoteError} `REMOTE_UNREACHABLE` where it does not answer */
export type Ask = (method: string, ...params: unknown[]) => Promise<Answer>;

/**
 * A function that asks the node at a URL.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` if the URL is none
 */
export function nodeAt(url: string): { readonly label: string; readonly ask: Ask } {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw usageError(`expected a URL such as http://127.0.0.1:8545, got "${url}".`, "Run hindcast trace-check --help.");
  }
  const transport = new HttpTransport(url);
  let id = 0;
  const ask: Ask = async (method, ...params) => {
    const request = { jsonrpc: "2.0", id: ++id, method, params } as const;
    const reply = await transport.send([request], AbortSignal.timeout(TIMEOUT_MS)).catch((cause: unknown) => {
      throw unreachable(transport.label, method, cause instanceof Error ? cause.message : String(cause));
    });
    const [answer] = reply.answers ?? [];
    if (answer === undefined) throw unreachable(transport.label, method, reply.problem ?? "no answer");
    if (answer.error !== undefined) throw new AnswerError(method, answer.error);
    return answer.result;
  };
  return { label: transport.label, ask };
}

function unreachable(label: string, method: string, problem: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_UNREACHABLE",
    what: `The node ${label} does not answer ${method}.`,
    where: `${problem}.`,
    fix: "Check the URL, and that the node runs.",
  });
}

/** Facts about the node that points need. */
export interface CheckedNode {
  readonly ask: Ask;
  /**
   * Runs an init code.
   *
   * @param types - of traces: `trace`, `vmTrace`
   * @param gas - QUANTITY; default a million
   */
  readonly create: (data: Hex, types: readonly string[], gas?: Hex) => Promise<Answer>;
  /** Number of the head. */
  readonly head: number;
  /** An account with ether, from which calls can send value. */
  readonly payer: Hex | undefined;
  /** A mined transaction. */
  readonly transaction: MinedTransaction | undefined;
}

/** A transaction of one of the last blocks, with its traces. */
export interface MinedTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly blockNumber: Hex;
  readonly traces: readonly Answer[];
}

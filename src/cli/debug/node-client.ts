/** Asks a node by JSON-RPC over HTTP, for the debugger. */
import type { Ask } from "../../debugger/recording/fetch-transaction.ts";
import { RemoteError } from "../../errors/hindcast-error.ts";
import { HttpTransport } from "../../remote/transport/http-transport.ts";
import { usageError } from "../flags/option-values.ts";

/** Milliseconds that an answer may take: the node may have to run a long block again. */
const TIMEOUT_MS = 300_000;
const METHOD_NOT_FOUND = -32601;

/**
 * A function that asks the node at a URL.
 *
 * @returns it throws {@link RemoteError} `REMOTE_UNREACHABLE`, `REMOTE_METHOD_MISSING` or `REMOTE_REFUSED`
 * @throws {InvalidParamsError} `INVALID_OPTION` if the URL is none
 */
export function askNode(url: string): Ask {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw usageError(`--rpc-url: expected a URL such as http://127.0.0.1:8545, got "${url}".`);
  }
  const transport = new HttpTransport(url);
  let id = 0;
  return async (method, params) => {
    const request = { jsonrpc: "2.0", id: ++id, method, params } as const;
    const reply = await transport.send([request], AbortSignal.timeout(TIMEOUT_MS)).catch((cause: unknown) => {
      throw unreachable(transport.label, cause instanceof Error ? cause.message : String(cause), cause);
    });
    const [answer] = reply.answers ?? [];
    if (answer === undefined) throw unreachable(transport.label, reply.problem ?? "no answer");
    const { error } = answer;
    if (error === undefined) return answer.result;
    if (error.code === METHOD_NOT_FOUND) throw notHindcast(transport.label, method);
    throw new RemoteError({
      code: "REMOTE_REFUSED",
      what: `The node ${transport.label} answers: ${error.message}`,
      fix: "Check the hash, and that this is the node that mined the transaction.",
    });
  };
}

function unreachable(label: string, problem: string, cause?: unknown): RemoteError {
  return new RemoteError({
    code: "REMOTE_UNREACHABLE",
    what: `The node ${label} cannot be reached.`,
    where: `${problem}.`,
    fix: "Check --rpc-url, and that the node runs.",
    cause,
  });
}

function notHindcast(label: string, method: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_METHOD_MISSING",
    what: `The node ${label} does not have the method ${method}.`,
    fix: "Only Hindcast has it: use a Hindcast node of this version, for example a fork of the other chain.",
  });
}

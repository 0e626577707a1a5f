/** The errors of upstream nodes. */
import { RemoteError } from "../errors/hindcast-error.ts";
import type { UpstreamCall } from "./upstream.ts";

/** The JSON-RPC error of an upstream node. */
export interface UpstreamError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Most characters of a node's words in a message, and of the data of its error, which programs read. */
const MOST_TEXT = 300;
const MOST_DATA = 4_096;

/** The beginning of a text, and its length if it is cut: nodes may send megabytes. */
export function shortened(text: string, most = MOST_TEXT): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (cut: it has ${text.length} characters)`;
}

const quote = (text: string): string => JSON.stringify(shortened(text));

/** A sentence with words of a node. */
function sentence(text: string): string {
  const short = shortened(text);
  return short.endsWith(".") ? short : `${short}.`;
}

/** The data of an error; as text if it is too long. */
function dataOf({ code, message, data }: UpstreamError): unknown {
  const text = typeof data === "string" ? data : (JSON.stringify(data) ?? "");
  const short = text.length <= MOST_DATA ? data : shortened(text, MOST_DATA);
  return { code, message: shortened(message), ...(short === undefined ? {} : { data: short }) };
}

/** The node does not answer. */
export function unreachable(label: string, problem: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_UNREACHABLE",
    what: `The upstream ${label} cannot be reached.`,
    where: `The last attempt: ${sentence(problem)}`,
    fix: "Check the URL and that the node runs, name a second URL, or raise the number of retries.",
  });
}

/** The node refused every call for its pace until the time limit. */
export function rateLimited(label: string, problem: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_RATE_LIMITED",
    what: `The upstream ${label} refuses all calls because of its rate limit.`,
    where: `Its answer: ${sentence(problem)}`,
    fix: "Wait, name a second URL, use a key with a higher limit, or raise the timeout.",
  });
}

/** The node does not know the block, even after some seconds. */
export function unknownBlock(label: string, block: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_BLOCK_UNKNOWN",
    what: `The upstream ${label} does not know block ${shortened(block)}.`,
    where: "A node behind a load balancer may lag. Unless `retries` is 0, it was asked again for some seconds.",
    fix: "The block may have been reorganised away, or belong to another chain: name another one.",
  });
}

/** The node has deleted the state of the block. */
export function prunedState(label: string, message: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_STATE_PRUNED",
    what: `The upstream ${label} does not have the state of the block.`,
    where: `Its answer: ${quote(message)}.`,
    fix: "Use an archive node, begin the fork at a newer block (most nodes keep the states of the last 128), or, if the state was read before, work from the cache with `offline`.",
  });
}

/** The node does not serve the method. */
export function methodMissing(label: string, method: string, message: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_METHOD_MISSING",
    what: `The upstream ${label} does not serve ${method}.`,
    where: `Its answer: ${quote(message)}.`,
    fix: "Use another node or provider, or an option that does without this method.",
  });
}

/** The answer does not have the expected form. */
export function badAnswer(label: string, call: UpstreamCall, problem: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_BAD_ANSWER",
    what: `The upstream ${label} gave no usable answer to ${call.method}.`,
    where: sentence(problem),
    fix: "Use another node or provider; this one, or a proxy before it, does not answer as Ethereum nodes do.",
  });
}

/** Any other error of the node, which is passed on. */
export function refused(label: string, call: UpstreamCall, error: UpstreamError): RemoteError {
  return new RemoteError({
    code: "REMOTE_REFUSED",
    what: `The upstream ${label} answered ${call.method} with error ${error.code}.`,
    where: `Its message: ${quote(error.message)}.`,
    fix: "See what the upstream's documentation says of it.",
    data: dataOf(error),
  });
}

/** The node, or one of several, has another chain or block than expected. */
export function disagrees(label: string, what: string, where: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_DISAGREES",
    what: `The upstream ${label} holds another chain: ${sentence(what)}`,
    where: sentence(where),
    fix: "Name URLs of the same chain, and a block that all of them have.",
  });
}

/** The answer contradicts the hash of the block. */
export function lie(label: string, subject: string, problem: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_LIE",
    what: `The upstream ${label} gave a false answer about ${shortened(subject)}.`,
    where: sentence(problem),
    fix: "Use another node or provider. Nothing of this answer was stored.",
  });
}

/** Offline, and the cache does not have the block of the fork. */
export function missingBlockOffline(name: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_OFFLINE",
    what: `The cache does not have block ${shortened(name)}, or does not know which chain it is of.`,
    where:
      "The upstream is not asked, because of `offline`. A number leads to a block only if it was final when this URL was asked for it.",
    fix: "Name the block by its hash, and its chain by the URL or by `chainId`; or run once without `offline`, so that it is fetched and stored.",
  });
}

/** Offline, and the cache does not have the answer. */
export function missingOffline(subject: string): RemoteError {
  return new RemoteError({
    code: "REMOTE_OFFLINE",
    what: `The cache does not have ${shortened(subject)}.`,
    where: "The upstream is not asked, because of `offline`.",
    fix: "Run once without `offline`, so that it is fetched and stored.",
  });
}

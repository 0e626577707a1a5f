/** Classifies the errors of upstream nodes by the texts and numbers that nodes and providers use. Pure. */
import { shortened } from "../remote-errors.ts";
import type { RpcError, TransportReply } from "../transport/transport.ts";

/**
 * Reason why a call or a whole message has no result.
 *
 * - `pace`: too many requests; later it will be answered.
 * - `batch`: too many calls in one message.
 * - `broken`: no answer, or an unreadable one; a retry may help.
 * - `unknownBlock`: the node may lag behind.
 * - `pruned`: the state or history was deleted.
 * - `method`: the method is not served.
 * - `refused`: any other error, which a retry does not change.
 */
export type FailureKind = "pace" | "batch" | "broken" | "unknownBlock" | "pruned" | "method" | "refused";

/** Why a call failed, and whether it may be repeated. */
export interface Failure {
  readonly kind: FailureKind;
  /** Text without secrets. */
  readonly problem: string;
  readonly error?: RpcError | undefined;
  readonly retryAfterMs?: number | undefined;
  /** True if nothing was received: no connection, a broken one, or a timeout. */
  readonly isSilence?: boolean | undefined;
}

/**
 * Patterns of JSON-RPC error texts; the first match decides. Observed in geth, Erigon, Nethermind, Besu, Reth, Anvil,
 * Alchemy, Infura, QuickNode, Ankr, dRPC, Chainstack, PublicNode and Cloudflare.
 */
const WORDS: readonly (readonly [kind: FailureKind, words: RegExp])[] = [
  [
    "batch",
    /batch (?:size|limit|too|of more|requests? (?:are|is) not|is not|not)|(?:max|maximum|limit)[\w ]* batch|batch(?:ed)? (?:requests? )?(?:are |is )?(?:not supported|disabled)|too many (?:requests|calls) in (?:a |the )?batch|number of requests in a batch/i,
  ],
  [
    "pace",
    /rate.?limit|rate exceeded|too many requests|compute units|throughput|(?:capacity|quota|credits?|request (?:count|limit)|requests? per|calls per|daily|monthly)[\w -]*(?:exceeded|reached|limit)|exceeded[\w' -]*(?:capacity|quota|credits?|limit of|requests|calls per)|slow down|throttl|requests? limited/i,
  ],
  [
    "pruned",
    /missing trie node|state (?:histor(?:y|ies) )?(?:for block |at block |of block |root |0x[\w]+ )*[\w ]*(?:is |are )?(?:not|un)[ -]?available|historical (?:state|data|block)[\w ]*(?:unavailable|not available|not found)|no state (?:available|found)|no historical|historical [\w ]*(?:queries|states?) (?:are |is )?not supported|world state unavailable|pruned|prun(?:ing|e) (?:window|point|history)|archive|distance to target block|outside (?:of )?the (?:proof|history|state) window|exceeds maximum proof window|state (?:already )?(?:discarded|has been|recreation)|state histor(?:y|ies) [\w' ]*(?:indexed|available)|block (?:is )?(?:too old|out of range)|history (?:expired|not available)|old data not available|required historical state|only [\w ]*(?:last|recent|latest) \d+ blocks/i,
  ],
  [
    "unknownBlock",
    /header (?:not found|for hash not found)|unknown block|block (?:\w+ )?(?:not found|does not exist|is not yet|not known)|cannot (?:find|resolve) block|could not find block|no block (?:found|with)|(?:requested )?block[\w ]* (?:greater|higher) than|future block|block number out of range|after last accepted block|hash is not currently canonical|unknown (?:header|hash)/i,
  ],
  [
    "method",
    /method[\w "'`:]*(?:not found|does not exist|is not (?:available|supported|whitelisted|allowed|enabled)|not (?:supported|available|allowed|enabled|implemented)|disabled|unsupported|blocked)|unsupported method|unknown method|no such method|not available on (?:the )?(?:free|your|this)/i,
  ],
  [
    "refused",
    /cannot wrap|\[object Object\]|cannot unmarshal|(?:invalid|unexpected|wrong|unsupported) (?:type|argument|param(?:eter)?s?\b|block (?:parameter|identifier|id\b|tag))/i,
  ],
  [
    "broken",
    /internal (?:server |json-?rpc )?error|(?:layer|snapshot) stale|time[d]?[ -]?out|temporar|try again|unavailable|overload|busy|upstream|bad gateway|connection|eof|cancel+ed|no (?:available|healthy|response)|all providers/i,
  ],
];

/** Characters of an error's text that are read. */
const MOST_READ = 1_000;

/** JSON-RPC error numbers whose meaning does not depend on the text. */
const CODES: Readonly<Record<number, FailureKind>> = {
  [-32005]: "pace",
  [-32007]: "pace",
  429: "pace",
  [-32601]: "method",
  4444: "pruned",
  [-39001]: "unknownBlock",
  [-32603]: "broken",
};

/** The failure of a JSON-RPC error. */
export function failureOf(error: RpcError): Failure {
  // The patterns are slow on megabytes.
  const message = error.message.slice(0, MOST_READ);
  const problem = `error ${error.code}, ${JSON.stringify(shortened(message))}`;
  // A failed execution is a result, whatever its text (execution-apis: 3).
  if (error.code === 3 || /^execution reverted|^(?:vm|err:) /i.test(message)) {
    return { kind: "refused", problem, error };
  }
  const kind = WORDS.find(([, words]) => words.test(message))?.[0] ?? CODES[error.code] ?? "refused";
  // geth refuses a too wide range of logs with the number that other nodes use for the pace.
  const isRange = /block range|response size|query (?:returned|timeout)|more than \d+ results|too many results/i;
  if (isRange.test(message)) return { kind: "refused", problem, error };
  return { kind, problem, error, retryAfterMs: waitOf(error.data) };
}

/** Milliseconds to wait, which Infura and others give in the error's data. */
function waitOf(data: unknown): number | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  if ("try_again_in" in data && typeof data.try_again_in === "string") {
    const match = /^([\d.]+)(ms|s|)$/.exec(data.try_again_in);
    if (match !== null) return Number(match[1]) * (match[2] === "ms" ? 1 : 1000);
  }
  if (!("rate" in data) || typeof data.rate !== "object" || data.rate === null) return undefined;
  const seconds = "backoff_seconds" in data.rate ? Number(data.rate.backoff_seconds) : Number.NaN;
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** The failure of a whole message; undefined if its answers are to be read one by one. */
export function failureOfReply(reply: TransportReply, calls: number): Failure | undefined {
  const { status = 200, answers, retryAfterMs } = reply;
  const only = answers?.length === 1 ? answers[0]?.error : undefined;
  const problem = reply.problem ?? (only === undefined ? `HTTP ${status}` : failureOf(only).problem);
  if (status === 429) return { kind: "pace", problem, retryAfterMs };
  if (answers !== undefined && calls > 1 && answers.length === 1 && only !== undefined) {
    const failure = failureOf(only);
    // A single error for all calls concerns the pace, the batch, or an unnamed call.
    const kind = failure.kind === "pace" || failure.kind === "broken" ? failure.kind : "batch";
    return { ...failure, kind, retryAfterMs: retryAfterMs ?? failure.retryAfterMs };
  }
  if (answers !== undefined) return undefined;
  if (status === 413 || (calls > 1 && (status === 400 || status === 422))) return { kind: "batch", problem };
  const isFinal = status === 401 || status === 403 || status === 404 || status === 405;
  return { kind: isFinal ? "refused" : "broken", problem, retryAfterMs };
}

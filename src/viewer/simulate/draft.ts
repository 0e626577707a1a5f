/** The sequence of calls that a user composes, converted into an address, a request, or code. */
import { ask } from "../rpc/client.ts";
import type { Transaction } from "../rpc/types.ts";
import { etherText, weiOf } from "../text/amount.ts";

/** One call, as typed. */
export interface DraftCall {
  readonly from: string;
  /** Empty for a contract creation. */
  readonly to: string;
  /** In ETH. */
  readonly value: string;
  /** DATA */
  readonly data: string;
  /** Most gas, as a number; empty for as much as the node allows. */
  readonly gas: string;
}

/** Text as the user typed it, also where it is not valid. */
export interface Draft {
  readonly calls: readonly DraftCall[];
  /** Block number or tag. */
  readonly block: string;
  /** JSON by address; empty if there are none. */
  readonly overrides: string;
}

/** The first call of a new page. */
export const EMPTY_CALL: DraftCall = { from: "", to: "", value: "0", data: "0x", gas: "" };
/** The draft of a page without `?draft=`. */
export const EMPTY_DRAFT: Draft = { calls: [EMPTY_CALL], block: "latest", overrides: "" };

/** Encodes a draft for the page's address. */
export function draftText(draft: Draft): string {
  const bytes = new TextEncoder().encode(JSON.stringify(draft));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Decodes a draft from a link. A link is untrusted: invalid members are left out. Without a draft the result is empty.
 */
export function readDraft(text: string | null): Draft {
  if (text === null) return EMPTY_DRAFT;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const parsed = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Draft>;
    const calls = Array.isArray(parsed.calls) ? parsed.calls.map(readCall) : [];
    const member = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback);
    return {
      calls: calls.length === 0 ? [EMPTY_CALL] : calls,
      block: member(parsed.block, "latest"),
      overrides: member(parsed.overrides, ""),
    };
  } catch {
    return EMPTY_DRAFT;
  }
}

function readCall(value: unknown): DraftCall {
  const given = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const member = (name: keyof DraftCall): string =>
    typeof given[name] === "string" ? (given[name] as string) : EMPTY_CALL[name];
  return { from: member("from"), to: member("to"), value: member("value"), data: member("data"), gas: member("gas") };
}

/**
 * Returns the params of trace_callMany.
 *
 * @throws {Error} if an input is invalid
 */
export function paramsOf({ calls, block, overrides }: Draft): readonly unknown[] {
  const list = calls.map((call) => [callObjectOf(call), ["trace", "stateDiff"]]);
  const id = blockIdOf(block.trim() || "latest");
  return overrides.trim() === "" ? [list, id] : [list, id, JSON.parse(overrides) as unknown];
}

/**
 * The call of a request.
 *
 * @throws {Error} if an amount is not valid
 */
export function callObjectOf({ from, to, value, data, gas }: DraftCall): Readonly<Record<string, string>> {
  return {
    ...(from.trim() === "" ? {} : { from: from.trim() }),
    ...(to.trim() === "" ? {} : { to: to.trim() }),
    value: `0x${weiOf(value).toString(16)}`,
    data: data.trim() === "" ? "0x" : data.trim(),
    ...(gas.trim() === "" ? {} : { gas: quantityOf(gas) }),
  };
}

/** A number in decimal as QUANTITY; other texts unchanged. */
export function blockIdOf(text: string): string {
  return /^\d+$/.test(text.trim()) ? `0x${BigInt(text.trim()).toString(16)}` : text.trim();
}

/** @throws {Error} if the text is no whole number */
function quantityOf(text: string): string {
  if (!/^\s*\d+\s*$/.test(text)) throw new Error(`${text}: expected a number of gas such as 100000.`);
  return `0x${BigInt(text.trim()).toString(16)}`;
}

/** The draft that runs a mined transaction again, on the state that its block began with. */
export function draftOf(tx: Transaction): Draft {
  const { from, to, value, input, gas, blockNumber } = tx;
  const parent = blockNumber === null || BigInt(blockNumber) === 0n ? "latest" : String(BigInt(blockNumber) - 1n);
  const call = { from, to: to ?? "", value: etherText(BigInt(value)), data: input, gas: String(BigInt(gas)) };
  return { calls: [call], block: parent, overrides: "" };
}

/** Runs a mined transaction as it was mined. */
export function replay(hash: string): Promise<Outcome> {
  return ask<Outcome>("trace_replayTransaction", hash, ["trace", "stateDiff"]);
}

/** A flat trace, with the members that are shown. */
export interface FlatTrace {
  readonly type: string;
  readonly traceAddress: readonly number[];
  readonly error?: string;
  readonly action: Readonly<Record<string, string>>;
  readonly result?: Readonly<Record<string, string>> | null;
}

/** A value of a state diff. `*`: changed from one value to another; `+` and `-`: added or removed; `=`: unchanged. */
type Difference = "=" | Readonly<Record<string, string | { readonly from: string; readonly to: string }>>;

/** One item of the answer of `trace_callMany`. */
export interface Outcome {
  readonly output: string;
  readonly trace: readonly FlatTrace[];
  readonly stateDiff: Readonly<
    Record<
      string,
      {
        readonly balance: Difference;
        readonly nonce: Difference;
        readonly code: Difference;
        readonly storage: Readonly<Record<string, Difference>>;
      }
    >
  >;
}

/** Runs the sequence with trace_callMany. Nothing is mined. */
export async function run(draft: Draft): Promise<readonly Outcome[]> {
  return ask<readonly Outcome[]>("trace_callMany", ...paramsOf(draft));
}

/** Returns a curl command that runs the same sequence. */
export function curlOf(draft: Draft, url: string): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "trace_callMany", params: paramsOf(draft) });
  return `curl -s ${url} -H 'content-type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns a module for viem, in JavaScript and TypeScript, that runs the same sequence and prints the results as JSON. It
 * calls the transport, because the types of viem's clients do not know trace_callMany.
 */
export function viemOf(draft: Draft, url: string): string {
  return `import { http } from "viem";

const { request } = http(${JSON.stringify(url)})({});
const results = await request({
  method: "trace_callMany",
  params: ${JSON.stringify(paramsOf(draft), undefined, 2).replaceAll("\n", "\n  ")},
});
console.log(JSON.stringify(results, undefined, 2));
`;
}

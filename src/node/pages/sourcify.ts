/**
 * Contracts that the node knows, in the form of a server of Sourcify: its API of version 2, and its repository of files.
 * Explorers such as Otterscan read sources there. Nothing is read from disk by a name of a request.
 */
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, isData } from "../../primitives/bytes/hex.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { PageContent, PageRequest } from "../../server/http/http-server.ts";
import {
  contractMembers,
  contractMetadata,
  hashOf,
  type KnownContract,
  sourceTexts,
  sourcifyMatch,
} from "../../sources/served-contract.ts";

const JSON_TYPE = "application/json";
/** A browser that opens a source shows it as text, whatever it is. */
const TEXT_TYPE = "text/plain; charset=utf-8";
const ADDRESS_LENGTH = 42;

/**
 * Answers a request. What is wrong with it is said as Sourcify says it: the status, and an object with `customCode`.
 *
 * @param path - what follows `/sourcify/`, as the client sent it
 */
export function answerSourcify(context: RpcContext, path: string, request: PageRequest): Promise<PageContent> {
  const [first, second, ...rest] = path.split("/");
  if (first === "v2" && second === "contract") return answerContract(context, rest, request);
  // Sourcify's own server has the repository below another name.
  const files = first === "repository" ? path.slice("repository/".length) : path;
  if (files.startsWith("contracts/")) return answerFile(context, files.split("/").slice(1));
  const served = "GET /sourcify/v2/contract/{chainId}/{address} and /sourcify/contracts/{match}/{chainId}/{address}/…";
  return Promise.resolve(failure(404, "not_found", `This node serves ${served}.`));
}

/** A contract's place as text; a refusal if it is none. */
interface Place {
  readonly chainId: string;
  readonly address: Bytes;
}

function placeOf(chainId: string | undefined, address: string | undefined): Place | PageContent {
  if (chainId === undefined || !/^\d{1,20}$/.test(chainId)) {
    return failure(400, "invalid_parameter", `Invalid chainId: ${String(chainId).slice(0, 80)}`);
  }
  if (address === undefined || address.length !== ADDRESS_LENGTH || !isData(address)) {
    return failure(400, "invalid_parameter", `Invalid address: ${String(address).slice(0, 80)}`);
  }
  return { chainId, address: decodeData(address) };
}

async function knownAt(context: RpcContext, { chainId, address }: Place): Promise<KnownContract | undefined> {
  return BigInt(chainId) === context.chainId ? (await context.analysis()).accountStorage.compiled(address) : undefined;
}

async function answerContract(
  context: RpcContext,
  [chainId, address, ...rest]: readonly string[],
  { query }: PageRequest,
): Promise<PageContent> {
  if (rest.length > 0) return failure(404, "not_found", "Nothing is served below a contract.");
  const isForAll = chainId === "all-chains";
  const place = placeOf(isForAll ? String(context.chainId) : chainId, address);
  if (!("chainId" in place)) return place;
  const known = await knownAt(context, place);
  const match = known === undefined ? null : sourcifyMatch(known);
  const minimal = {
    match,
    creationMatch: null,
    runtimeMatch: match,
    chainId: place.chainId,
    address: checksumAddress(place.address),
  };
  if (isForAll) return json({ results: known === undefined ? [] : [minimal] }, known === undefined ? 404 : 200);
  if (known === undefined) return json(minimal, 404);
  const members = contractMembers(known);
  const chosen = chosenOf(query, Object.keys(members));
  if ("body" in chosen) return chosen;
  const answer: Record<string, unknown> = { ...minimal };
  for (const field of chosen) add(answer, members, field);
  for (const field of listed(query.get("omit"))) omit(answer, field.split("."));
  return json(answer);
}

/** The fields that are asked for; a refusal if there are others among them. */
function chosenOf(query: URLSearchParams, names: readonly string[]): readonly string[] | PageContent {
  const [fields, omitted] = [listed(query.get("fields")), listed(query.get("omit"))];
  if (fields.length > 0 && omitted.length > 0) {
    return failure(400, "invalid_parameter", "Cannot specify both fields and omit at the same time");
  }
  const known = new Set([...names, "match", "creationMatch", "runtimeMatch", "chainId", "address", "all"]);
  const wrong = [...fields, ...omitted].find((field) => !known.has(field.split(".", 1)[0] ?? ""));
  if (wrong !== undefined) {
    return failure(400, "invalid_parameter", `Field selector ${wrong.slice(0, 80)} is not a valid field`);
  }
  return fields.includes("all") || omitted.length > 0 ? names : fields;
}

const listed = (text: string | null): readonly string[] => (text ?? "").split(",").filter((part) => part !== "");

/** Adds a member, or only a part of it for `runtimeBytecode.sourceMap`. */
function add(answer: Record<string, unknown>, members: Readonly<Record<string, () => unknown>>, field: string): void {
  const [name = "", part] = field.split(".");
  const make = Object.hasOwn(members, name) ? members[name] : undefined;
  if (make === undefined) return;
  const value = make();
  if (part === undefined) answer[name] = value;
  else if (isObject(value) && Object.hasOwn(value, part)) {
    answer[name] = { ...(isObject(answer[name]) ? answer[name] : {}), [part]: value[part] };
  }
}

function omit(answer: Record<string, unknown>, [name = "", part]: readonly string[]): void {
  const value = answer[name];
  if (part === undefined) delete answer[name];
  else if (isObject(value)) {
    const { [part]: _, ...others } = value;
    answer[name] = others;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `full_match/{chainId}/{address}/metadata.json` and `…/sources/{path}`, where Sourcify's names of files are accepted. */
async function answerFile(context: RpcContext, parts: readonly string[]): Promise<PageContent> {
  const [wanted, chainId, address, kind, ...rest] = parts;
  const place = placeOf(chainId, address);
  if (!("chainId" in place)) return place;
  const known = await knownAt(context, place);
  const match = known && (sourcifyMatch(known) === "exact_match" ? "full_match" : "partial_match");
  if (known === undefined || match !== wanted) return failure(404, "not_found", "No such file");
  if (kind === "metadata.json" && rest.length === 0) return json(contractMetadata(known));
  const text = kind === "sources" ? sourceNamed(sourceTexts(known), rest.join("/")) : undefined;
  return text === undefined ? failure(404, "not_found", "No such file") : { contentType: TEXT_TYPE, body: text };
}

/**
 * The source that a file of the repository has: by its path, with `_` in place of characters that file names do not have, or by
 * the hash of its content.
 */
function sourceNamed(texts: ReadonlyMap<string, string>, sent: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(sent);
  } catch {
    return undefined;
  }
  for (const [path, text] of texts) {
    const names = [path, path.replaceAll(":", "_"), path.replaceAll(/[@:]/g, "_")];
    if (names.some((each) => each === name || each.replace(/^\/+/, "") === name) || hashOf(text) === name) return text;
  }
  return undefined;
}

const json = (value: unknown, status = 200): PageContent => ({
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(value),
});

const failure = (status: number, customCode: string, message: string): PageContent =>
  json({ customCode, message, errorId: "00000000-0000-0000-0000-000000000000" }, status);

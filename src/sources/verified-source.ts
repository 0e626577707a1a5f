/**
 * Reads what a server of Sourcify's shape says of a contract. It is believed only if the code that the server compiled, or the
 * one that it recorded, is the code that the chain has.
 */

import { HindcastError } from "../errors/hindcast-error.ts";
import { type AbiItem, parseAbi, signatureOf } from "../explain/abi/abi-item.ts";
import type { Artifact } from "../explain/abi/artifacts.ts";
import { type Build, buildSteps, type SourceMatch } from "../explain/source/build.ts";
import { CodeTemplate } from "../explain/source/code-template.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "../explain/source/read/json-values.ts";
import { type Bytes, equalBytes } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { readJsonText } from "../primitives/json/read-json.ts";
import { fromHexDigits, fromUtf8, toHexDigits } from "../primitives/platform/encodings.ts";
import { inTurns } from "../primitives/platform/turns.ts";
import { outlineSources } from "./outline/outline.ts";

/** A contract whose source is believed. */
export interface VerifiedSource {
  readonly artifact: Artifact;
  /** Undefined if the server gives no sources that the code's instructions could be found in. */
  readonly build: Build | undefined;
}

/** A code in the form of the compiler's output, and whether its metadata differ from those of the chain. */
interface RecompiledCode {
  readonly members: JsonObject;
  readonly template: CodeTemplate;
  readonly hasOtherMetadata: boolean;
}

const ANSWER_JSON = { name: "The answer", depth: 256, values: 2_000_000, length: 16 * 1024 * 1024 };
const IDENTIFIER = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]{0,255}$/u;
/** A name that would move the cursor of a terminal is no path. */
const PATH = /^[^\p{Cc}]{1,1024}$/u;

/**
 * The contract of an answer.
 *
 * @param text - JSON of `GET /v2/contract/{chainId}/{address}`
 * @param code - that of the chain
 * @param server - its label, for texts
 * @returns undefined for an answer that is not believed, or that cannot be read
 */
export async function readVerifiedSource(
  text: string,
  code: Bytes,
  server: string,
): Promise<VerifiedSource | undefined> {
  try {
    const answer = objectOf(await readJsonText(text, { limits: ANSWER_JSON }));
    const runtime = recompiled(objectOf(answer.runtimeBytecode), code);
    const match = runtime && matchOf(answer, runtime, code);
    if (runtime === undefined || match === undefined) return undefined;
    return await contractOf(answer, { runtime, match, server });
  } catch (cause) {
    // Not JSON, or of another form than Sourcify's.
    if (cause instanceof SyntaxError || cause instanceof HindcastError) return undefined;
    throw cause;
  }
}

interface Believed {
  readonly runtime: RecompiledCode;
  readonly match: SourceMatch;
  readonly server: string;
}

async function contractOf(
  answer: JsonObject,
  { runtime, match, server }: Believed,
): Promise<VerifiedSource | undefined> {
  const { abi, compilation } = answer;
  const { name, fullyQualifiedName } = objectOf(compilation);
  const path = (textOf(fullyQualifiedName) ?? "").replace(/:[^:]*$/, "");
  if (typeof name !== "string" || !IDENTIFIER.test(name) || !PATH.test(path)) return undefined;
  const creation = recompiled(objectOf(answer.creationBytecode));
  const items = parseAbi(abi ?? []);
  if (items.some((item) => item.kind !== "constructor" && !IDENTIFIER.test(item.name))) return undefined;
  const artifact = { name, abi: items, creation: creation?.template, runtime: runtime.template, sourceMatch: match };
  const evm = {
    bytecode: creation?.members,
    deployedBytecode: runtime.members,
    methodIdentifiers: Object.fromEntries(
      items.filter(({ kind }) => kind === "function").map((item) => [signatureOf(item), selectorOf(signatureOf(item))]),
    ),
  };
  const { storageLayout, transientStorageLayout } = answer;
  const contract = { abi, storageLayout, transientStorageLayout, evm };
  return { artifact, build: await buildOf(answer, { items, path, name, contract, match, server }) };
}

/** An outline has no variables. */
const UNKNOWN_STORAGE = { isKnown: false, variables: [], transient: [], namespaces: [] };

function outlineOf(
  texts: readonly (readonly [string, unknown])[],
  settings: unknown,
  abi: readonly AbiItem[],
): ReadonlyMap<string, JsonObject> {
  const sources = new Map(texts.map(([path, source]) => [path, textOf(objectOf(source).content) ?? ""]));
  const remappings = listOf(objectOf(settings).remappings).flatMap((each) => textOf(each) ?? []);
  return outlineSources(sources, remappings, abi);
}

interface Member {
  readonly items: readonly AbiItem[];
  readonly path: string;
  readonly name: string;
  readonly contract: JsonObject;
  readonly match: SourceMatch;
  readonly server: string;
}

async function buildOf(
  answer: JsonObject,
  { items, path, name, contract, match, server }: Member,
): Promise<Build | undefined> {
  const { compilation, sources, sourceIds } = answer;
  const { language, compilerSettings } = objectOf(compilation);
  const texts = Object.entries(objectOf(sources)).filter(([of]) => PATH.test(of));
  const ids = objectOf(sourceIds);
  const placed = texts.filter(([of]) => countOf(objectOf(ids[of]).id) !== undefined);
  if (placed.length === 0) return undefined;
  const input = {
    language,
    sources: Object.fromEntries(texts),
    ...(isObject(compilerSettings) ? { settings: compilerSettings } : {}),
  };
  // Sourcify's own servers give no AST; others of the same shape may.
  const hasAst = placed.every(([of]) => isObject(objectOf(ids[of]).ast));
  const outlines = hasAst ? undefined : outlineOf(texts, compilerSettings, items);
  const output = {
    sources: Object.fromEntries(placed.map(([of]) => [of, { ast: outlines?.get(of), ...objectOf(ids[of]) }])),
    contracts: { [path]: { [name]: contract } },
  };
  const build = await inTurns(buildSteps(input, output));
  const isLaidOut = hasAst || isObject(contract.storageLayout);
  const gap = `${server} has no ASTs: statements and internal calls of its sources are not known.`;
  return {
    ...build,
    contracts: build.contracts.map((built) => ({
      ...built,
      ...(isLaidOut ? {} : { storage: () => UNKNOWN_STORAGE }),
      sourceMatch: match,
    })),
    gaps: hasAst ? [] : [gap],
  };
}

/**
 * Full or partial, as the server says, if the code is that of the chain; undefined if it is not.
 *
 * @param code - that of the chain
 */
function matchOf(
  answer: JsonObject,
  { template, hasOtherMetadata }: RecompiledCode,
  code: Bytes,
): SourceMatch | undefined {
  const { match, runtimeMatch, creationMatch, runtimeBytecode } = answer;
  const said = runtimeMatch ?? creationMatch ?? match;
  if (said !== "exact_match" && said !== "match") return undefined;
  const recorded = bytesOf(objectOf(runtimeBytecode).onchainBytecode);
  const isRecorded = recorded !== undefined && equalBytes(recorded, code) && code.length === template.bytes.length;
  const isExact = template.matches(code) && !hasOtherMetadata;
  if (!isExact && !isRecorded && !template.matches(code) && !template.matchesBody(code)) return undefined;
  return said === "exact_match" && (isExact || isRecorded) ? "full" : "partial";
}

/**
 * A code of the answer; undefined if it has none.
 *
 * @param chainCode - that of the chain, where it is known
 */
function recompiled(bytecode: JsonObject, chainCode?: Bytes): RecompiledCode | undefined {
  const { recompiledBytecode, onchainBytecode, sourceMap, linkReferences, immutableReferences } = bytecode;
  const compiled = textOf(recompiledBytecode);
  if (compiled === undefined) return undefined;
  const metadata = otherMetadata(bytecode);
  const members = {
    object: compiled,
    sourceMap,
    linkReferences,
    // Metadata of contracts inside the code are gaps, too, where those of the chain are others.
    immutableReferences: { ...objectOf(immutableReferences), ...(metadata.length === 0 ? {} : { metadata }) },
  };
  const template = CodeTemplate.parse(members);
  if (template === undefined) return undefined;
  const recorded = bytesOf(onchainBytecode);
  const isOther = chainCode !== undefined && !template.matches(chainCode) && !template.matchesBody(chainCode);
  // A transformation that the answer does not describe: the recorded code has the same instructions.
  if (isOther && recorded?.length === template.bytes.length && equalBytes(recorded, chainCode)) {
    const own = { ...members, object: toHexDigits(chainCode) };
    const exact = CodeTemplate.parse(own);
    return exact && { members: own, template: exact, hasOtherMetadata: metadata.length > 0 };
  }
  return { members, template, hasOtherMetadata: metadata.length > 0 };
}

function otherMetadata({ transformations, cborAuxdata }: JsonObject): readonly JsonObject[] {
  return listOf(transformations).flatMap((value) => {
    const { reason, id, offset } = objectOf(value);
    const start = countOf(offset);
    if (reason !== "cborAuxdata" || start === undefined) return [];
    const bytes = bytesOf(objectOf(objectOf(cborAuxdata)[String(id)]).value);
    return bytes === undefined ? [] : [{ start, length: bytes.length }];
  });
}

function bytesOf(value: unknown): Bytes | undefined {
  const digits = (textOf(value) ?? "").replace(/^0x/, "");
  return digits !== "" && /^(?:[0-9a-fA-F]{2})+$/.test(digits) ? fromHexDigits(digits) : undefined;
}

function selectorOf(signature: string): string {
  return toHexDigits(keccak256(fromUtf8(signature)).subarray(0, 4));
}

/**
 * A contract that the node knows, in the form of a server of Sourcify: the members of `GET /v2/contract/…`.
 *
 * @see https://docs.sourcify.dev/docs/api/
 */
import { type AbiItem, parseAbi, signatureOf } from "../explain/abi/abi-item.ts";
import type { CompilerDocuments } from "../explain/source/build.ts";
import type { FoundContract } from "../explain/source/contract-finder.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "../explain/source/read/json-values.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { encodeData } from "../primitives/bytes/hex.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { fromUtf8 } from "../primitives/platform/encodings.ts";

/** The contract of an account, and what its compiler was given and has answered. */
export interface KnownContract {
  readonly code: Bytes;
  readonly found: FoundContract;
  readonly documents: CompilerDocuments;
}

/** `exact_match` where the metadata is that of the sources, too. */
export type SourcifyMatch = "exact_match" | "match";

const SELECTOR_BYTES = 4;

/** The match of a contract in Sourcify's words. */
export function sourcifyMatch({ found: { contract, recognition } }: KnownContract): SourcifyMatch {
  const isFull = contract.sourceMatch === undefined ? recognition === "exact" : contract.sourceMatch === "full";
  return isFull ? "exact_match" : "match";
}

/** The texts of the contract's sources by path. */
export function sourceTexts({ documents }: KnownContract): ReadonlyMap<string, string> {
  const sources = Object.entries(objectOf(objectOf(documents.input).sources));
  return new Map(sources.map(([path, source]) => [path, textOf(objectOf(source).content) ?? ""]));
}

/** All members that may be asked for by name. Each is made when it is read. */
export function contractMembers(known: KnownContract): Readonly<Record<string, () => unknown>> {
  const { input, output } = known.documents;
  const { name, path } = known.found.contract;
  const { language = "Solidity", settings = {} } = objectOf(input);
  const compiled = compiledContract(known);
  const evm = objectOf(compiled.evm);
  const or = (value: unknown): unknown => value ?? null;
  return {
    abi: () => or(compiled.abi),
    additionalInput: () => null,
    compilation: () => ({
      language,
      compiler: language === "Vyper" ? "vyper" : "solc",
      compilerVersion: or(textOf(objectOf(objectOf(contractMetadata(known)).compiler).version)),
      compilerSettings: settings,
      name,
      fullyQualifiedName: `${path}:${name}`,
    }),
    creationBytecode: () => ({ onchainBytecode: null, ...bytecodeOf(objectOf(evm.bytecode)) }),
    deployment: () => ({ transactionHash: null, blockNumber: null, transactionIndex: null, deployer: null }),
    devdoc: () => or(compiled.devdoc),
    metadata: () => contractMetadata(known),
    runtimeBytecode: () => ({
      onchainBytecode: encodeData(known.code),
      ...bytecodeOf(objectOf(evm.deployedBytecode), known.code),
    }),
    signatures: () => signaturesOf(parseAbi(compiled.abi ?? [])),
    sourceIds: () => objectOf(output).sources,
    sources: () => Object.fromEntries(Array.from(sourceTexts(known), ([of, content]) => [of, { content }])),
    stdJsonInput: () => input,
    stdJsonOutput: () => ({ sources: objectOf(output).sources, contracts: { [path]: { [name]: compiled } } }),
    storageLayout: () => or(compiled.storageLayout),
    transientStorageLayout: () => or(compiled.transientStorageLayout),
    userdoc: () => or(compiled.userdoc),
  };
}

/** The compiler's metadata of a contract; without its own, what is known of it in the same form. */
export function contractMetadata(known: KnownContract): unknown {
  const compiled = compiledContract(known);
  const own = compiled.metadata;
  if (isObject(own)) return own;
  if (typeof own === "string" && own !== "") {
    try {
      return JSON.parse(own) as unknown;
    } catch {
      // Not the compiler's: it is made below.
    }
  }
  const { name, path } = known.found.contract;
  const { language = "Solidity", settings } = objectOf(known.documents.input);
  const { outputSelection: _, ...others } = objectOf(settings);
  const hashes = Array.from(sourceTexts(known), ([of, content]) => [of, { keccak256: hashOf(content), urls: [] }]);
  return {
    compiler: { version: "unknown" },
    language,
    output: {
      abi: compiled.abi ?? [],
      devdoc: compiled.devdoc ?? { kind: "dev", methods: {}, version: 1 },
      userdoc: compiled.userdoc ?? { kind: "user", methods: {}, version: 1 },
    },
    settings: { remappings: [], libraries: {}, ...others, compilationTarget: { [path]: name } },
    sources: Object.fromEntries(hashes),
    version: 1,
  };
}

/** The Keccak-256 of a source, by which metadata names it. */
export const hashOf = (content: string): string => encodeData(keccak256(fromUtf8(content)));

function compiledContract({ documents, found: { contract } }: KnownContract): JsonObject {
  return objectOf(objectOf(objectOf(objectOf(documents.output).contracts)[contract.path])[contract.name]);
}

function bytecodeOf(compiled: JsonObject, deployed?: Bytes): JsonObject {
  const { object, sourceMap, linkReferences, immutableReferences } = compiled;
  // Places of libraries are zero in a recompiled code.
  const digits = (textOf(object) ?? "").replace(/^0x/, "").replace(/__.{38}/g, "0".repeat(40));
  return {
    recompiledBytecode: digits === "" ? null : `0x${digits}`,
    sourceMap: sourceMap ?? null,
    linkReferences: linkReferences ?? {},
    ...(deployed === undefined ? {} : { immutableReferences: immutableReferences ?? {} }),
    cborAuxdata: {},
    ...filledIn(objectOf(linkReferences), objectOf(immutableReferences), deployed),
  };
}

/** The values that deployment has written into a code, as Sourcify lists them. */
function filledIn(links: JsonObject, immutables: JsonObject, deployed: Bytes | undefined): JsonObject {
  if (deployed === undefined) return { transformations: [], transformationValues: {} };
  const transformations: JsonObject[] = [];
  const fill = (reason: string, id: string, places: unknown): Readonly<Record<string, string>> => {
    const values: Record<string, string> = {};
    for (const place of listOf(places).map(objectOf)) {
      const [offset, length] = [countOf(place.start), countOf(place.length)];
      if (offset === undefined || length === undefined) continue;
      transformations.push({ type: "replace", reason, id, offset });
      values[id] = encodeData(deployed.subarray(offset, offset + length));
    }
    return values;
  };
  const immutable = Object.entries(immutables).map(([id, places]) => fill("immutable", id, places));
  const library = Object.entries(links).flatMap(([path, names]) =>
    Object.entries(objectOf(names)).map(([name, places]) => fill("library", `${path}:${name}`, places)),
  );
  return {
    transformations,
    transformationValues: {
      ...(immutable.length === 0 ? {} : { immutables: Object.fromEntries(immutable.flatMap(Object.entries)) }),
      ...(library.length === 0 ? {} : { libraries: Object.fromEntries(library.flatMap(Object.entries)) }),
    },
  };
}

function signaturesOf(items: readonly AbiItem[]): JsonObject {
  const list = (kind: AbiItem["kind"]): readonly JsonObject[] =>
    items
      .filter((item) => item.kind === kind)
      .map((item) => {
        const signature = signatureOf(item);
        const hash = keccak256(fromUtf8(signature));
        return {
          signature,
          signatureHash32: encodeData(hash),
          signatureHash4: encodeData(hash.subarray(0, SELECTOR_BYTES)),
        };
      });
  return { function: list("function"), event: list("event"), error: list("error") };
}

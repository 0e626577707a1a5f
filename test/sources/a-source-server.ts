/**
 * A server of verified sources: answers `GET /v2/contract/{chainId}/{address}` in Sourcify's form, from the output of a compiler
 * and the code of a chain.
 *
 * @see https://docs.sourcify.dev/docs/api/
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Json = Readonly<Record<string, unknown>>;

/** A contract that a compiler has compiled. */
export interface Compiled {
  readonly input: unknown;
  readonly output: unknown;
  readonly path: string;
  readonly name: string;
}

interface Bytecode {
  readonly object: string;
  readonly sourceMap: string;
  readonly linkReferences: unknown;
  readonly immutableReferences?: unknown;
}

interface Codes {
  readonly bytecode: Bytecode;
  readonly deployedBytecode: Bytecode;
}

/**
 * The answer for a contract whose code on the chain is `onchainBytecode`. Like Sourcify's it has ids of the sources, but no AST.
 *
 * @param members - in place of those of an exact match
 */
export function sourcifyAnswer(
  { input, output, path, name }: Compiled,
  place: { readonly chainId: string; readonly address: string; readonly onchainBytecode: string },
  members: Json = {},
): Json {
  const { sources } = input as { readonly sources: Json };
  const { sources: ids, contracts } = output as {
    readonly sources: Readonly<Record<string, { readonly id: number }>>;
    readonly contracts: Readonly<Record<string, Readonly<Record<string, Json & { readonly evm: Codes }>>>>;
  };
  const contract = contracts[path]?.[name];
  if (contract === undefined) throw new Error(`the build has no ${path}:${name}`);
  const { bytecode, deployedBytecode } = contract.evm;
  const withoutPlaceholders = ({ object }: Bytecode): string => `0x${object.replace(/__.{38}/g, "0".repeat(40))}`;
  const { sourceMap, linkReferences, immutableReferences } = deployedBytecode;
  return {
    match: "exact_match",
    creationMatch: "exact_match",
    runtimeMatch: "exact_match",
    chainId: place.chainId,
    address: place.address,
    verifiedAt: "2026-01-01T00:00:00Z",
    matchId: "1",
    abi: contract.abi,
    compilation: {
      language: "Solidity",
      compiler: "solc",
      compilerVersion: "0.8.30+commit.73712a01",
      compilerSettings: { optimizer: { enabled: false } },
      name,
      fullyQualifiedName: `${path}:${name}`,
    },
    sources,
    sourceIds: Object.fromEntries(Object.entries(ids).map(([of, { id }]) => [of, { id }])),
    storageLayout: contract.storageLayout,
    transientStorageLayout: null,
    runtimeBytecode: {
      onchainBytecode: place.onchainBytecode,
      recompiledBytecode: withoutPlaceholders(deployedBytecode),
      sourceMap,
      linkReferences,
      immutableReferences,
      cborAuxdata: {},
      transformations: [],
      transformationValues: {},
    },
    creationBytecode: {
      onchainBytecode: null,
      recompiledBytecode: withoutPlaceholders(bytecode),
      sourceMap: bytecode.sourceMap,
      linkReferences: bytecode.linkReferences,
      cborAuxdata: {},
      transformations: [],
      transformationValues: {},
    },
    ...members,
  };
}

export interface SourceServer {
  readonly url: string;
  /** Answers by the path of the request, in lower case; a function answers by itself. */
  readonly answers: Map<string, Json | ((response: ServerResponse) => void)>;
  /** Requests so far: method and address, with the headers that say something of who asks. */
  readonly requests: { readonly url: string; readonly headers: Json; readonly body: string }[];
  /** Answers for a contract of a chain. */
  add(chainId: number | bigint, address: string, answer: Json | ((response: ServerResponse) => void)): void;
}

/** Starts a server, until the end of the test. It does not know what it was not given, as Sourcify says it. */
export async function aSourceServer(): Promise<SourceServer> {
  const answers: SourceServer["answers"] = new Map();
  const requests: SourceServer["requests"][number][] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    requests.push({ url: `${request.method} ${request.url}`, headers: request.headers, body });
    const path = (request.url ?? "").split("?")[0]?.toLowerCase() ?? "";
    const answer = answers.get(path);
    if (typeof answer === "function") return answer(response);
    const [, , , , chainId, address] = path.split("/");
    const unknown = { match: null, creationMatch: null, runtimeMatch: null, chainId, address };
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? unknown));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/server`,
    answers,
    requests,
    add: (chainId, address, answer) => {
      answers.set(`/server/v2/contract/${chainId}/${address.toLowerCase()}`, answer);
    },
  };
}

/** Nodes for tests: a fixed clock, an HTTP client, closed when the test ends. */
import "./answers.ts";
import "./compiled-quickjs.ts";
import "./verified-blobs.ts";
import { onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";

import type { ListenOptions, NodeOptions } from "../../src/node/options/options.ts";
import type { AtEnd } from "./at-end.ts";
import { post } from "./post.ts";

/** Seconds at which every test chain begins, so that the same history has the same hashes everywhere. */
export const NOW = 1_700_000_000;

/** Account 0 to 3 of the mnemonic that everybody uses. */
export const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
export const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const CAROL = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const DAVE = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
/** Nobody's address. */
export const NOBODY = "0x00000000000000000000000000000000000000ff";

export const PARITY_PATH = "v4/ethereum/non-archival/mainnet";

export type Json = Record<string, unknown>;

/** The path form's and the plain form's client, for one served node. */
export interface Client {
  /** With a slash at the end. */
  readonly url: string;
  /** The result of one request. @throws {RpcFailure} */
  ask<T = unknown>(method: string, ...params: unknown[]): Promise<T>;
  /** The error that one request is answered with. @throws {Error} if it is answered with a result */
  failure(method: string, ...params: unknown[]): Promise<RpcFailure>;
  /** Sends a body as it is. */
  post(body: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** An error member of a JSON-RPC response. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

/** A node that the end of the test closes. @param atEnd - of a test that runs beside others: its own */
export async function aNode(options: NodeOptions = {}, atEnd: AtEnd = onTestFinished): Promise<HindcastNode> {
  const node = await openNode(options);
  atEnd(() => node.close());
  return node;
}

/**
 * Milliseconds for calls and traces, which have a few seconds by default: a machine with much else to do may need those for
 * a few million opcodes.
 */
const AMPLE = { callTimeoutMs: 600_000, traceTimeoutMs: 600_000 };

/** A node that its opener closes: for hooks, which have no end of test. */
export function openNode(options: NodeOptions = {}): Promise<HindcastNode> {
  return createNode({ clock: () => NOW, ...options, limits: { ...AMPLE, ...options.limits } });
}

/** A node behind HTTP. */
export interface ServedNode {
  readonly node: HindcastNode;
  readonly url: string;
  /** At the plain address. */
  readonly plain: Client;
  /** At the path form. */
  readonly parity: Client;
}

/** Serves a node on a free port. */
export async function serve(node: HindcastNode, options: ListenOptions = {}): Promise<ServedNode> {
  const { port } = await node.listen({ port: 0, ...options });
  const url = `http://127.0.0.1:${port}/`;
  return { node, url, plain: client(url), parity: client(url + PARITY_PATH) };
}

/** A served node that the end of the test closes. */
export async function aServedNode(options: NodeOptions = {}, listen: ListenOptions = {}): Promise<ServedNode> {
  return serve(await aNode(options), listen);
}

function client(url: string): Client {
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const { text } = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const answer = JSON.parse(text) as { result?: T; error?: { code: number; message: string; data?: unknown } };
    if (answer.error !== undefined) throw new RpcFailure(answer.error);
    return answer.result as T;
  };
  const failure = async (method: string, ...params: unknown[]): Promise<RpcFailure> => {
    try {
      const result = await ask(method, ...params);
      throw new Error(`${method} was answered with ${JSON.stringify(result).slice(0, 200)}`);
    } catch (error) {
      if (error instanceof RpcFailure) return error;
      throw error;
    }
  };
  return { url, ask, failure, post: (body) => post(url, body) };
}

/** QUANTITY. */
export const quantity = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`;

/** An address of one repeated byte. */
export const addressText = (byte: number): `0x${string}` => `0x${byte.toString(16).padStart(2, "0").repeat(20)}`;

/** A 32-byte word as DATA. */
export const wordText = (value: bigint | number): `0x${string}` => `0x${value.toString(16).padStart(64, "0")}`;

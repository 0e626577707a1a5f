/**
 * A chain for the tests of one file or group: made before the first, closed after the last, and put back after each.
 *
 * Test runners differ in where their hooks come from only; each has a file here that hands them over.
 */
import { InvalidParamsError, UnsupportedError } from "../errors/hindcast-error.ts";
import { createNode } from "../node/create-node.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { ListenOptions, NodeOptions } from "../node/options/options.ts";
import { showValue } from "../primitives/shapes/show-value.ts";
import type { Eip1193Provider } from "../rpc/provider.ts";
import { LateProvider } from "./late-provider.ts";

/** Options of {@link useHindcast}: those of the node, and what the tests share. */
export interface FixtureOptions extends NodeOptions {
  /**
   * `test` (the default) puts the chain back after each test: blocks, edits, time and settings, and what waits in the
   * pool is dropped. `file` lets each test go on from where the last one ended; tests that run concurrently need it.
   */
  readonly isolation?: "test" | "file";
  /** Serve HTTP and WebSocket, on a free port unless one is given; default: no port at all. */
  readonly listen?: boolean | ListenOptions;
}

/** The chain of the tests around it. */
export interface HindcastFixture {
  /**
   * The node.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` outside hooks and tests, when there is none
   */
  readonly node: HindcastNode;
  /** Its EIP-1193 provider, which clients may be built on before the first hook: requests wait for the chain. */
  readonly provider: Eip1193Provider;
  /**
   * `http://127.0.0.1:port`, with `listen`.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` outside hooks and tests, or without `listen`
   */
  readonly url: string;
}

/** The hooks of a test runner, in its own words. */
export interface TestHooks {
  beforeAll(run: () => Promise<void>): void;
  afterAll(run: () => Promise<void>): void;
  beforeEach(run: () => Promise<void>): void;
  afterEach(run: () => Promise<void>): void;
}

/** Registers the hooks of one chain and gives what tests reach it by. */
export function createFixture(hooks: TestHooks, options: FixtureOptions): HindcastFixture {
  const { isolation = "test", listen = false, ...nodeOptions } = readOptions(options);
  const provider = new LateProvider();
  let node: HindcastNode | undefined;
  let url: string | undefined;
  const required = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new UnsupportedError({ code: "UNSUPPORTED", what });
    return value;
  };
  const chain = (): HindcastNode =>
    required(node, "The chain of useHindcast() is there in hooks and tests only, not while they are being collected.");

  hooks.beforeAll(async () => {
    node = await createNode(nodeOptions);
    provider.attach(node.provider);
    if (listen !== false) url = (await node.listen({ port: 0, ...(listen === true ? {} : listen) })).url;
  });
  if (isolation === "test") restoreAfterEach(hooks, chain);
  hooks.afterAll(async () => {
    provider.detach();
    await node?.close();
    node = undefined;
    url = undefined;
  });
  return {
    provider,
    get node() {
      return chain();
    },
    get url() {
      chain();
      return required(url, "The chain of useHindcast() has an address only with { listen: true }.");
    },
  };
}

/** What other hooks do before a snapshot is taken, such as deploying contracts in a group's own `beforeAll`, stays. */
function restoreAfterEach(hooks: TestHooks, chain: () => HindcastNode): void {
  // Runners differ in whether the hooks of inner groups come between: a stack pairs each end with its beginning.
  const snapshots: Awaited<ReturnType<HindcastNode["snapshot"]>>[] = [];
  hooks.beforeEach(async () => {
    snapshots.push(await chain().snapshot());
  });
  hooks.afterEach(async () => {
    const snapshot = snapshots.pop();
    if (snapshot === undefined) return;
    await chain().provider.request({ method: "anvil_dropAllTransactions" });
    await chain().revert(snapshot);
  });
}

/** Those that are the node's own are looked at when it is made. */
function readOptions(options: FixtureOptions): FixtureOptions {
  if (!isObject(options)) throw invalid(`Options are an object, not ${showValue(options)}.`);
  const { isolation = "test", listen = false } = options;
  if (isolation !== "test" && isolation !== "file") {
    throw invalid(`The option isolation is unknown: ${showValue(isolation)}.`, 'Use "test" or "file".');
  }
  if (typeof listen !== "boolean" && !isObject(listen)) {
    throw invalid(`The option listen is not valid: ${showValue(listen)}.`, "Use true, false or { port, host }.");
  }
  return options;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(what: string, fix?: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what, ...(fix === undefined ? {} : { fix }) });
}

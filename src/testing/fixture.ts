/**
 * A chain for the tests of one file or group: created before the first, restored after each, closed after the last.
 *
 * Test runners differ only in where their hooks come from; each has a file in this folder that passes its hooks.
 */
import { InvalidParamsError, UnsupportedError } from "../errors/hindcast-error.ts";
import { createNode } from "../node/create-node.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { ListenOptions, NodeOptions } from "../node/options/options.ts";
import { showValue } from "../primitives/shapes/show-value.ts";
import type { Eip1193Provider } from "../rpc/provider.ts";
import { LateProvider } from "./late-provider.ts";

/** Options of {@link useHindcast}: those of the node, and those of the fixture. */
export interface FixtureOptions extends NodeOptions {
  /**
   * `test` (the default) restores the chain after each test: blocks, edits, time and settings. Waiting transactions are
   * dropped. `file` lets each test continue from the one before; tests that run concurrently need it.
   */
  readonly isolation?: "test" | "file";
  /** Serves HTTP and WebSocket, by default on a free port. Default: no server. */
  readonly listen?: boolean | ListenOptions;
}

/** The chain of the surrounding tests. */
export interface HindcastFixture {
  /**
   * The node.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` outside of hooks and tests, when there is no node
   */
  readonly node: HindcastNode;
  /**
   * The node's EIP-1193 provider. Clients can be built on it before the first hook, because requests wait for the node.
   */
  readonly provider: Eip1193Provider;
  /**
   * `http://127.0.0.1:port`, with the option `listen`.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` outside of hooks and tests, or without `listen`
   */
  readonly url: string;
}

/** The hooks of a test runner. */
export interface TestHooks {
  beforeAll(run: () => Promise<void>): void;
  afterAll(run: () => Promise<void>): void;
  beforeEach(run: () => Promise<void>): void;
  afterEach(run: () => Promise<void>): void;
}

/** Registers the hooks of one chain and returns its fixture. */
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

/** Changes of hooks that run before the snapshot, such as contracts deployed in a group's own `beforeAll`, are kept. */
function restoreAfterEach(hooks: TestHooks, chain: () => HindcastNode): void {
  // Runners differ in whether hooks of inner groups run in between, so a stack matches each restore with its snapshot.
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

/** The node's own options are checked when it is created. */
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

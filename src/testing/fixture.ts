/**
 * A chain for the tests of one file or group: created before the first, restored after each, closed after the last.
 *
 * Test runners differ only in where their hooks come from; each has a file in this folder that passes its hooks.
 */
import { z } from "zod";
import { NotFoundError, UnsupportedError } from "../errors/hindcast-error.ts";
import { createNode } from "../node/create-node.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import { checkOptions, type OptionShapes } from "../node/options/check-options.ts";
import type { ListenOptions, NodeOptions } from "../node/options/options.ts";
import type { Bytes } from "../primitives/bytes/bytes.ts";
import type { Hex } from "../primitives/bytes/hex.ts";
import { once } from "../primitives/once.ts";
import { bytesToHex } from "../primitives/validation/loose.ts";
import { isObject, shape } from "../primitives/validation/shape.ts";
import type { Eip1193Provider } from "../rpc/provider.ts";
import { CoverageParts } from "./coverage-parts.ts";
import { GasReport } from "./gas-report.ts";
import { GasSnapshots, type RunningTest } from "./gas-snapshots.ts";
import { LastFailure } from "./last-failure.ts";
import { LateProvider } from "./late-provider.ts";
import { reportTarget } from "./option-shapes.ts";

/** Options of {@link useHindcast}: those of the node, and those of the fixture. */
export interface FixtureOptions extends NodeOptions {
  /**
   * `test` (the default) restores the chain after each test: blocks, edits, time and settings. Waiting transactions are
   * dropped. `file` lets each test continue from the one before; tests that run concurrently need it.
   */
  readonly isolation?: "test" | "file";
  /** Serves HTTP and WebSocket, by default on a free port. Default: no server. */
  readonly listen?: boolean | ListenOptions;
  /** Prints the gas of what the tests mine, by contract and function, when they have ended; or adds it to a file. */
  readonly gasReport?: boolean | string;
  /**
   * Writes which lines, functions and branches of contracts ran to a file, summed up over all test files of a run:
   * `lcov.info`, or the file of that path, which holds istanbul's JSON if it ends in `.json`. The node needs the sources:
   * the option `artifacts` names their folder.
   */
  readonly coverage?: boolean | string;
}

type OwnOptions = Omit<FixtureOptions, keyof NodeOptions>;

const OWN_OPTIONS: OptionShapes<OwnOptions> = {
  isolation: once(() => z.enum(["test", "file"])),
  listen: once(() => shape("true, false or { port, host }", (value) => typeof value === "boolean" || isObject(value))),
  gasReport: reportTarget,
  coverage: reportTarget,
};

/** The chain of the surrounding tests. */
export interface HindcastFixture {
  /**
   * The node.
   *
   * @throws {UnsupportedError} `UNSUPPORTED` outside of hooks and tests, when there is no node
   */
  readonly node: HindcastNode;
  /**
   * The node, once it is there. A `before` at the top level of node:test needs it, because Node starts each such hook
   * without waiting for the others.
   */
  ready(): Promise<HindcastNode>;
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
  /**
   * Compares the gas of a mined transaction with the snapshot in `__snapshots__` beside the test file, and writes one
   * where there is none. `HINDCAST_GAS_SNAPSHOTS=update` writes what is used now.
   *
   * @param hash - 32 bytes, also as DATA
   * @param title - default the number of the snapshot in its test; tests that run concurrently need it
   * @throws {Error} where other gas is used
   * @throws {UnsupportedError} `UNSUPPORTED` outside of tests
   */
  matchGasSnapshot(hash: Bytes | Hex, title?: string): Promise<void>;
}

/** The hooks of a test runner. */
export interface TestHooks {
  beforeAll(run: () => Promise<void>): void;
  afterAll(run: () => Promise<void>): void;
  beforeEach(run: () => Promise<void>): void;
  afterEach(run: (hasFailed: boolean) => Promise<void>): void;
  /** The test that is running; undefined outside of tests. */
  currentTest(): RunningTest | undefined;
}

/** Registers the hooks of one chain and returns its fixture. */
export function createFixture(hooks: TestHooks, options: FixtureOptions): HindcastFixture {
  checkOptions(options, OWN_OPTIONS);
  const { isolation = "test", listen = false, gasReport = false, coverage = false, ...nodeOptions } = options;
  const provider = new LateProvider();
  const failures = new LastFailure(nodeOptions.onRequest, [nodeOptions.artifacts ?? []].flat());
  let open: (node: HindcastNode) => void = () => undefined;
  const opened = new Promise<HindcastNode>((resolve) => {
    open = resolve;
  });
  const snapshots = new GasSnapshots();
  let report: GasReport | undefined;
  let firstTest: RunningTest | undefined;
  let node: HindcastNode | undefined;
  let url: string | undefined;
  const required = <T>(value: T | undefined, what: string, fix?: string): T => {
    if (value === undefined) throw new UnsupportedError({ code: "UNSUPPORTED", what, ...(fix && { fix }) });
    return value;
  };
  const chain = (): HindcastNode =>
    required(
      node,
      "The chain of useHindcast() is available in hooks and tests only, not while they are collected.",
      "In a `before` at the top level of node:test, `await chain.ready()` first.",
    );

  hooks.beforeAll(async () => {
    node = await createNode({ ...nodeOptions, onRequest: failures.onRequest });
    provider.attach(node.provider);
    failures.watch(node);
    if (gasReport !== false) {
      report = new GasReport();
      report.listen(node);
    }
    if (coverage !== false) node.coverage.start();
    open(node);
    if (listen !== false) url = (await node.listen({ port: 0, ...(listen === true ? {} : listen) })).url;
  });
  const restore = isolation === "test" ? snapshotBeforeEach(hooks, chain) : undefined;
  hooks.afterEach(async (hasFailed) => {
    // Before the failed transaction is gone.
    if (hasFailed) await failures.print();
    await restore?.();
  });
  hooks.beforeEach(async () => {
    failures.forget();
    const test = hooks.currentTest();
    firstTest ??= test;
    if (test !== undefined) snapshots.begin(test);
  });
  hooks.afterAll(async () => {
    report?.stop();
    if (gasReport !== false) await report?.print(gasReport);
    if (coverage !== false) await writeCoverage(chain(), coverage, firstTest);
    provider.detach();
    await node?.close();
    node = undefined;
    url = undefined;
  });
  return {
    provider,
    ready: () => opened,
    get node() {
      return chain();
    },
    get url() {
      chain();
      return required(url, "The chain of useHindcast() has an address only with { listen: true }.");
    },
    matchGasSnapshot: async (hash, title) => {
      const test = required(hooks.currentTest(), "A gas snapshot is compared in a test.");
      const { pass, message } = snapshots.compare(test, await gasUsedOf(chain(), hash), title);
      if (!pass) throw new Error(message);
    },
  };
}

/** A file may have several chains: the first of their tests distinguishes them. */
async function writeCoverage(
  { coverage }: HindcastNode,
  to: true | string,
  test: RunningTest | undefined,
): Promise<void> {
  if (test === undefined) return;
  const { files } = await coverage.report();
  new CoverageParts(to === true ? "lcov.info" : to).add(`${test.file} ${test.name}`, files);
}

async function gasUsedOf({ provider }: HindcastNode, hash: Bytes | Hex): Promise<bigint> {
  const params = [typeof hash === "string" ? hash : bytesToHex(hash)] as const;
  const receipt = await provider.request({ method: "eth_getTransactionReceipt", params });
  if (receipt === null) {
    throw new NotFoundError({ code: "TRANSACTION_NOT_FOUND", what: `The chain has no transaction ${params[0]}.` });
  }
  return BigInt(receipt.gasUsed);
}

/**
 * Changes made by other hooks before the snapshot stay, for example contracts deployed in a group's `beforeAll`. Returns
 * what restores the chain after a test.
 */
function snapshotBeforeEach(hooks: TestHooks, chain: () => HindcastNode): () => Promise<void> {
  // Runners differ in whether hooks of inner groups run in between, so a stack matches each restore with its snapshot.
  const snapshots: Awaited<ReturnType<HindcastNode["snapshot"]>>[] = [];
  hooks.beforeEach(async () => {
    snapshots.push(await chain().snapshot());
  });
  return async () => {
    const snapshot = snapshots.pop();
    if (snapshot === undefined) return;
    await chain().provider.request({ method: "anvil_dropAllTransactions" });
    await chain().revert(snapshot);
  };
}

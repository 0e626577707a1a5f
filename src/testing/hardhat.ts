/**
 * `hindcast/hardhat`: a plugin for Hardhat 3 that runs the node in Hardhat's own process.
 *
 * Hardhat has two types of networks: simulated by its own engine, or reached over HTTP. A plugin cannot add a third. So
 * this one adds an HTTP network and handles its requests in the request hook, so that none is sent. Each connection to
 * the network has its own node. The types of Hardhat that are used are declared here, because Hardhat is not a
 * dependency.
 */
import { createNode } from "../node/create-node.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import { checkOptions, type OptionShapes } from "../node/options/check-options.ts";
import type { NodeOptions } from "../node/options/options.ts";
import { filledText } from "../primitives/validation/shape.ts";
import { ProviderRpcError } from "../rpc/provider.ts";
import {
  type ConfigError,
  inProcess,
  type NetworkConfig,
  networkErrors,
  optionsOf,
} from "./hardhat/network-members.ts";
import { RequestDefaults } from "./hardhat/request-defaults.ts";
import { RunReport } from "./hardhat/run-report.ts";
import { RequestError } from "./hardhat/solidity-error.ts";
import { flag, reportTarget } from "./option-shapes.ts";

/** Options of {@link hindcast}: those of the node, and those of the plugin. */
export interface HardhatPluginOptions extends NodeOptions {
  /** Name of the network; default `hindcast`. */
  readonly networkName?: string;
  /** Prints the lines of `console.log` in contracts; default true. */
  readonly consoleLog?: boolean;
  /** Prints the gas of what all connections of a run mine, by contract and function; or adds it to a file. */
  readonly gasReport?: boolean | string;
  /**
   * Writes which lines, functions and branches of contracts ran on all connections of a run: `lcov.info`, or the file of
   * that path, which holds istanbul's JSON if it ends in `.json`.
   */
  readonly coverage?: boolean | string;
}

/** A connection to the network. */
export interface HindcastConnection {
  /** Its node: `renderTrace`, `explain`, `gasProfile`, `coverage`, `branch` and more. */
  readonly hindcast: HindcastNode;
}

/** A plugin in the form that Hardhat's `defineConfig` takes. */
export interface HindcastHardhatPlugin {
  readonly id: string;
  readonly npmPackage: string;
  // biome-ignore lint/suspicious/noExplicitAny: the types of the hooks are defined by Hardhat.
  hookHandlers: Record<"config" | "network", () => Promise<{ default: () => Promise<any> }>>;
}

interface JsonRpcRequest {
  readonly id: number | string;
  readonly method: string;
  readonly params?: readonly unknown[] | object;
}

interface Connection {
  readonly networkName: string;
  readonly networkConfig: NetworkConfig;
}

/** The node that answers the requests of a connection, and what they have by default. */
interface Answering {
  readonly node: HindcastNode;
  readonly defaults: RequestDefaults;
}

interface HookContext {
  readonly config: { readonly paths: { readonly artifacts: string; readonly root: string } };
}

type Next<Values extends readonly unknown[], Result> = (...values: Values) => Promise<Result>;

/** Hardhat requires a URL. No request is sent to it, and the domain never resolves (RFC 6761). */
const NOWHERE = "http://hindcast.invalid";

type OwnOptions = Omit<HardhatPluginOptions, keyof NodeOptions>;

const OWN_OPTIONS: OptionShapes<OwnOptions> = {
  networkName: filledText,
  consoleLog: flag,
  gasReport: reportTarget,
  coverage: reportTarget,
};

/**
 * Creates the plugin: `plugins: [hindcast({ hardfork: "cancun" })]` adds the network `hindcast`. Each connection to it
 * has its own chain, in Hardhat's dialect unless the options name another. Contracts in the artifacts folder are shown by
 * name.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`
 */
export function hindcast(options: HardhatPluginOptions = {}): HindcastHardhatPlugin {
  checkOptions(options, OWN_OPTIONS);
  const { networkName = "hindcast", consoleLog = true, gasReport = false, coverage = false, ...nodeOptions } = options;
  const report = new RunReport({ gasReport, coverage });
  return {
    id: "hindcast",
    npmPackage: "hindcast",
    hookHandlers: {
      config: async () => ({ default: async () => configHooks(networkName) }),
      network: async () => ({ default: async () => networkHooks({ networkName, nodeOptions, consoleLog, report }) }),
    },
  };
}

function configHooks(networkName: string) {
  return {
    extendUserConfig: async (
      config: { readonly networks?: object },
      next: Next<[config: object], object>,
    ): Promise<object> => {
      const extended = await next(config);
      const { networks = {} } = extended as { readonly networks?: Readonly<Record<string, object>> };
      const network = { type: "http", chainType: "l1", url: NOWHERE, ...networks[networkName] };
      return { ...extended, networks: { ...networks, [networkName]: network } };
    },
    validateUserConfig: async ({ networks }: { readonly networks?: Readonly<Record<string, unknown>> }) =>
      networkErrors(networks?.[networkName], networkName) satisfies readonly ConfigError[],
  };
}

/** Options of the plugin with their defaults. */
interface NetworkParts {
  readonly networkName: string;
  readonly nodeOptions: NodeOptions;
  readonly consoleLog: boolean;
  readonly report: RunReport;
}

function networkHooks({ networkName, nodeOptions, consoleLog, report }: NetworkParts) {
  const answering = new WeakMap<Connection, Answering>();
  return {
    newConnection: async (context: HookContext, next: Next<[HookContext], Connection>): Promise<Connection> => {
      const connection = await next(context);
      if (connection.networkName !== networkName) return connection;
      const { artifacts, root } = context.config.paths;
      const node = await createNode({
        dialect: "hardhat",
        throwOnTransactionFailures: true,
        artifacts,
        ...nodeOptions,
        ...(await optionsOf(connection.networkConfig)),
      });
      if (consoleLog) node.onConsoleLog(({ text }) => process.stdout.write(`${text}\n`));
      report.add(node, root);
      const accounts = (): Promise<unknown> => node.provider.request({ method: "eth_accounts" });
      answering.set(connection, { node, defaults: new RequestDefaults(connection.networkConfig, accounts) });
      const own: HindcastConnection = { hindcast: node };
      return Object.assign(connection, own, { networkConfig: inProcess(connection.networkConfig, node) });
    },
    onRequest: async (
      context: HookContext,
      connection: Connection,
      request: JsonRpcRequest,
      next: Next<[HookContext, Connection, JsonRpcRequest], unknown>,
    ): Promise<unknown> => {
      const own = answering.get(connection);
      return own === undefined ? next(context, connection, request) : answer(own, request);
    },
    closeConnection: async (
      context: HookContext,
      connection: Connection,
      next: Next<[HookContext, Connection], void>,
    ): Promise<void> => {
      await next(context, connection);
      await answering.get(connection)?.node.close();
      answering.delete(connection);
    },
  };
}

/**
 * Answers a request. Hardhat would make an error of its own of an error response, without a stack in Solidity, so the
 * error is thrown.
 */
async function answer({ node, defaults }: Answering, { id, method, params }: JsonRpcRequest): Promise<object> {
  try {
    return { jsonrpc: "2.0", id, result: await node.provider.send(method, await defaults.fill(method, params)) };
  } catch (error) {
    throw error instanceof ProviderRpcError ? new RequestError(error, answer) : error;
  }
}

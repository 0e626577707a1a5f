/**
 * `hindcast/hardhat`: a plugin of Hardhat 3 that runs the node in Hardhat's own process.
 *
 * Hardhat's kinds of networks are closed: one is simulated by its own engine, the others are asked over HTTP. So the plugin
 * adds an HTTP network to the configuration whose requests never leave the process: each connection to it has a node, and
 * the hook of requests hands them over. Hardhat's types are written down here as far as they are used, since Hardhat is no
 * dependency.
 */
import { HindcastError } from "../errors/hindcast-error.ts";
import { createNode } from "../node/create-node.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { NodeOptions } from "../node/options/options.ts";
import { ProviderRpcError } from "../rpc/provider.ts";

/** Options of {@link hindcast}: those of the node, and under which name the configuration has it. */
export interface HardhatPluginOptions extends NodeOptions {
  /** Name of the network; default `hindcast`. */
  readonly networkName?: string;
}

/** What Hardhat's `defineConfig` takes as a plugin. */
export interface HindcastHardhatPlugin {
  readonly id: string;
  readonly npmPackage: string;
  // biome-ignore lint/suspicious/noExplicitAny: the types of Hardhat's hooks are Hardhat's.
  hookHandlers: Record<"config" | "network", () => Promise<{ default: () => Promise<any> }>>;
}

interface JsonRpcRequest {
  readonly id: number | string;
  readonly method: string;
  readonly params?: readonly unknown[] | object;
}

interface Connection {
  readonly networkName: string;
}

interface HookContext {
  readonly config: { readonly paths: { readonly artifacts: string } };
}

type Next<Values extends readonly unknown[], Result> = (...values: Values) => Promise<Result>;

/** Where nothing listens (RFC 6761). Hardhat wants a URL, and no request gets that far. */
const NOWHERE = "http://hindcast.invalid";

/**
 * The plugin: `plugins: [hindcast({ hardfork: "cancun" })]` adds the network `hindcast`, each connection to which is a
 * chain of its own. Contracts of the artifacts folder are known to it by name.
 */
export function hindcast(options: HardhatPluginOptions = {}): HindcastHardhatPlugin {
  const { networkName = "hindcast", ...nodeOptions } = options;
  return {
    id: "hindcast",
    npmPackage: "hindcast",
    hookHandlers: {
      config: async () => ({ default: async () => configHooks(networkName) }),
      network: async () => ({ default: async () => networkHooks(networkName, nodeOptions) }),
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
      const { networks = {} } = extended as { readonly networks?: object };
      return { ...extended, networks: { [networkName]: { type: "http", chainType: "l1", url: NOWHERE }, ...networks } };
    },
  };
}

function networkHooks(networkName: string, options: NodeOptions) {
  const nodes = new WeakMap<Connection, HindcastNode>();
  return {
    newConnection: async (context: HookContext, next: Next<[HookContext], Connection>): Promise<Connection> => {
      const connection = await next(context);
      if (connection.networkName !== networkName) return connection;
      const node = await createNode(options);
      await addNames(node, context.config.paths.artifacts);
      nodes.set(connection, node);
      return connection;
    },
    onRequest: async (
      context: HookContext,
      connection: Connection,
      request: JsonRpcRequest,
      next: Next<[HookContext, Connection, JsonRpcRequest], unknown>,
    ): Promise<unknown> => {
      const node = nodes.get(connection);
      return node === undefined ? next(context, connection, request) : answer(node, request);
    },
    closeConnection: async (
      context: HookContext,
      connection: Connection,
      next: Next<[HookContext, Connection], void>,
    ): Promise<void> => {
      await next(context, connection);
      await nodes.get(connection)?.close();
      nodes.delete(connection);
    },
  };
}

async function answer(node: HindcastNode, { id, method, params }: JsonRpcRequest): Promise<object> {
  try {
    return { jsonrpc: "2.0", id, result: await node.provider.send(method, params) };
  } catch (error) {
    if (!(error instanceof ProviderRpcError)) throw error;
    const { code, message, data } = error;
    return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** A project that has not been compiled has no artifacts: its traces are without names. */
async function addNames(node: HindcastNode, artifacts: string): Promise<void> {
  try {
    await node.abi.addArtifacts(artifacts);
  } catch (error) {
    if (!(error instanceof HindcastError)) throw error;
  }
}

/**
 * `hindcast/hardhat`: a plugin for Hardhat 3 that runs the node in Hardhat's own process.
 *
 * Hardhat has two types of networks: simulated by its own engine, or reached over HTTP. A plugin cannot add a third. So
 * this one adds an HTTP network and handles its requests in the request hook, so that none is sent. Each connection to
 * the network has its own node. The types of Hardhat that are used are declared here, because Hardhat is not a
 * dependency.
 */
import { HindcastError } from "../errors/hindcast-error.ts";
import { createNode } from "../node/create-node.ts";
import type { HindcastNode } from "../node/hindcast-node.ts";
import type { NodeOptions } from "../node/options/options.ts";
import { ProviderRpcError } from "../rpc/provider.ts";

/** Options of {@link hindcast}: those of the node, and the name of the network. */
export interface HardhatPluginOptions extends NodeOptions {
  /** Name of the network; default `hindcast`. */
  readonly networkName?: string;
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
}

interface HookContext {
  readonly config: { readonly paths: { readonly artifacts: string } };
}

type Next<Values extends readonly unknown[], Result> = (...values: Values) => Promise<Result>;

/** Hardhat requires a URL. No request is sent to it, and the domain never resolves (RFC 6761). */
const NOWHERE = "http://hindcast.invalid";

/**
 * Creates the plugin: `plugins: [hindcast({ hardfork: "cancun" })]` adds the network `hindcast`. Each connection to it
 * has its own chain, in Hardhat's dialect unless the options name another. Contracts in the artifacts folder are shown by
 * name.
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
      const node = await createNode({ dialect: "hardhat", ...options });
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

/** A project that is not compiled yet has no artifacts. Its traces have no names then. */
async function addNames(node: HindcastNode, artifacts: string): Promise<void> {
  try {
    await node.abi.addArtifacts(artifacts);
  } catch (error) {
    if (!(error instanceof HindcastError)) throw error;
  }
}

/** Information about the node in Anvil's shapes. Some numbers are QUANTITY, others JSON numbers, as in Anvil. */
import { hardforkName } from "../../chainspec/hardforks/hardforks.ts";
import { rulesOf } from "../../chainspec/hardforks/rules.ts";
import { encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { Metadata, NodeInfo } from "../../services/control/description.ts";
import type { ForkDescription } from "../../services/control/fork.ts";
import { callGasCap } from "../../services/simulate/call/simulation.ts";
import type { RequestLimits } from "../context.ts";
import { INTEGER, mapOf, NULL, named, object, orNull, TEXT } from "../openrpc/json-schema.ts";
import { DATA, HASH, QUANTITY } from "../openrpc/primitives.ts";
import type {
  HindcastNodeInfo as HindcastNodeInfoJson,
  Metadata as MetadataJson,
  NodeInfo as NodeInfoJson,
} from "../wire-types.generated.ts";

export const nodeInfoSchema = named("NodeInfo", () =>
  object({
    currentBlockNumber: QUANTITY,
    currentBlockTimestamp: INTEGER,
    currentBlockHash: HASH,
    hardFork: TEXT,
    transactionOrder: TEXT,
    environment: object({ baseFee: QUANTITY, chainId: INTEGER, gasLimit: QUANTITY, gasPrice: QUANTITY }),
    forkConfig: object(
      { forkUrl: orNull(TEXT), forkBlockNumber: orNull(INTEGER), forkRetryBackoff: NULL },
      { forkBlockHash: HASH, requests: INTEGER, cacheHits: INTEGER },
    ),
  }),
);

/** The same, with what only this node has. */
export const hindcastNodeInfoSchema = named("HindcastNodeInfo", () =>
  object({
    dialect: TEXT,
    clientVersion: TEXT,
    hardFork: TEXT,
    currentBlockNumber: QUANTITY,
    chainId: INTEGER,
    limits: object({
      maxBatchLength: INTEGER,
      maxRequestValues: INTEGER,
      callGasLimit: INTEGER,
      callTimeoutMs: INTEGER,
      traceTimeoutMs: INTEGER,
      traceFilterBlocks: orNull(INTEGER),
      minedBlocks: INTEGER,
      waitTimeoutMs: INTEGER,
      stateFileBytes: INTEGER,
      stateFileValues: INTEGER,
      recordingMemory: INTEGER,
      executionMemory: INTEGER,
      importMemory: INTEGER,
      concurrentExecutions: INTEGER,
      queuedExecutions: INTEGER,
    }),
    fixedLimits: mapOf(INTEGER, "."),
  }),
);

export const metadataSchema = named("Metadata", () =>
  object(
    {
      clientVersion: TEXT,
      chainId: INTEGER,
      instanceId: DATA,
      latestBlockNumber: INTEGER,
      latestBlockHash: HASH,
      snapshots: mapOf({ type: "array" }, "^0x"),
    },
    // Only on forks, because plugins take its presence for one.
    { forkedNetwork: object({ chainId: INTEGER, forkBlockNumber: INTEGER, forkBlockHash: HASH }) },
  ),
);

/** The forked chain, if the node forks one. */
interface OnFork {
  readonly fork: ForkDescription | undefined;
}

/** Result of `anvil_nodeInfo`. */
export function encodeNodeInfo(info: NodeInfo & OnFork & { readonly gasPrice: bigint }): NodeInfoJson {
  const { head, fork } = info;
  return {
    currentBlockNumber: encodeQuantity(head.header.number),
    currentBlockTimestamp: Number(head.header.timestamp),
    currentBlockHash: encodeData(head.hash),
    hardFork: hardforkName(info.hardfork),
    transactionOrder: "fees",
    environment: {
      baseFee: encodeQuantity(info.baseFeePerGas ?? 0n),
      chainId: Number(info.chainId),
      gasLimit: encodeQuantity(info.gasLimit),
      gasPrice: encodeQuantity(info.gasPrice),
    },
    forkConfig: encodeForkConfig(fork),
  };
}

/** Result of `hindcast_nodeInfo`. */
export function encodeHindcastNodeInfo(
  info: NodeInfo & {
    readonly dialect: string;
    readonly clientVersion: string;
    readonly limits: RequestLimits;
    readonly fixedLimits: Readonly<Record<string, number>>;
  },
): HindcastNodeInfoJson {
  const { dialect, clientVersion, head, hardfork, chainId, limits, fixedLimits } = info;
  return {
    dialect,
    clientVersion,
    hardFork: hardforkName(hardfork),
    currentBlockNumber: encodeQuantity(head.header.number),
    chainId: Number(chainId),
    limits: {
      ...limits,
      callGasLimit: Number(callGasCap(rulesOf(hardfork), limits)),
      traceFilterBlocks: limits.traceFilterBlocks ?? null,
    },
    fixedLimits: { ...fixedLimits },
  };
}

function encodeForkConfig(fork: ForkDescription | undefined): NodeInfoJson["forkConfig"] {
  if (fork === undefined) return { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null };
  return {
    // Without path and query, which may hold an API key.
    forkUrl: fork.label,
    forkBlockNumber: Number(fork.blockNumber),
    forkRetryBackoff: null,
    forkBlockHash: encodeData(fork.blockHash),
    requests: fork.requests,
    cacheHits: fork.cacheHits,
  };
}

/** Result of `anvil_metadata`. */
export function encodeMetadata(metadata: Metadata & OnFork & { readonly clientVersion: string }): MetadataJson {
  const { head, snapshots, fork } = metadata;
  return {
    clientVersion: metadata.clientVersion,
    chainId: Number(metadata.chainId),
    instanceId: encodeData(metadata.instanceId),
    latestBlockNumber: Number(head.header.number),
    latestBlockHash: encodeData(head.hash),
    ...(fork && {
      forkedNetwork: {
        chainId: Number(fork.chainId),
        forkBlockNumber: Number(fork.blockNumber),
        forkBlockHash: encodeData(fork.blockHash),
      },
    }),
    snapshots: Object.fromEntries(
      snapshots.map(([number, { blockNumber, blockHash }]) => [
        encodeQuantity(number),
        [Number(blockNumber), encodeData(blockHash)] as [number, Hex],
      ]),
    ),
  };
}

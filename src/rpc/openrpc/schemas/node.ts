/** Schemas of answers about the node, its fees and its pool. */
import {
  ANYTHING,
  arrayOf,
  BOOLEAN,
  hexString,
  INTEGER,
  type JsonSchema,
  mapOf,
  NULL,
  object,
  orNull,
  ref,
  TEXT,
} from "../json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "./primitives.ts";

const RESOURCE = object({ disabled: BOOLEAN, oldestBlock: QUANTITY });
const RATIOS = arrayOf({ type: "number", minimum: 0, maximum: 1 });

/** Schemas by name. */
export const NODE: Readonly<Record<string, JsonSchema>> = {
  FeeHistory: object(
    {
      oldestBlock: QUANTITY,
      baseFeePerGas: arrayOf(QUANTITY),
      gasUsedRatio: RATIOS,
      baseFeePerBlobGas: arrayOf(QUANTITY),
      blobGasUsedRatio: RATIOS,
    },
    { reward: arrayOf(arrayOf(QUANTITY)) },
  ),
  ForkConfig: object({
    activationTime: INTEGER,
    blobSchedule: orNull(object({ target: INTEGER, max: INTEGER, baseFeeUpdateFraction: INTEGER })),
    chainId: QUANTITY,
    forkId: hexString("4 bytes of DATA", "[0-9a-f]{8}"),
    precompiles: mapOf(ADDRESS),
    systemContracts: mapOf(ADDRESS),
  }),
  ChainConfig: object({
    current: orNull(ref("ForkConfig")),
    next: orNull(ref("ForkConfig")),
    last: orNull(ref("ForkConfig")),
  }),
  /** The member `config` of geth's genesis.json. */
  GenesisConfig: mapOf(ANYTHING),
  Capabilities: object({
    head: object({ number: QUANTITY, hash: HASH }),
    state: RESOURCE,
    tx: RESOURCE,
    logs: RESOURCE,
    receipts: RESOURCE,
    blocks: RESOURCE,
    stateproofs: RESOURCE,
  }),
  PoolStatus: object({ pending: QUANTITY, queued: QUANTITY }),
  PoolByNonce: mapOf(ref("Transaction"), "^[0-9]+$"),
  PoolBySender: mapOf(ref("PoolByNonce"), "^0x[0-9a-fA-F]{40}$"),
  PoolContent: object({ pending: ref("PoolBySender"), queued: ref("PoolBySender") }),
  PoolContentFrom: object({ pending: ref("PoolByNonce"), queued: ref("PoolByNonce") }),
  PoolTexts: object({ pending: mapOf(mapOf(TEXT)), queued: mapOf(mapOf(TEXT)) }),
  NodeInfo: object({
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
  Metadata: object({
    clientVersion: TEXT,
    chainId: INTEGER,
    instanceId: DATA,
    latestBlockNumber: INTEGER,
    latestBlockHash: HASH,
    forkedNetwork: orNull(object({ chainId: INTEGER, forkBlockNumber: INTEGER, forkBlockHash: HASH })),
    snapshots: mapOf({ type: "array" }, "^0x"),
  }),
  RpcModules: mapOf(TEXT),
  OpenRpcContent: object({ name: TEXT, schema: ref("JsonSchema") }, { required: BOOLEAN }),
  OpenRpcValue: object({ name: TEXT, value: ANYTHING }),
  OpenRpcMethod: object(
    {
      name: TEXT,
      summary: TEXT,
      paramStructure: { const: "by-position" },
      params: arrayOf(ref("OpenRpcContent")),
      result: ref("OpenRpcContent"),
      errors: arrayOf(object({ code: INTEGER, message: TEXT })),
      examples: arrayOf(object({ name: TEXT, params: arrayOf(ref("OpenRpcValue")), result: ref("OpenRpcValue") })),
    },
    { description: TEXT },
  ),
  /** Any JSON Schema of draft 7; its members are not described further. */
  JsonSchema: { type: "object" },
  OpenRpcDocument: object({
    openrpc: TEXT,
    info: object({ title: TEXT, version: TEXT, description: TEXT }),
    methods: arrayOf(ref("OpenRpcMethod")),
    components: object({ schemas: mapOf(ref("JsonSchema")) }),
  }),
};

// biome-ignore-all format: a line for each type.
/**
 * Params and results of every JSON-RPC method in JSON form. Generated from the registry by `npm run docs`.
 *
 * They are declared, because inferring them from the registry's schemas would add seconds to a program's type check.
 */
import type { GethTraceJson } from "./geth-trace-json.ts";

/** A `0x`-prefixed hexadecimal string. */
export type Hex = `0x${string}`;

/** A block by its position in the chain; `pending` is the one that would be mined now. */
export type BlockTag = "earliest" | "latest" | "pending" | "safe" | "finalized";

/** QUANTITY of a block, or its tag. */
export type BlockNumberOrTag = Hex | BlockTag;

/** In {@link AbiParameter}, {@link Contract}. */
export interface AbiParameter { name: string; type: string; components: AbiParameter[] }

/** In {@link AccessListResult}, {@link Transaction}, {@link UnsignedTransaction}. */
export interface AccessListEntry { address: Address; storageKeys: Word[] }

/** In the answer of `eth_createAccessList`. */
export interface AccessListResult { accessList: AccessListEntry[]; gasUsed: Quantity; error?: string }

/** In the answer of `eth_getAccount`. */
export interface Account { balance: Quantity; codeHash: Hash; nonce: Quantity; storageRoot: Hash }

/** In {@link StateDiff}. */
export interface AccountDiff {
  balance: "=" | { "+": Quantity } | { "-": Quantity } | { "*": { from: Quantity; to: Quantity } };
  code: "=" | { "+": Data } | { "-": Data } | { "*": { from: Data; to: Data } };
  nonce: "=" | { "+": Quantity } | { "-": Quantity } | { "*": { from: Quantity; to: Quantity } };
  storage: { [name: string]: "=" | { "+": Word } | { "-": Word } | { "*": { from: Word; to: Word } } };
}

/** In the answer of `debug_accountInfoAt`, `eth_getAccountInfo`. */
export interface AccountInfo { balance: Quantity; nonce: Quantity; code: Data }

/** In the answer of `eth_getProof`. */
export interface AccountProof {
  address: Address;
  accountProof: Data[];
  balance: Quantity;
  codeHash: Hash;
  nonce: Quantity;
  storageHash: Hash;
  storageProof: ({ key: Hex; value: Quantity; proof: Data[] })[];
}

/** In the answer of `debug_accountRange`, `debug_dumpBlock`. */
export interface AccountRange {
  root: string;
  accounts: { [name: string]: {
    balance: Decimal;
    nonce: number;
    root: Hash;
    codeHash: Hash;
    key: Hash;
    code?: Data;
    storage?: { [name: string]: string };
    address?: Address;
  } };
  next?: string;
}

/** In the answer of `hindcast_getSources`. */
export interface AccountSources { contract: string; files: ({ path: string; text: string })[]; sourceMatch?: "full" | "partial" }

/** In the answer of `hindcast_getStorage`. */
export interface AccountStorage {
  contract: string | null;
  slots: ({
    hash: Hash;
    slot: Word | null;
    value: Word;
    variables: ({ name: string; type: string | null; value: string })[];
  })[];
  next: Hash | null;
  notes: string[];
}

/** 20 bytes of DATA that are an address. */
export type Address = Hex;

/** In {@link Transaction}, {@link UnsignedTransaction}. */
export interface Authorization {
  chainId: Quantity;
  address: Address;
  nonce: Quantity;
  yParity: Quantity;
  r: Quantity;
  s: Quantity;
}

/** In the answer of `debug_getBadBlocks`. */
export interface BadBlock { block: Block; hash: Hash; rlp: Data }

/** In the answer of `anvil_mine_detailed`, `eth_getBlockByHash`, `eth_getBlockByNumber` and other methods. */
export interface Block {
  number: Quantity | null;
  hash: Hash | null;
  parentHash: Hash;
  nonce: Nonce | null;
  sha3Uncles: Hash;
  logsBloom: Bloom | null;
  transactionsRoot: Hash;
  stateRoot: Hash;
  receiptsRoot: Hash;
  miner: Address;
  difficulty: Quantity;
  extraData: Data;
  gasLimit: Quantity;
  gasUsed: Quantity;
  timestamp: Quantity;
  mixHash: Word;
  size: Quantity;
  uncles: Hash[];
  transactions: Hash[] | Transaction[];
  baseFeePerGas?: Quantity;
  withdrawalsRoot?: Hash;
  blobGasUsed?: Quantity;
  excessBlobGas?: Quantity;
  parentBeaconBlockRoot?: Word;
  requestsHash?: Hash;
  blockAccessListHash?: Hash;
  slotNumber?: Quantity;
  withdrawals?: Withdrawal[];
  totalDifficulty?: Quantity;
}

/** In the answer of `eth_getBlockAccessList`, `eth_getBlockAccessListByBlockHash`, `eth_getBlockAccessListByBlockNumber`. */
export type BlockAccessList = ({
  address: Address;
  storageChanges: ({ key: Word; changes: ({ index: Quantity; value: Word })[] })[];
  storageReads: Word[];
  balanceChanges: ({ index: Quantity; value: Quantity })[];
  nonceChanges: ({ index: Quantity; value: Quantity })[];
  codeChanges: ({ index: Quantity; code: Data })[];
})[];

/** In the answer of `trace_blockOpcodeGas`. */
export interface BlockOpcodeGas { blockHash: Hash; blockNumber: number; transactions: TransactionOpcodeGas[] }

/** 256 bytes of DATA. */
export type Bloom = Hex;

/** In the answer of `hindcast_getBuilds`. */
export interface Build { input: unknown; output: unknown }

/** In the answer of `eth_callBundle`. */
export interface BundleResult {
  bundleHash: Hash;
  bundleGasPrice: Decimal;
  coinbaseDiff: string;
  ethSentToCoinbase: string;
  gasFees: string;
  results: ({
    coinbaseDiff: string;
    ethSentToCoinbase: string;
    gasFees: string;
    txHash: Hash;
    fromAddress: Address;
    toAddress: Address | null;
    gasPrice: Decimal;
    gasUsed: number;
    value?: Data;
    error?: string;
    revert?: Data;
  })[];
  stateBlockNumber: number;
  totalGasUsed: number;
}

/** In the answer of `wallet_getCallsStatus`. */
export interface CallBatchStatus {
  version: string;
  id: string;
  chainId: Quantity;
  status: number;
  atomic: boolean;
  receipts: ({
    logs: ({ address: Address; data: Data; topics: Hash[] })[];
    status: Quantity;
    blockHash: Hash;
    blockNumber: Quantity;
    gasUsed: Quantity;
    transactionHash: Hash;
  })[];
}

/** In the answer of `eth_callMany`. */
export type CallOutcome = { value: Data } | { error: unknown };

/** In the answer of `hindcast_getCalls`. */
export interface CallPart {
  blockHash: Hash;
  transactionIndex: number;
  callCount: number;
  stepCount: number;
  calls: ({
    index: number;
    parent: number;
    depth: number;
    kind: "call" | "callcode" | "delegatecall" | "staticcall" | "create" | "create2";
    from: Address;
    to: Address | null;
    account: Address | null;
    value: Quantity;
    gas: Quantity;
    gasUsed: Quantity;
    contract: string;
    function: string | null;
    arguments: string;
    result: string;
    failure: string | null;
    printed: string | null;
    input: Data;
    inputLength: number;
    output: Data;
    outputLength: number;
    isPrecompile: boolean;
    steps: number[];
    selfDestruct: { beneficiary: Address; balance: Quantity } | null;
    logs: ({ address: Address; text: string | null; topics: Word[]; data: Data; position: number })[];
  })[];
  storage: ({
    call: number;
    step: number;
    account: Address;
    slot: Word;
    before: Word;
    after: Word;
    isUndone: boolean;
    variables: ({ name: string; before: string; after: string })[];
  })[];
}

/** In the answer of `eth_capabilities`. */
export interface Capabilities {
  head: { number: Quantity; hash: Hash };
  state: { disabled: boolean; oldestBlock: Quantity };
  tx: { disabled: boolean; oldestBlock: Quantity };
  logs: { disabled: boolean; oldestBlock: Quantity };
  receipts: { disabled: boolean; oldestBlock: Quantity };
  blocks: { disabled: boolean; oldestBlock: Quantity };
  stateproofs: { disabled: boolean; oldestBlock: Quantity };
}

/** In the answer of `eth_config`. */
export interface ChainConfig { current: ForkConfig | null; next: ForkConfig | null; last: ForkConfig | null }

/** In {@link HistoryComparison}. */
export interface ComparedTransaction {
  blockNumber: Quantity;
  transactionHash: Hash | null;
  transactionIndex: Quantity | null;
  change: "none" | "dropped" | "replaced" | "inserted";
  runs: (ReplayedRun | null)[];
  logs: (({ address: Address; topics: Hash[]; data: Data })[])[];
  console: (({ address: Address; text: string })[])[];
  balances: ({ address: Address; changes: string[] })[];
  storage: ({
    address: Address;
    slot: Hash;
    values: Quantity[];
    variables: ({ name: string; values: string[] })[];
  })[];
}

/** In the answer of `hindcast_getContract`. */
export interface Contract {
  name: string | null;
  functions: ({
    selector: Data;
    signature: string;
    name: string;
    isPayable: boolean;
    isView: boolean;
    inputs: AbiParameter[];
    outputs: AbiParameter[];
  })[];
  events: ({
    topic: Hash;
    name: string;
    inputs: ({ name: string; type: string; components: AbiParameter[]; isIndexed: boolean })[];
  })[];
  errors: ({ selector: Data; name: string; inputs: AbiParameter[] })[];
  sourceMatch?: "full" | "partial";
}

/** In the answer of `hindcast_coverageReport`. */
export interface Coverage {
  files: ({
    path: string;
    lines: ({ line: number; times: number })[];
    functions: ({ name: string; line: number; times: number })[];
    branches: ({ line: number; branch: number; arm: number; times: number })[];
  })[];
  lcov: string;
}

/** DATA. */
export type Data = Hex;

/** decimal digits. */
export type Decimal = string;

/** In the answer of `tenderly_simulateBundle`, `tenderly_simulateTransaction`, `tenderly_traceTransaction`. */
export interface DecodedExecution {
  status: boolean;
  gasUsed: Quantity;
  cumulativeGasUsed: Quantity;
  blockNumber: Quantity;
  type: Quantity;
  logsBloom: Bloom;
  logs: ({
    name: string;
    anonymous: boolean;
    inputs: DecodedValue[] | null;
    raw: { address: Address; topics: Hash[]; data: Data };
  })[];
  trace: ({
    type: string;
    from: Address;
    gas: Quantity;
    gasUsed: Quantity;
    value: Quantity;
    input: Data;
    output: Data;
    subtraces: number;
    traceAddress: number[];
    to?: Address;
    error?: string;
    decodedInput?: DecodedValue[];
    method?: string;
    decodedOutput?: DecodedValue[];
  })[];
  assetChanges: ({
    assetInfo: { standard: string; type?: string; contractAddress?: Address; tokenId?: Quantity };
    type: string;
    rawAmount: Quantity;
    from?: Address;
    to?: Address;
  })[];
  stateChanges: ({
    address: Address;
    nonce?: { previousValue: Quantity; newValue: Quantity };
    balance?: { previousValue: Quantity; newValue: Quantity };
    storage?: ({ slot: Word; previousValue: Word; newValue: Word })[];
  })[];
}

/** In {@link DecodedExecution}. */
export interface DecodedValue { value: unknown; type: string; name: string; indexed?: boolean }

/** In the answer of `debug_executionWitness`, `debug_executionWitnessByBlockHash`. */
export interface ExecutionWitness { state: Data[]; codes: Data[]; keys: Data[]; headers: Data[] }

/** In the answer of `hindcast_explainCall`, `hindcast_explainTransaction`. */
export interface Explanation {
  failed: boolean;
  reason: { kind: string; text: string } | null;
  frames: ({
    contract: string | null;
    function: string | null;
    arguments: ({ name: string; type: string; value: string })[] | null;
    file: string | null;
    line: number | null;
    column: number | null;
    source: string | null;
    isApproximate: boolean;
    address: Address | null;
    isCreation: boolean;
    recognition: "exact" | "withoutMetadata" | "similar" | null;
    namesakes: string[];
    sourceMatch?: "full" | "partial";
  })[];
  text: string;
  notes: string[];
}

/** In the answer of `eth_feeHistory`. */
export interface FeeHistory {
  oldestBlock: Quantity;
  baseFeePerGas: Quantity[];
  gasUsedRatio: number[];
  baseFeePerBlobGas: Quantity[];
  blobGasUsedRatio: number[];
  reward?: (Quantity[])[];
}

/** In the answer of `eth_fillTransaction`. */
export interface FilledTransaction { raw: Data; tx: UnsignedTransaction }

/** In the answer of `eth_getFilterChanges`. */
export type FilterChanges = Hash[] | Log[] | Transaction[];

/** In {@link TraceResults}. */
export interface FlatTrace {
  type: "call" | "create" | "suicide" | "reward";
  action: { [name: string]: string };
  subtraces: number;
  traceAddress: number[];
  result?: { [name: string]: string } | null;
  error?: string;
}

/** In {@link ChainConfig}. */
export interface ForkConfig {
  activationTime: number;
  blobSchedule: { target: number; max: number; baseFeeUpdateFraction: number } | null;
  chainId: Quantity;
  forkId: Hex;
  precompiles: { [name: string]: Address };
  systemContracts: { [name: string]: Address };
}

/** In the answer of `hindcast_estimateGas`. */
export interface GasEstimate {
  gas: Quantity;
  executionGas: Quantity;
  stateGas: Quantity;
  binds: "execution" | "state" | "floor";
}

/** In the answer of `hindcast_gasProfile`, `hindcast_gasProfileCall`. */
export interface GasProfile {
  gasUsed: number;
  gasRefund: number;
  stateGasUsed: number;
  functions: ({
    name: string;
    file: string | null;
    line: number | null;
    calls: number;
    self: number;
    total: number;
  })[];
  lines: ({ file: string | null; line: number | null; gas: number; count: number })[];
  opcodes: ({ name: string; gas: number; count: number })[];
  folded: string;
  speedscope: {
    "$schema": string;
    shared: { frames: ({ name: string; file?: string; line?: number })[] };
    profiles: ({
      type: "sampled";
      name: string;
      unit: "none";
      startValue: number;
      endValue: number;
      samples: (number[])[];
      weights: number[];
    })[];
    name: string;
    exporter: string;
  };
}

/** In the answer of `debug_chainConfig`. */
export interface GenesisConfig { [name: string]: unknown }

/** In the answer of `debug_traceCall`, `debug_traceCallMany`, `debug_traceTransaction`. */
export type GethTrace = GethTraceJson;

/** In the answer of `hindcast_compareHardforks`. */
export interface HardforkComparison {
  hardforks: string[];
  runs: ({
    transactionHash: Hash | null;
    isSame: boolean;
    runs: HardforkRun[];
    logs: (({ address: Address; topics: Hash[]; data: Data })[])[];
    writes: ({
      address: Address;
      member: "balance" | "nonce" | "code" | "storage";
      slot: Hash | null;
      values: (Data | Quantity)[];
    })[];
  })[];
  blockGas: number[];
}

/** In {@link HardforkComparison}. */
export interface HardforkRun {
  status: "succeeded" | "reverted" | "failed" | "refused";
  reason: string | null;
  output: Data;
  gas: {
    total: number;
    intrinsic: number;
    execution: number;
    state: number;
    floor: number;
    refund: number;
    beforeRefund: number;
  } | null;
}

/** 32 bytes of DATA that are a hash. */
export type Hash = Hex;

/** In the answer of `erigon_getHeaderByNumber`, `eth_getHeaderByHash`, `eth_getHeaderByNumber`. */
export interface Header {
  number: Quantity | null;
  hash: Hash | null;
  parentHash: Hash;
  nonce: Nonce | null;
  sha3Uncles: Hash;
  logsBloom: Bloom | null;
  transactionsRoot: Hash;
  stateRoot: Hash;
  receiptsRoot: Hash;
  miner: Address;
  difficulty: Quantity;
  extraData: Data;
  gasLimit: Quantity;
  gasUsed: Quantity;
  timestamp: Quantity;
  mixHash: Word;
  baseFeePerGas?: Quantity;
  withdrawalsRoot?: Hash;
  blobGasUsed?: Quantity;
  excessBlobGas?: Quantity;
  parentBeaconBlockRoot?: Word;
  requestsHash?: Hash;
  blockAccessListHash?: Hash;
  slotNumber?: Quantity;
}

/** In the answer of `hindcast_nodeInfo`. */
export interface HindcastNodeInfo {
  dialect: string;
  clientVersion: string;
  hardFork: string;
  currentBlockNumber: Quantity;
  chainId: number;
  limits: {
    maxBatchLength: number;
    maxRequestValues: number;
    callGasLimit: number;
    callTimeoutMs: number;
    traceTimeoutMs: number;
    traceFilterBlocks: number | null;
    minedBlocks: number;
    waitTimeoutMs: number;
    stateFileBytes: number;
    stateFileValues: number;
    recordingMemory: number;
    executionMemory: number;
    importMemory: number;
    concurrentExecutions: number;
    queuedExecutions: number;
  };
  fixedLimits: { [name: string]: number };
}

/** In the answer of `hindcast_replay`. */
export interface HistoryComparison {
  transactions: ComparedTransaction[];
  omitted: number;
  totals: ReplayTotals;
  balances: ({ address: Address; wei: string })[];
}

/** In {@link OpenRpcContent}, {@link OpenRpcDocument}. */
export interface JsonSchema { [name: string]: unknown }

/** In the answer of `hindcast_getBlocks`. */
export interface ListedBlock {
  number: Quantity;
  hash: Hash;
  parentHash: Hash;
  isCanonical: boolean;
  timestamp: Quantity;
  miner: Address;
  gasUsed: Quantity;
  gasLimit: Quantity;
  baseFeePerGas: Quantity | null;
  transactionCount: number;
  uncles: Hash[];
}

/** In the answer of `trace_block`, `trace_filter`, `trace_get` and other methods. */
export interface LocalizedTrace {
  type: "call" | "create" | "suicide" | "reward";
  action: { [name: string]: string };
  subtraces: number;
  traceAddress: number[];
  blockHash: Hash;
  blockNumber: number;
  result?: { [name: string]: string } | null;
  error?: string;
  transactionHash?: Hash | null;
  transactionPosition?: number | null;
}

/** In the answer of `eth_getFilterLogs`, `eth_getLogs`. */
export interface Log {
  address: Address;
  topics: Word[];
  data: Data;
  blockNumber: Quantity | null;
  transactionHash: Hash | null;
  transactionIndex: Quantity | null;
  blockHash: Hash | null;
  blockTimestamp: Quantity | null;
  logIndex: Quantity | null;
  removed: boolean;
}

/** In the answer of `anvil_metadata`, `ganache_metadata`, `hardhat_metadata`. */
export interface Metadata {
  clientVersion: string;
  chainId: number;
  instanceId: Data;
  latestBlockNumber: number;
  latestBlockHash: Hash;
  snapshots: { [name: string]: unknown[] };
  forkedNetwork?: { chainId: number; forkBlockNumber: number; forkBlockHash: Hash };
}

/** In the answer of `anvil_nodeInfo`, `ganache_nodeInfo`, `hardhat_nodeInfo`. */
export interface NodeInfo {
  currentBlockNumber: Quantity;
  currentBlockTimestamp: number;
  currentBlockHash: Hash;
  hardFork: string;
  transactionOrder: string;
  environment: { baseFee: Quantity; chainId: number; gasLimit: Quantity; gasPrice: Quantity };
  forkConfig: {
    forkUrl: string | null;
    forkBlockNumber: number | null;
    forkRetryBackoff: null;
    forkBlockHash?: Hash;
    requests?: number;
    cacheHits?: number;
  };
}

/** 8 bytes of DATA. */
export type Nonce = Hex;

/** In {@link OpenRpcMethod}. */
export interface OpenRpcContent { name: string; schema: JsonSchema; required?: boolean }

/** In the answer of `rpc.discover`. */
export interface OpenRpcDocument {
  openrpc: string;
  info: { title: string; version: string; description: string };
  methods: OpenRpcMethod[];
  components: { schemas: { [name: string]: JsonSchema } };
}

/** In {@link OpenRpcDocument}. */
export interface OpenRpcMethod {
  name: string;
  summary: string;
  paramStructure: "by-position";
  params: OpenRpcContent[];
  result: OpenRpcContent;
  errors: ({ code: number; message: string })[];
  examples: ({ name: string; params: OpenRpcValue[]; result: OpenRpcValue })[];
  description?: string;
}

/** In {@link OpenRpcMethod}. */
export interface OpenRpcValue { name: string; value: unknown }

/** In the answer of `ots_getBlockDetails`, `ots_getBlockDetailsByHash`. */
export interface OtterscanBlockDetails {
  block: {
    number: Quantity | null;
    hash: Hash | null;
    parentHash: Hash;
    nonce: Nonce | null;
    sha3Uncles: Hash;
    logsBloom: null;
    transactionsRoot: Hash;
    stateRoot: Hash;
    receiptsRoot: Hash;
    miner: Address;
    difficulty: Quantity;
    extraData: Data;
    gasLimit: Quantity;
    gasUsed: Quantity;
    timestamp: Quantity;
    mixHash: Word;
    size: Quantity;
    uncles: Hash[];
    transactionCount: number;
    baseFeePerGas?: Quantity;
    withdrawalsRoot?: Hash;
    blobGasUsed?: Quantity;
    excessBlobGas?: Quantity;
    parentBeaconBlockRoot?: Word;
    requestsHash?: Hash;
    blockAccessListHash?: Hash;
    slotNumber?: Quantity;
    withdrawals?: Withdrawal[];
    totalDifficulty?: Quantity;
  };
  issuance: { blockReward: Quantity; uncleReward: Quantity; issuance: Quantity };
  totalFees: Quantity;
}

/** In the answer of `ots_traceTransaction`. */
export interface OtterscanCall {
  type: string;
  depth: number;
  from: Address;
  to: Address;
  value: Quantity | null;
  input: Data;
  output: Data;
}

/** In the answer of `ots_getContractCreator`. */
export interface OtterscanCreation { hash: Hash; creator: Address }

/** In the answer of `ots_searchTransactionsAfter`, `ots_searchTransactionsBefore`. */
export interface OtterscanHistoryPage {
  txs: Transaction[];
  receipts: ({
    blockHash: Hash;
    blockNumber: Quantity;
    contractAddress: Address | null;
    cumulativeGasUsed: Quantity;
    effectiveGasPrice: Quantity;
    from: Address;
    gasUsed: Quantity;
    to: Address | null;
    transactionHash: Hash;
    transactionIndex: Quantity;
    type: Quantity;
    logs: Log[];
    logsBloom: Bloom;
    timestamp: number;
    status?: Quantity;
    root?: Hash;
    blobGasUsed?: Quantity;
    blobGasPrice?: Quantity;
    executionGasUsed?: Quantity;
    stateGasUsed?: Quantity;
    gasRefund?: Quantity;
  })[];
  firstPage: boolean;
  lastPage: boolean;
}

/** In the answer of `ots_getInternalOperations`. */
export interface OtterscanOperation { type: number; from: Address; to: Address; value: Quantity }

/** In the answer of `ots_getBlockTransactions`. */
export interface OtterscanTransactionPage {
  fullblock: {
    number: Quantity | null;
    hash: Hash | null;
    parentHash: Hash;
    nonce: Nonce | null;
    sha3Uncles: Hash;
    logsBloom: null;
    transactionsRoot: Hash;
    stateRoot: Hash;
    receiptsRoot: Hash;
    miner: Address;
    difficulty: Quantity;
    extraData: Data;
    gasLimit: Quantity;
    gasUsed: Quantity;
    timestamp: Quantity;
    mixHash: Word;
    size: Quantity;
    uncles: Hash[];
    transactionCount: number;
    transactions: Transaction[];
    baseFeePerGas?: Quantity;
    withdrawalsRoot?: Hash;
    blobGasUsed?: Quantity;
    excessBlobGas?: Quantity;
    parentBeaconBlockRoot?: Word;
    requestsHash?: Hash;
    blockAccessListHash?: Hash;
    slotNumber?: Quantity;
    withdrawals?: Withdrawal[];
    totalDifficulty?: Quantity;
  };
  receipts: ({
    blockHash: Hash;
    blockNumber: Quantity;
    contractAddress: Address | null;
    cumulativeGasUsed: Quantity;
    effectiveGasPrice: Quantity;
    from: Address;
    gasUsed: Quantity;
    to: Address | null;
    transactionHash: Hash;
    transactionIndex: Quantity;
    type: Quantity;
    logs: null;
    logsBloom: null;
    status?: Quantity;
    root?: Hash;
    blobGasUsed?: Quantity;
    blobGasPrice?: Quantity;
    executionGasUsed?: Quantity;
    stateGasUsed?: Quantity;
    gasRefund?: Quantity;
  })[];
}

/** In the answer of `testing_buildBlockV1`. */
export interface Payload {
  executionPayload: {
    parentHash: Hash;
    feeRecipient: Address;
    stateRoot: Hash;
    receiptsRoot: Hash;
    logsBloom: Bloom;
    prevRandao: Word;
    blockNumber: Quantity;
    gasLimit: Quantity;
    gasUsed: Quantity;
    timestamp: Quantity;
    extraData: Data;
    baseFeePerGas: Quantity;
    blockHash: Hash;
    transactions: Data[];
    withdrawals?: Withdrawal[];
    blobGasUsed?: Quantity;
    excessBlobGas?: Quantity;
    blockAccessList?: Data;
    slotNumber?: Quantity;
  };
  blockValue: Quantity;
  blobsBundle: { commitments: Data[]; proofs: Data[]; blobs: Data[] };
  executionRequests: Data[];
  shouldOverrideBuilder: boolean;
}

/** In {@link PoolBySender}, {@link PoolContentFrom}. */
export interface PoolByNonce { [name: string]: Transaction }

/** In {@link PoolContent}. */
export interface PoolBySender { [name: string]: PoolByNonce }

/** In the answer of `txpool_content`. */
export interface PoolContent { pending: PoolBySender; queued: PoolBySender }

/** In the answer of `txpool_contentFrom`. */
export interface PoolContentFrom { pending: PoolByNonce; queued: PoolByNonce }

/** In the answer of `txpool_status`. */
export interface PoolStatus { pending: Quantity; queued: Quantity }

/** In the answer of `txpool_inspect`. */
export interface PoolTexts {
  pending: { [name: string]: { [name: string]: string } };
  queued: { [name: string]: { [name: string]: string } };
}

/** QUANTITY. */
export type Quantity = Hex;

/** In the answer of `eth_getBlockReceipts`, `eth_getTransactionReceipt`, `eth_sendRawTransactionSync` and other methods. */
export interface Receipt {
  blockHash: Hash;
  blockNumber: Quantity;
  contractAddress: Address | null;
  cumulativeGasUsed: Quantity;
  effectiveGasPrice: Quantity;
  from: Address;
  gasUsed: Quantity;
  to: Address | null;
  transactionHash: Hash;
  transactionIndex: Quantity;
  type: Quantity;
  logs: Log[];
  logsBloom: Bloom;
  status?: Quantity;
  root?: Hash;
  blobGasUsed?: Quantity;
  blobGasPrice?: Quantity;
  executionGasUsed?: Quantity;
  stateGasUsed?: Quantity;
  gasRefund?: Quantity;
}

/** In the answer of `hindcast_getRecording`. */
export interface Recording {
  transactionHash: Hash;
  blockHash: Hash;
  blockNumber: Quantity;
  transactionIndex: number;
  frameCount: number;
  stepCount: number;
  frames: ({
    parent: number;
    depth: number;
    kind: "call" | "callcode" | "delegatecall" | "staticcall" | "create" | "create2";
    from: Address;
    to: Address | null;
    account: Address | null;
    value: Quantity;
    gas: Quantity;
    gasUsed: Quantity;
    input: Data;
    output: Data;
    codeHash: Hash | null;
    error: string | null;
    isStarted: boolean;
    isPrecompile: boolean;
    step: number;
    stepEnd: number;
  })[];
  codes: ({ hash: Hash; code: Data })[];
}

/** In {@link HistoryComparison}. */
export interface ReplayTotals {
  blocks: number;
  transactions: number;
  different: number;
  otherStatus: number;
  refused: number;
  gasUsed: Quantity[];
  logs: number[];
  differentLogs: number[];
  consoleLines: number[];
}

/** In {@link ComparedTransaction}. */
export interface ReplayedRun {
  status: "succeeded" | "reverted" | "failed" | "refused";
  reason: string | null;
  output: Data;
  gasUsed: Quantity;
  contractAddress: Address | null;
}

/** In the answer of `rpc_modules`. */
export interface RpcModules { [name: string]: string }

/** In the answer of `hindcast_status`. */
export interface SharingStatus {
  role: string;
  sequence: Quantity | null;
  incarnation: Data | null;
  behind: Quantity | null;
  epoch: Quantity | null;
  writer: string | null;
  follows: boolean;
  problem: string | null;
}

/** 65 bytes of DATA: r, s, v. */
export type Signature = Hex;

/** In the answer of `personal_signTransaction`. */
export interface SignedTransaction { raw: Data; tx: Transaction }

/** In the answer of `eth_simulateV1`. */
export interface SimulatedBlock {
  number: Quantity | null;
  hash: Hash | null;
  parentHash: Hash;
  nonce: Nonce | null;
  sha3Uncles: Hash;
  logsBloom: Bloom | null;
  transactionsRoot: Hash;
  stateRoot: Hash;
  receiptsRoot: Hash;
  miner: Address;
  difficulty: Quantity;
  extraData: Data;
  gasLimit: Quantity;
  gasUsed: Quantity;
  timestamp: Quantity;
  mixHash: Word;
  size: Quantity;
  uncles: Hash[];
  transactions: Hash[] | Transaction[];
  calls: SimulatedCall[];
  baseFeePerGas?: Quantity;
  withdrawalsRoot?: Hash;
  blobGasUsed?: Quantity;
  excessBlobGas?: Quantity;
  parentBeaconBlockRoot?: Word;
  requestsHash?: Hash;
  blockAccessListHash?: Hash;
  slotNumber?: Quantity;
  withdrawals?: Withdrawal[];
  totalDifficulty?: Quantity;
}

/** In {@link SimulatedBlock}. */
export interface SimulatedCall {
  returnData: Data;
  logs: Log[];
  gasUsed: Quantity;
  maxUsedGas: Quantity;
  status: Quantity;
  executionGasUsed?: Quantity;
  stateGasUsed?: Quantity;
  gasRefund?: Quantity;
  error?: { message: string; code: number; data?: Data };
}

/** In the answer of `hindcast_stateChanges`. */
export interface StateChanges {
  storage: ({
    account: Address;
    contract: string | null;
    name: string | null;
    unnamedBecause: string | null;
    type: string | null;
    slot: Data;
    isTransient: boolean;
    before: string;
    after: string;
    writes: ({
      before: string;
      after: string;
      isUndone: boolean;
      traceAddress: number[];
      function: string | null;
      file: string | null;
      line: number | null;
      column: number | null;
      isApproximate: boolean;
    })[];
  })[];
  moves: ({
    kind: "ether" | "erc20" | "erc721" | "erc1155";
    token: Address | null;
    tokenId: Quantity | null;
    from: Address;
    to: Address;
    amount: Quantity;
    traceAddress: number[];
  })[];
  assets: ({
    kind: "ether" | "erc20" | "erc721" | "erc1155";
    token: Address | null;
    tokenId: Quantity | null;
    account: Address;
    amount: string;
  })[];
  text: string;
  notes: string[];
}

/** In {@link TraceResults}. */
export interface StateDiff { [name: string]: AccountDiff }

/** In the answer of `hindcast_getStep`. */
export interface Step {
  step: number;
  call: number;
  depth: number;
  pc: number;
  op: string;
  gas: Quantity;
  gasCost: Quantity;
  isBroken: boolean;
  file: string | null;
  line: number | null;
  stepCount: number;
  account: Address | null;
  codeAddress: Address | null;
  refund: Quantity;
  stack: Quantity[];
  memory: Data;
  memoryLength: number;
  returnData: Data;
  storage: ({ slot: Word; value: Word })[];
  source: ({ line: number; text: string })[];
}

/** In the answer of `hindcast_getSteps`. */
export interface StepPart {
  stepCount: number;
  steps: ({
    step: number;
    call: number;
    depth: number;
    pc: number;
    op: string;
    gas: Quantity;
    gasCost: Quantity;
    isBroken: boolean;
    file: string | null;
    line: number | null;
  })[];
}

/** In the answer of `hindcast_getRecordedSteps`. */
export interface StepSlice { first: number; records: Data; writes: Data }

/** In the answer of `debug_storageRangeAt`. */
export interface StorageRange { storage: { [name: string]: { key: Word | null; value: Word } }; nextKey: Word | null }

/** In the answer of `eth_getStorageValues`. */
export interface StorageValues { [name: string]: Word[] }

/** In the answer of `trace_call`, `trace_callMany`, `trace_rawTransaction` and other methods. */
export interface TraceResults {
  output: Data;
  trace: FlatTrace[] | null;
  vmTrace: VmTrace | null;
  stateDiff: StateDiff | null;
  transactionHash?: Hash | null;
}

/** In the answer of `eth_getTransactionByBlockHashAndIndex`, `eth_getTransactionByBlockNumberAndIndex`, `eth_getTransactionByHash` and other methods. */
export interface Transaction {
  blockHash: Hash | null;
  blockNumber: Quantity | null;
  blockTimestamp: Quantity | null;
  from: Address;
  gas: Quantity;
  gasPrice: Quantity;
  hash: Hash;
  input: Data;
  nonce: Quantity;
  to: Address | null;
  transactionIndex: Quantity | null;
  value: Quantity;
  type: Quantity;
  v: Quantity;
  r: Hex;
  s: Hex;
  yParity?: Quantity;
  chainId?: Quantity | null;
  accessList?: AccessListEntry[];
  maxFeePerGas?: Quantity;
  maxPriorityFeePerGas?: Quantity;
  maxFeePerBlobGas?: Quantity;
  blobVersionedHashes?: Hash[];
  authorizationList?: Authorization[];
  accesslist?: AccessListEntry[];
  condition?: null;
  creates?: Address | null;
  publicKey?: Data | null;
  raw?: Data;
  standardV?: Quantity;
}

/** In the answer of `trace_transactionOpcodeGas`. */
export interface TransactionOpcodeGas { transactionHash: Hash; opcodeGas: ({ opcode: string; count: number; gasUsed: number })[] }

/** In the answer of `debug_traceBadBlock`, `debug_traceBlock`, `debug_traceBlockByHash` and other methods. */
export interface TransactionTrace { txHash: Hash; result: GethTrace }

/** In the answer of `eth_getUncleByBlockHashAndIndex`, `eth_getUncleByBlockNumberAndIndex`. */
export interface Uncle {
  number: Quantity | null;
  hash: Hash | null;
  parentHash: Hash;
  nonce: Nonce | null;
  sha3Uncles: Hash;
  logsBloom: Bloom | null;
  transactionsRoot: Hash;
  stateRoot: Hash;
  receiptsRoot: Hash;
  miner: Address;
  difficulty: Quantity;
  extraData: Data;
  gasLimit: Quantity;
  gasUsed: Quantity;
  timestamp: Quantity;
  mixHash: Word;
  size: Quantity;
  uncles: Hash[];
  totalDifficulty: Quantity;
  transactions: Hash[];
}

/** In {@link FilledTransaction}. */
export interface UnsignedTransaction {
  type: Quantity;
  chainId: Quantity;
  from: Address;
  nonce: Quantity;
  to: Address | null;
  gas: Quantity;
  gasPrice: Quantity;
  value: Quantity;
  input: Data;
  maxFeePerGas?: Quantity;
  maxPriorityFeePerGas?: Quantity;
  maxFeePerBlobGas?: Quantity;
  blobVersionedHashes?: Hash[];
  accessList?: AccessListEntry[];
  authorizationList?: Authorization[];
}

/** In {@link VmTrace}. */
export interface VmOperation {
  pc: number;
  cost: number;
  ex: { [name: string]: unknown } | null;
  sub: VmTrace | null;
  op?: string;
  idx?: string;
}

/** In {@link TraceResults}, {@link VmOperation}. */
export interface VmTrace { code: Data; ops: VmOperation[] }

/** In {@link Block}, {@link OtterscanBlockDetails}, {@link OtterscanTransactionPage}, {@link Payload}, {@link SimulatedBlock}. */
export interface Withdrawal { index: Quantity; validatorIndex: Quantity; address: Address; amount: Quantity }

/** 32 bytes of DATA. */
export type Word = Hex;

/** block number, tag, hash, or an object of EIP-1898. */
export type BlockId = BlockNumberOrTag | Hex | { readonly blockHash: Hex; readonly requireCanonical?: boolean | undefined } | { readonly blockNumber: BlockNumberOrTag };

/** In the params of `eth_getLogs`, `eth_newFilter`. */
export interface LogFilter {
  readonly fromBlock?: BlockNumberOrTag | null | undefined;
  readonly toBlock?: BlockNumberOrTag | null | undefined;
  readonly blockHash?: Hex | null | undefined;
  readonly address?: Hex | readonly Hex[] | null | undefined;
  readonly topics?: readonly (Hex | null | readonly (Hex | null)[] | null)[] | null | undefined;
}

/** In the params of `debug_traceCall`, `debug_traceCallMany`, `eth_call` and other methods. */
export interface StateOverrides { readonly [name: string]: {
  readonly balance?: string | null | undefined;
  readonly nonce?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly state?: { readonly [name: string]: Hex } | null | undefined;
  readonly stateDiff?: { readonly [name: string]: Hex } | null | undefined;
  readonly movePrecompileToAddress?: Hex | null | undefined;
} }

/** In the params of `debug_traceCall`, `debug_traceCallMany`, `eth_call` and other methods. */
export interface BlockOverrides {
  readonly number?: Hex | null | undefined;
  readonly difficulty?: Hex | null | undefined;
  readonly time?: Hex | null | undefined;
  readonly gasLimit?: Hex | null | undefined;
  readonly feeRecipient?: Hex | null | undefined;
  readonly prevRandao?: Hex | null | undefined;
  readonly baseFeePerGas?: Hex | null | undefined;
  readonly blobBaseFee?: Hex | null | undefined;
  readonly slotNumber?: Hex | null | undefined;
  readonly beaconRoot?: Hex | null | undefined;
  readonly withdrawals?: readonly ({ readonly index: Hex; readonly validatorIndex: Hex; readonly address: Hex; readonly amount: Hex })[] | null | undefined;
  readonly blockHash?: { readonly [name: string]: Hex } | null | undefined;
  readonly blockNumber?: Hex | null | undefined;
  readonly timestamp?: Hex | null | undefined;
  readonly coinbase?: Hex | null | undefined;
  readonly random?: Hex | null | undefined;
  readonly baseFee?: Hex | null | undefined;
}

/** In the params of `trace_call`, `trace_callMany`, `trace_rawTransaction` and other methods. */
export type TraceTypes = readonly ("trace" | "vmTrace" | "stateDiff")[];

/** In the params of `trace_call`, `trace_callMany`, `trace_rawTransaction`. */
export type StateOverridesOrConfig = StateOverrides | { readonly includePrecompiles?: boolean | null | undefined };

/** In the params of `trace_call`, `trace_callMany`, `trace_rawTransaction`. */
export type BlockOverridesOfTrace = BlockOverrides;

/** In the params of `anvil_reorg`, `debug_traceCall`, `debug_traceCallMany` and other methods. */
export interface CallObject {
  readonly from?: Hex | null | undefined;
  readonly to?: Hex | null | undefined;
  readonly gas?: Hex | null | undefined;
  readonly gasPrice?: Hex | null | undefined;
  readonly maxFeePerGas?: Hex | null | undefined;
  readonly maxPriorityFeePerGas?: Hex | null | undefined;
  readonly value?: Hex | null | undefined;
  readonly nonce?: Hex | null | undefined;
  readonly data?: Hex | null | undefined;
  readonly input?: Hex | null | undefined;
  readonly accessList?: readonly ({ readonly address: Hex; readonly storageKeys?: readonly Hex[] | null | undefined })[] | null | undefined;
  readonly chainId?: Hex | null | undefined;
  readonly type?: Hex | null | undefined;
  readonly maxFeePerBlobGas?: Hex | null | undefined;
  readonly blobVersionedHashes?: readonly Hex[] | null | undefined;
  readonly authorizationList?: readonly ({
    readonly chainId: Hex;
    readonly address: Hex;
    readonly nonce: Hex;
    readonly yParity?: Hex | null | undefined;
    readonly v?: Hex | null | undefined;
    readonly r: Hex;
    readonly s: Hex;
  })[] | null | undefined;
  readonly blobs?: readonly Hex[] | null | undefined;
  readonly commitments?: readonly Hex[] | null | undefined;
  readonly proofs?: readonly Hex[] | null | undefined;
}

/** All methods by name. */
export interface Methods {
  /** Adds wei to an account's balance. */
  anvil_addBalance: {
    readonly request: { readonly params: readonly [address: Hex, amount: number | string] };
    readonly result: null;
  };
  /** Lets every address send transactions without a key, or ends that. */
  anvil_autoImpersonateAccount: {
    readonly request: { readonly params: readonly [enabled: boolean] };
    readonly result: null;
  };
  /** Sets an account's balance of an ERC-20 token. */
  anvil_dealERC20: {
    readonly request: { readonly params: readonly [owner: Hex, token: Hex, balance: number | string] };
    readonly result: null;
  };
  /** Sets an account's balance of an ERC-20 token. Another name for anvil_dealERC20. */
  anvil_dealErc20: Methods["anvil_dealERC20"];
  /** Drops all waiting transactions. */
  anvil_dropAllTransactions: {
    readonly request: { readonly params?: readonly [] };
    readonly result: null;
  };
  /** Drops a waiting transaction. Answers its hash, or null if it is not in the pool. */
  anvil_dropTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Data | null;
  };
  /** The chain with its blocks, receipts, states, edits and time as a gzipped file. */
  anvil_dumpState: {
    readonly request: { readonly params?: readonly [preserveHistoricalStates?: boolean | null | undefined] };
    readonly result: Data;
  };
  /** Whether automine is on: each transaction is mined at once. */
  anvil_getAutomine: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** A blob by its versioned hash (EIP-4844); null unless it is among the last 512 that this node received. */
  anvil_getBlobByHash: {
    readonly request: { readonly params: readonly [versionedHash: Hex] };
    readonly result: Data | null;
  };
  /** The blobs of a transaction; null unless they are among the last 512 that this node received. */
  anvil_getBlobsByTransactionHash: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Data[] | null;
  };
  /** Timestamp of the chain's first block in seconds, as a JSON number. */
  anvil_getGenesisTime: {
    readonly request: { readonly params?: readonly [] };
    readonly result: number;
  };
  /** Seconds between blocks; null unless the node mines by interval. */
  anvil_getIntervalMining: {
    readonly request: { readonly params?: readonly [] };
    readonly result: number | null;
  };
  /** Lets an address send transactions without a key. */
  anvil_impersonateAccount: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: null;
  };
  /** Lets a signature recover to an address after the head, in ecrecover and as a sender. */
  anvil_impersonateSignature: {
    readonly request: { readonly params: readonly [signature: Hex, address: Hex] };
    readonly result: null;
  };
  /** Moves time forward. Answers the total seconds between chain time and clock, as a JSON number. Another name for evm_increaseTime. */
  anvil_increaseTime: Methods["evm_increaseTime"];
  /** Replaces the chain by that of an `anvil_dumpState` file, from this node or Anvil; or merges the accounts of Anvil's. */
  anvil_loadState: {
    readonly request: { readonly params: readonly [file: Hex, merge?: boolean | null | undefined] };
    readonly result: boolean;
  };
  /** Version, chain, head and snapshots, in Anvil's shape. */
  anvil_metadata: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Metadata;
  };
  /** Mines blocks, by default one, with an interval in seconds between them. */
  anvil_mine: {
    readonly request: { readonly params?: readonly [blocks?: number | string | null | undefined, interval?: number | string | null | undefined] };
    readonly result: null;
  };
  /** Mines like `evm_mine` and answers the new blocks with their transactions. */
  anvil_mine_detailed: {
    readonly request: { readonly params?: readonly [options?: number | string | {
    readonly timestamp?: number | string | null | undefined;
    readonly blocks?: number | string | null | undefined;
  } | null | undefined] };
    readonly result: Block[];
  };
  /** Head, hardfork and fees of the next block, in Anvil's shape. */
  anvil_nodeInfo: {
    readonly request: { readonly params?: readonly [] };
    readonly result: NodeInfo;
  };
  /** Block timestamps follow the clock again. Answers whether an interval was set. */
  anvil_removeBlockTimestampInterval: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** Drops all waiting transactions of one sender. */
  anvil_removePoolTransactions: {
    readonly request: { readonly params: readonly [sender: Hex] };
    readonly result: null;
  };
  /** Replaces the last blocks by as many new ones, with transactions given as [transaction, block index] pairs. */
  anvil_reorg: {
    readonly request: { readonly params: readonly [depth: number | string | {
    readonly depth: number | string;
    readonly txBlockPairs?: readonly (readonly [Hex | CallObject, number | string])[] | null | undefined;
  }, transactions?: readonly (readonly [Hex | CallObject, number | string])[] | null | undefined] };
    readonly result: null;
  };
  /** Resets the chain to genesis. With `forking`, starts a fork of another chain or at another block. */
  anvil_reset: {
    readonly request: { readonly params?: readonly [options?: {
    readonly forking?: {
      readonly jsonRpcUrl?: string | null | undefined;
      readonly blockNumber?: number | string | null | undefined;
      readonly httpHeaders?: { readonly [name: string]: string } | null | undefined;
    } | null | undefined;
  } | null | undefined] };
    readonly result: null;
  };
  /** Goes back to a snapshot and deletes it and all later ones. Answers false if the id is unknown. Another name for evm_revert. */
  anvil_revert: Methods["evm_revert"];
  /** Removes blocks from the head, by default one; their transactions return to the pool. */
  anvil_rollback: {
    readonly request: { readonly params?: readonly [depth?: number | string | null | undefined] };
    readonly result: null;
  };
  /** Switches automine on or off. Another name for evm_setAutomine. */
  anvil_setAutomine: Methods["evm_setAutomine"];
  /** Sets an account's balance, in wei. */
  anvil_setBalance: {
    readonly request: { readonly params: readonly [address: Hex, balance: number | string] };
    readonly result: null;
  };
  /** Sets the gas limit of later blocks. Another name for evm_setBlockGasLimit. */
  anvil_setBlockGasLimit: Methods["evm_setBlockGasLimit"];
  /** Sets the seconds between block timestamps, independent of the clock. */
  anvil_setBlockTimestampInterval: {
    readonly request: { readonly params: readonly [seconds: number | string] };
    readonly result: null;
  };
  /** Gives the blocks after the head another chain id. */
  anvil_setChainId: {
    readonly request: { readonly params: readonly [chainId: number | string] };
    readonly result: null;
  };
  /** Sets an account's code. */
  anvil_setCode: {
    readonly request: { readonly params: readonly [address: Hex, code: Hex] };
    readonly result: null;
  };
  /** Sets the recipient of fees and rewards of later blocks. */
  anvil_setCoinbase: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: null;
  };
  /** Sets the allowance of a spender for an owner's ERC-20 tokens. */
  anvil_setERC20Allowance: {
    readonly request: { readonly params: readonly [owner: Hex, spender: Hex, token: Hex, amount: number | string] };
    readonly result: null;
  };
  /** Sets the allowance of a spender for an owner's ERC-20 tokens. Another name for anvil_setERC20Allowance. */
  anvil_setErc20Allowance: Methods["anvil_setERC20Allowance"];
  /** Mines by interval, in seconds as in Anvil; zero mines on request only. Another name for evm_setIntervalMining. */
  anvil_setIntervalMining: Methods["evm_setIntervalMining"];
  /** Switches the node's log of requests on or off. */
  anvil_setLoggingEnabled: {
    readonly request: { readonly params: readonly [enabled: boolean] };
    readonly result: null;
  };
  /** Sets the minimum and suggested gas price, in wei; before London only. */
  anvil_setMinGasPrice: {
    readonly request: { readonly params: readonly [gasPrice: number | string] };
    readonly result: null;
  };
  /** Sets the base fee of the next block, in wei per gas, from London on. */
  anvil_setNextBlockBaseFeePerGas: {
    readonly request: { readonly params: readonly [baseFeePerGas: number | string] };
    readonly result: null;
  };
  /** Sets PREVRANDAO of the next block, after the Merge. Another name for anvil_setPrevRandao. */
  anvil_setNextBlockPrevRandao: Methods["anvil_setPrevRandao"];
  /** Sets the timestamp of the next block; later time counts from there. Another name for evm_setNextBlockTimestamp. */
  anvil_setNextBlockTimestamp: Methods["evm_setNextBlockTimestamp"];
  /** Sets an account's nonce. */
  anvil_setNonce: {
    readonly request: { readonly params: readonly [address: Hex, nonce: number | string] };
    readonly result: null;
  };
  /** Sets PREVRANDAO of the next block, after the Merge. */
  anvil_setPrevRandao: {
    readonly request: { readonly params: readonly [prevRandao: Hex | number | string] };
    readonly result: null;
  };
  /** Reads the forked chain from another node, which must have the same fork block. */
  anvil_setRpcUrl: {
    readonly request: { readonly params: readonly [url: string] };
    readonly result: null;
  };
  /** Sets a storage slot. Answers true. */
  anvil_setStorageAt: {
    readonly request: { readonly params: readonly [address: Hex, slot: Hex | number | string, value: Hex | number | string] };
    readonly result: boolean;
  };
  /** Sets the current time. Answers the seconds by which it moved forward, as a JSON number. Another name for evm_setTime. */
  anvil_setTime: Methods["evm_setTime"];
  /** Takes a snapshot. Answers its id; ids rise from 0x0. Another name for evm_snapshot. */
  anvil_snapshot: Methods["evm_snapshot"];
  /** Ends the impersonation of an address. */
  anvil_stopImpersonatingAccount: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: null;
  };
  /** Balance, nonce and code of an account after a transaction of a block. */
  debug_accountInfoAt: {
    readonly request: { readonly params: readonly [block: BlockId, transactionIndex: number | Hex, address: Hex] };
    readonly result: AccountInfo | null;
  };
  /** Accounts after a block with code and storage, in the order of the trie, by pages. */
  debug_accountRange: {
    readonly request: { readonly params: readonly [block: BlockId, start?: Hex | null | undefined, limit?: number | Hex | null | undefined, withoutCode?: boolean | null | undefined, withoutStorage?: boolean | null | undefined, withUnnamed?: boolean | null | undefined] };
    readonly result: AccountRange;
  };
  /** The chain's configuration, as the member `config` of geth's genesis.json. */
  debug_chainConfig: {
    readonly request: { readonly params?: readonly [] };
    readonly result: GenesisConfig;
  };
  /** Drops all waiting transactions. Another name for anvil_dropAllTransactions. */
  debug_clearTxpool: Methods["anvil_dropAllTransactions"];
  /** A contract's code by its Keccak-256; null if this chain does not have it. */
  debug_codeByHash: {
    readonly request: { readonly params: readonly [codeHash: Hex, block?: BlockId | null | undefined] };
    readonly result: Data | null;
  };
  /** A value by its key in geth's database: a trie node, code or preimage. Null if there is no value. */
  debug_dbGet: {
    readonly request: { readonly params: readonly [key: string] };
    readonly result: Data | null;
  };
  /** The accounts after a block with code and storage, at most 256, as geth lists them. */
  debug_dumpBlock: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag] };
    readonly result: AccountRange;
  };
  /** Trie nodes, codes, keys and headers that a block's execution reads, for stateless execution. */
  debug_executionWitness: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag] };
    readonly result: ExecutionWitness;
  };
  /** The same by block hash. */
  debug_executionWitnessByBlockHash: {
    readonly request: { readonly params: readonly [blockHash: Hex] };
    readonly result: ExecutionWitness;
  };
  /** The last blocks that an import refused, newest first, with their RLP. */
  debug_getBadBlocks: {
    readonly request: { readonly params?: readonly [] };
    readonly result: BadBlock[];
  };
  /** The same by block hash. */
  debug_getModifiedAccountsByHash: {
    readonly request: { readonly params: readonly [start: Hex, end?: Hex | null | undefined] };
    readonly result: Data[];
  };
  /** Accounts that a block or a range of blocks changed. */
  debug_getModifiedAccountsByNumber: {
    readonly request: { readonly params: readonly [start: number | Hex, end?: number | Hex | null | undefined] };
    readonly result: Data[];
  };
  /** RLP of a block. */
  debug_getRawBlock: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Data;
  };
  /** RLP of a block's access list (EIP-7928). */
  debug_getRawBlockAccessList: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Data;
  };
  /** RLP of a block's header: its Keccak-256 is the block hash. */
  debug_getRawHeader: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Data;
  };
  /** Receipts of a block in their consensus encoding. */
  debug_getRawReceipts: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Data[];
  };
  /** The EIP-2718 bytes of a mined or waiting transaction; `0x` for an unknown one. */
  debug_getRawTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Data;
  };
  /** The EIP-2718 bytes of a block's transactions; none for an unknown block, as in reth and Anvil. */
  debug_getRawTransactions: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Data[];
  };
  /** State root after each transaction of a block. */
  debug_intermediateRoots: {
    readonly request: { readonly params: readonly [blockHash: Hex, config?: unknown] };
    readonly result: Data[];
  };
  /** The address or slot that a key of the state trie is the hash of. */
  debug_preimage: {
    readonly request: { readonly params: readonly [hash: Hex] };
    readonly result: Data;
  };
  /** Removes the blocks above a number from the chain; their transactions are dropped, as in geth. */
  debug_setHead: {
    readonly request: { readonly params: readonly [number: Hex] };
    readonly result: null;
  };
  /** Storage of an account before a transaction, in the order of the trie, by pages. */
  debug_storageRangeAt: {
    readonly request: { readonly params: readonly [block: BlockId, transactionIndex: number | Hex, address: Hex, startKey: Hex, limit: number | Hex] };
    readonly result: StorageRange;
  };
  /** Subscribes to traceChain: traces of the blocks after the start up to the end, over WebSocket or in process. */
  debug_subscribe: {
    readonly request: { readonly params: readonly [kind: "traceChain", start: BlockNumberOrTag, end: BlockNumberOrTag, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
  } | null | undefined] };
    readonly result: Quantity;
  };
  /** The same for one of the blocks that an import refused, by its hash. */
  debug_traceBadBlock: {
    readonly request: { readonly params: readonly [blockHash: Hex, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
  } | null | undefined] };
    readonly result: TransactionTrace[];
  };
  /** The same for a block given as RLP; its parent must be in the chain. */
  debug_traceBlock: {
    readonly request: { readonly params: readonly [block: Hex, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
  } | null | undefined] };
    readonly result: TransactionTrace[];
  };
  /** The same by block hash. */
  debug_traceBlockByHash: {
    readonly request: { readonly params: readonly [blockHash: Hex, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
  } | null | undefined] };
    readonly result: TransactionTrace[];
  };
  /** Traces of a block's transactions. */
  debug_traceBlockByNumber: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
  } | null | undefined] };
    readonly result: TransactionTrace[];
  };
  /** Runs a call on the state after a block and traces it. */
  debug_traceCall: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
    readonly stateOverrides?: StateOverrides | null | undefined;
    readonly blockOverrides?: BlockOverrides | null | undefined;
    readonly txIndex?: number | Hex | null | undefined;
  } | null | undefined] };
    readonly result: GethTrace;
  };
  /** Runs bundles of calls in sequence, each bundle a block, and traces each call. */
  debug_traceCallMany: {
    readonly request: { readonly params: readonly [bundles: readonly ({
    readonly transactions: readonly CallObject[];
    readonly blockOverride?: BlockOverrides | null | undefined;
  })[], stateContext?: {
    readonly blockNumber?: BlockId | null | undefined;
    readonly transactionIndex?: -1 | "-1" | number | Hex | null | undefined;
  } | null | undefined, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
    readonly stateOverrides?: StateOverrides | null | undefined;
    readonly blockOverrides?: BlockOverrides | null | undefined;
    readonly txIndex?: number | Hex | null | undefined;
  } | null | undefined] };
    readonly result: (GethTrace[])[];
  };
  /** Trace of a mined transaction: struct logs, or the result of the named geth tracer. */
  debug_traceTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex, config?: {
    readonly enableMemory?: boolean | null | undefined;
    readonly disableStack?: boolean | null | undefined;
    readonly disableStorage?: boolean | null | undefined;
    readonly enableReturnData?: boolean | null | undefined;
    readonly limit?: number | Hex | null | undefined;
    readonly tracer?: string | null | undefined;
    readonly tracerConfig?: unknown;
    readonly timeout?: string | null | undefined;
  } | null | undefined] };
    readonly result: GethTrace;
  };
  /** Ends a subscription of this connection. */
  debug_unsubscribe: {
    readonly request: { readonly params: readonly [subscription: Hex] };
    readonly result: boolean;
  };
  /** A block's header by number or tag. */
  erigon_getHeaderByNumber: {
    readonly request: { readonly params: readonly [block: number | BlockNumberOrTag] };
    readonly result: Header | null;
  };
  /** Addresses this node can sign for, then those that are impersonated. */
  eth_accounts: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Address[];
  };
  /** Base fee of the next block, in wei per gas; null before London. */
  eth_baseFee: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity | null;
  };
  /** Price of blob gas in the head block, in wei per blob gas; null before Cancun. */
  eth_blobBaseFee: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity | null;
  };
  /** Number of the head block. */
  eth_blockNumber: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Runs a call on the state after a block and gives its return data. */
  eth_call: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: Data;
  };
  /** Runs signed transactions in sequence in a future block. Answers what its coinbase earns. */
  eth_callBundle: {
    readonly request: { readonly params: readonly [bundle: {
    readonly txs: readonly Hex[];
    readonly blockNumber: number | string;
    readonly stateBlockNumber: BlockId;
    readonly timestamp?: number | string | null | undefined;
    readonly timeout?: number | string | null | undefined;
    readonly gasLimit?: number | string | null | undefined;
    readonly difficulty?: Hex | null | undefined;
    readonly baseFee?: Hex | null | undefined;
    readonly coinbase?: Hex | null | undefined;
  }] };
    readonly result: BundleResult;
  };
  /** Runs bundles of calls in sequence, each bundle a block. */
  eth_callMany: {
    readonly request: { readonly params: readonly [bundles: readonly ({
    readonly transactions: readonly CallObject[];
    readonly blockOverride?: BlockOverrides | null | undefined;
  })[], stateContext?: {
    readonly blockNumber?: BlockId | null | undefined;
    readonly transactionIndex?: -1 | "-1" | number | Hex | null | undefined;
  } | null | undefined, stateOverrides?: StateOverrides | null | undefined] };
    readonly result: (CallOutcome[])[];
  };
  /** The head block, and the first block of each kind of data: all of it since genesis. */
  eth_capabilities: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Capabilities;
  };
  /** Chain id, to which signatures are bound. */
  eth_chainId: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Recipient of the next block's fees and rewards. */
  eth_coinbase: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Address;
  };
  /** Current, next and last hardfork with their fork ids, precompiles, system contracts and blob limits (EIP-7910). */
  eth_config: {
    readonly request: { readonly params?: readonly [] };
    readonly result: ChainConfig;
  };
  /** Accounts and slots that a call accesses, as an access list, and its gas with that list. */
  eth_createAccessList: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined] };
    readonly result: AccessListResult;
  };
  /** A gas limit with which a call succeeds, at most 1.5 % above the smallest, by default in the next block. */
  eth_estimateGas: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: Quantity;
  };
  /** Base fees, ratios of gas used, and tips at percentiles of gas, for a range of blocks. */
  eth_feeHistory: {
    readonly request: { readonly params: readonly [blockCount: number | string, newestBlock: BlockNumberOrTag, rewardPercentiles?: readonly number[] | null | undefined] };
    readonly result: FeeHistory;
  };
  /** A transaction with nonce, fees and gas filled in, to be signed elsewhere. */
  eth_fillTransaction: {
    readonly request: { readonly params: readonly [transaction: CallObject] };
    readonly result: FilledTransaction;
  };
  /** Suggested gas price, in wei. */
  eth_gasPrice: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** An account as the state trie holds it, or null. */
  eth_getAccount: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: Account | null;
  };
  /** Balance, nonce and code of an account in one answer. */
  eth_getAccountInfo: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: AccountInfo;
  };
  /** Balance of an account, in wei. */
  eth_getBalance: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: Quantity;
  };
  /** The access list of a block since Amsterdam: the state that it read and changed (EIP-7928). */
  eth_getBlockAccessList: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: BlockAccessList | null;
  };
  /** As eth_getBlockAccessList, by the block's hash. */
  eth_getBlockAccessListByBlockHash: {
    readonly request: { readonly params: readonly [blockHash: Hex] };
    readonly result: BlockAccessList | null;
  };
  /** As eth_getBlockAccessList, by the block's number or a tag. */
  eth_getBlockAccessListByBlockNumber: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag] };
    readonly result: BlockAccessList | null;
  };
  /** The access list of a block since Amsterdam as RLP (EIP-7928). */
  eth_getBlockAccessListRaw: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Data | null;
  };
  /** A block by hash, side blocks included. */
  eth_getBlockByHash: {
    readonly request: { readonly params: readonly [blockHash: Hex, fullTransactions: boolean] };
    readonly result: Block | null;
  };
  /** A block by number or tag, with transaction hashes or whole transactions. */
  eth_getBlockByNumber: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag, fullTransactions: boolean] };
    readonly result: Block | null;
  };
  /** All receipts of a block. */
  eth_getBlockReceipts: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: Receipt[] | null;
  };
  /** How many transactions a block has, by hash. */
  eth_getBlockTransactionCountByHash: {
    readonly request: { readonly params: readonly [blockHash: Hex] };
    readonly result: Quantity | null;
  };
  /** How many transactions a block has, by number or tag. */
  eth_getBlockTransactionCountByNumber: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag] };
    readonly result: Quantity | null;
  };
  /** Code of an account. */
  eth_getCode: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: Data;
  };
  /** Hashes or logs that a filter found since the last poll, removed logs first. */
  eth_getFilterChanges: {
    readonly request: { readonly params: readonly [filter: Hex] };
    readonly result: FilterChanges;
  };
  /** All logs that match a log filter, whether polled before or not. */
  eth_getFilterLogs: {
    readonly request: { readonly params: readonly [filter: Hex] };
    readonly result: Log[];
  };
  /** A block's header by hash. */
  eth_getHeaderByHash: {
    readonly request: { readonly params: readonly [blockHash: Hex] };
    readonly result: Header | null;
  };
  /** A block's header by number or tag; null for pending. */
  eth_getHeaderByNumber: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag] };
    readonly result: Header | null;
  };
  /** Logs of one block or a range by address and topics, through an index. */
  eth_getLogs: {
    readonly request: { readonly params: readonly [filter: LogFilter] };
    readonly result: Log[];
  };
  /** An account and slots of it with their Merkle proofs. */
  eth_getProof: {
    readonly request: { readonly params: readonly [address: Hex, storageKeys: readonly Hex[], block?: BlockId | null | undefined] };
    readonly result: AccountProof;
  };
  /** The EIP-2718 bytes of a transaction by block hash and position. */
  eth_getRawTransactionByBlockHashAndIndex: {
    readonly request: { readonly params: readonly [blockHash: Hex, index: Hex] };
    readonly result: Data | null;
  };
  /** The EIP-2718 bytes of a transaction by block number or tag and position. */
  eth_getRawTransactionByBlockNumberAndIndex: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag, index: Hex] };
    readonly result: Data | null;
  };
  /** The EIP-2718 bytes of a mined or waiting transaction. */
  eth_getRawTransactionByHash: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Data | null;
  };
  /** Value of a storage slot, 32 bytes. */
  eth_getStorageAt: {
    readonly request: { readonly params: readonly [address: Hex, slot: Hex, block?: BlockId | null | undefined] };
    readonly result: Word;
  };
  /** Values of many storage slots of many accounts. */
  eth_getStorageValues: {
    readonly request: { readonly params: readonly [slots: { readonly [name: string]: unknown }, block?: BlockId | null | undefined] };
    readonly result: StorageValues;
  };
  /** A transaction by block hash and position. */
  eth_getTransactionByBlockHashAndIndex: {
    readonly request: { readonly params: readonly [blockHash: Hex, index: Hex] };
    readonly result: Transaction | null;
  };
  /** A transaction by block number or tag and position. */
  eth_getTransactionByBlockNumberAndIndex: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag, index: Hex] };
    readonly result: Transaction | null;
  };
  /** A mined or waiting transaction by its hash. */
  eth_getTransactionByHash: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Transaction | null;
  };
  /** The mined or waiting transaction that a sender made with a nonce. */
  eth_getTransactionBySenderAndNonce: {
    readonly request: { readonly params: readonly [sender: Hex, nonce: Hex] };
    readonly result: Transaction | null;
  };
  /** Nonce of an account; on pending, waiting transactions count. */
  eth_getTransactionCount: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: Quantity;
  };
  /** The receipt of a mined transaction. */
  eth_getTransactionReceipt: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Receipt | null;
  };
  /** An uncle of a block named by hash. */
  eth_getUncleByBlockHashAndIndex: {
    readonly request: { readonly params: readonly [blockHash: Hex, index: Hex] };
    readonly result: Uncle | null;
  };
  /** An uncle of a block named by number or tag. */
  eth_getUncleByBlockNumberAndIndex: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag, index: Hex] };
    readonly result: Uncle | null;
  };
  /** How many uncles a block has, by hash. */
  eth_getUncleCountByBlockHash: {
    readonly request: { readonly params: readonly [blockHash: Hex] };
    readonly result: Quantity | null;
  };
  /** How many uncles a block has, by number or tag. */
  eth_getUncleCountByBlockNumber: {
    readonly request: { readonly params: readonly [block: BlockNumberOrTag] };
    readonly result: Quantity | null;
  };
  /** An empty list, as Ganache answers: there is no work, since blocks are sealed without it. */
  eth_getWork: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Hash[];
  };
  /** Always zero: proof of work is not done. */
  eth_hashrate: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Suggested tip, in wei per gas. */
  eth_maxPriorityFeePerGas: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Whether the node mines without being asked: by transaction or by interval. */
  eth_mining: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** Network id as a decimal string, as net_version. */
  eth_networkId: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Decimal;
  };
  /** Installs a filter for new blocks. Answers an id to poll with. */
  eth_newBlockFilter: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Installs a filter for new logs, and for logs that a reorg removes. Answers an id to poll with. */
  eth_newFilter: {
    readonly request: { readonly params: readonly [filter: LogFilter] };
    readonly result: Quantity;
  };
  /** Installs a filter for transactions that become executable. Answers an id to poll with. */
  eth_newPendingTransactionFilter: {
    readonly request: { readonly params?: readonly [whole?: boolean | null | undefined] };
    readonly result: Quantity;
  };
  /** Executable waiting transactions of the node's own accounts. */
  eth_pendingTransactions: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Transaction[];
  };
  /** Version of the eth protocol between peers: 69. This node has no peers. */
  eth_protocolVersion: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Same as eth_accounts: there is no user to ask for consent (EIP-1102). */
  eth_requestAccounts: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Address[];
  };
  /** Sends a waiting transaction of one of the node's accounts again, with another gas price or gas limit. */
  eth_resend: {
    readonly request: { readonly params: readonly [transaction: CallObject, gasPrice?: Hex | null | undefined, gasLimit?: Hex | null | undefined] };
    readonly result: Hash;
  };
  /** Sends a signed transaction. */
  eth_sendRawTransaction: {
    readonly request: { readonly params: readonly [rawTransaction: Hex] };
    readonly result: Hash;
  };
  /** Sends a signed transaction if the next block's number and time, and storage of accounts, are as named (EIP-7796). Conditions are checked when it is sent, not again if it waits. */
  eth_sendRawTransactionConditional: {
    readonly request: { readonly params: readonly [rawTransaction: Hex, conditions?: {
    readonly knownAccounts?: { readonly [name: string]: unknown } | undefined;
    readonly blockNumberMin?: Hex | undefined;
    readonly blockNumberMax?: Hex | undefined;
    readonly timestampMin?: Hex | undefined;
    readonly timestampMax?: Hex | undefined;
  } | null | undefined] };
    readonly result: Hash;
  };
  /** Sends a signed transaction and answers with its receipt once it is mined (EIP-7966). */
  eth_sendRawTransactionSync: {
    readonly request: { readonly params: readonly [rawTransaction: Hex, timeoutMs?: number | Hex | null | undefined] };
    readonly result: Receipt;
  };
  /** Signs and sends a transaction of one of the node's accounts. */
  eth_sendTransaction: {
    readonly request: { readonly params: readonly [transaction: CallObject] };
    readonly result: Hash;
  };
  /** Sends a transaction of one of the node's accounts and answers its receipt once it is mined. */
  eth_sendTransactionSync: {
    readonly request: { readonly params: readonly [transaction: CallObject, timeoutMs?: number | string | null | undefined] };
    readonly result: Receipt;
  };
  /** Sends a transaction of any sender without a signature, as if the sender were impersonated. */
  eth_sendUnsignedTransaction: {
    readonly request: { readonly params: readonly [transaction: CallObject] };
    readonly result: Hash;
  };
  /** Signs a message of one of the node's accounts, with the prefix of EIP-191. */
  eth_sign: {
    readonly request: { readonly params: readonly [address: Hex, message: Hex] };
    readonly result: Signature;
  };
  /** The signed bytes of a transaction of one of the node's accounts, which is not sent. */
  eth_signTransaction: {
    readonly request: { readonly params: readonly [transaction: CallObject] };
    readonly result: Data;
  };
  /** Signs typed structured data (EIP-712), given as an object or as its JSON. Another name for eth_signTypedData_v4. */
  eth_signTypedData: Methods["eth_signTypedData_v4"];
  /** Signs typed structured data (EIP-712), given as an object or as its JSON. Another name for eth_signTypedData_v4. */
  eth_signTypedData_v3: Methods["eth_signTypedData_v4"];
  /** Signs typed structured data (EIP-712), given as an object or as its JSON. */
  eth_signTypedData_v4: {
    readonly request: { readonly params: readonly [address: Hex, typedData: {
    readonly types: { readonly [name: string]: readonly ({ readonly name: string; readonly type: string })[] };
    readonly primaryType: string;
    readonly domain: { readonly [name: string]: unknown };
    readonly message: { readonly [name: string]: unknown };
  }] };
    readonly result: Signature;
  };
  /** Runs blocks of calls on top of a block, with overrides, and gives the blocks. */
  eth_simulateV1: {
    readonly request: { readonly params: readonly [payload: {
    readonly blockStateCalls: readonly ({
      readonly blockOverrides?: BlockOverrides | null | undefined;
      readonly stateOverrides?: StateOverrides | null | undefined;
      readonly calls?: readonly CallObject[] | null | undefined;
    })[];
    readonly traceTransfers?: boolean | null | undefined;
    readonly validation?: boolean | null | undefined;
    readonly returnFullTransactions?: boolean | null | undefined;
  }, block?: BlockId | null | undefined] };
    readonly result: SimulatedBlock[];
  };
  /** Always false: there is no mining by proof of work. */
  eth_submitHashrate: {
    readonly request: { readonly params: readonly [hashrate: Hex, id: Hex] };
    readonly result: boolean;
  };
  /** Always false: no work was given out. */
  eth_submitWork: {
    readonly request: { readonly params: readonly [nonce: Hex, headerHash: Hex, mixHash: Hex] };
    readonly result: boolean;
  };
  /** Subscribes to newHeads, logs, newPendingTransactions, transactionReceipts or syncing, over WebSocket or in process. */
  eth_subscribe: {
    readonly request: { readonly params: readonly [kind: string, argument?: unknown] };
    readonly result: Quantity;
  };
  /** Always false: this node has no peers to catch up with. */
  eth_syncing: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** Removes a filter. Answers false if the id is unknown. */
  eth_uninstallFilter: {
    readonly request: { readonly params: readonly [filter: Hex] };
    readonly result: boolean;
  };
  /** Ends a subscription of this connection. */
  eth_unsubscribe: {
    readonly request: { readonly params: readonly [subscription: Hex] };
    readonly result: boolean;
  };
  /** Lets an address send transactions without a key. Answers false if it already may (Ganache). */
  evm_addAccount: {
    readonly request: { readonly params: readonly [address: Hex, passphrase: string] };
    readonly result: boolean;
  };
  /** Mines a number of blocks. Answers the hash of the last (Tenderly). */
  evm_increaseBlocks: {
    readonly request: { readonly params: readonly [blocks: number | string] };
    readonly result: Hash;
  };
  /** Moves time forward. Answers the total seconds between chain time and clock, as a JSON number. */
  evm_increaseTime: {
    readonly request: { readonly params: readonly [seconds: number | string] };
    readonly result: number;
  };
  /** Mines a block, at a timestamp if one is given. Answers "0x0", as Anvil does. */
  evm_mine: {
    readonly request: { readonly params?: readonly [options?: number | string | {
    readonly timestamp?: number | string | null | undefined;
    readonly blocks?: number | string | null | undefined;
  } | null | undefined] };
    readonly result: "0x0";
  };
  /** Mines like `evm_mine` and answers the new blocks with their transactions. Another name for anvil_mine_detailed. */
  evm_mine_detailed: Methods["anvil_mine_detailed"];
  /** Undoes `evm_addAccount`. Answers whether there was such an address (Ganache). */
  evm_removeAccount: {
    readonly request: { readonly params: readonly [address: Hex, passphrase: string] };
    readonly result: boolean;
  };
  /** Block timestamps follow the clock again. Answers whether an interval was set. Another name for anvil_removeBlockTimestampInterval. */
  evm_removeBlockTimestampInterval: Methods["anvil_removeBlockTimestampInterval"];
  /** Goes back to a snapshot and deletes it and all later ones. Answers false if the id is unknown. */
  evm_revert: {
    readonly request: { readonly params: readonly [id: number | string] };
    readonly result: boolean;
  };
  /** Sets an account's balance, in wei (Ganache). */
  evm_setAccountBalance: {
    readonly request: { readonly params: readonly [address: Hex, balance: number | string] };
    readonly result: boolean;
  };
  /** Sets an account's code (Ganache). */
  evm_setAccountCode: {
    readonly request: { readonly params: readonly [address: Hex, code: Hex] };
    readonly result: boolean;
  };
  /** Sets an account's nonce. Another name for anvil_setNonce. */
  evm_setAccountNonce: Methods["anvil_setNonce"];
  /** Sets a storage slot. Answers true. Another name for anvil_setStorageAt. */
  evm_setAccountStorageAt: Methods["anvil_setStorageAt"];
  /** Switches automine on or off. */
  evm_setAutomine: {
    readonly request: { readonly params: readonly [enabled: boolean] };
    readonly result: null;
  };
  /** Sets the gas limit of later blocks. */
  evm_setBlockGasLimit: {
    readonly request: { readonly params: readonly [gasLimit: number | string] };
    readonly result: boolean;
  };
  /** Sets the seconds between block timestamps, independent of the clock. Another name for anvil_setBlockTimestampInterval. */
  evm_setBlockTimestampInterval: Methods["anvil_setBlockTimestampInterval"];
  /** Mines by interval, in seconds as in Anvil; zero mines on request only. */
  evm_setIntervalMining: {
    readonly request: { readonly params: readonly [seconds: number | string | readonly [number | string, number | string]] };
    readonly result: null;
  };
  /** Sets the timestamp of the next block; later time counts from there. */
  evm_setNextBlockTimestamp: {
    readonly request: { readonly params: readonly [timestamp: number | string] };
    readonly result: null;
  };
  /** Sets the current time. Answers the seconds by which it moved forward, as a JSON number. */
  evm_setTime: {
    readonly request: { readonly params: readonly [timestamp: number | string] };
    readonly result: number;
  };
  /** Takes a snapshot. Answers its id; ids rise from 0x0. */
  evm_snapshot: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Adds wei to an account's balance. Another name for anvil_addBalance. */
  ganache_addBalance: Methods["anvil_addBalance"];
  /** Lets every address send transactions without a key, or ends that. Another name for anvil_autoImpersonateAccount. */
  ganache_autoImpersonateAccount: Methods["anvil_autoImpersonateAccount"];
  /** Sets an account's balance of an ERC-20 token. Another name for anvil_dealERC20. */
  ganache_dealERC20: Methods["anvil_dealERC20"];
  /** Sets an account's balance of an ERC-20 token. Another name for anvil_dealERC20. */
  ganache_dealErc20: Methods["anvil_dealERC20"];
  /** Drops all waiting transactions. Another name for anvil_dropAllTransactions. */
  ganache_dropAllTransactions: Methods["anvil_dropAllTransactions"];
  /** Drops a waiting transaction. Answers its hash, or null if it is not in the pool. Another name for anvil_dropTransaction. */
  ganache_dropTransaction: Methods["anvil_dropTransaction"];
  /** The chain with its blocks, receipts, states, edits and time as a gzipped file. Another name for anvil_dumpState. */
  ganache_dumpState: Methods["anvil_dumpState"];
  /** Whether automine is on: each transaction is mined at once. Another name for anvil_getAutomine. */
  ganache_getAutomine: Methods["anvil_getAutomine"];
  /** A blob by its versioned hash (EIP-4844); null unless it is among the last 512 that this node received. Another name for anvil_getBlobByHash. */
  ganache_getBlobByHash: Methods["anvil_getBlobByHash"];
  /** The blobs of a transaction; null unless they are among the last 512 that this node received. Another name for anvil_getBlobsByTransactionHash. */
  ganache_getBlobsByTransactionHash: Methods["anvil_getBlobsByTransactionHash"];
  /** Timestamp of the chain's first block in seconds, as a JSON number. Another name for anvil_getGenesisTime. */
  ganache_getGenesisTime: Methods["anvil_getGenesisTime"];
  /** Seconds between blocks; null unless the node mines by interval. Another name for anvil_getIntervalMining. */
  ganache_getIntervalMining: Methods["anvil_getIntervalMining"];
  /** Lets an address send transactions without a key. Another name for anvil_impersonateAccount. */
  ganache_impersonateAccount: Methods["anvil_impersonateAccount"];
  /** Lets a signature recover to an address after the head, in ecrecover and as a sender. Another name for anvil_impersonateSignature. */
  ganache_impersonateSignature: Methods["anvil_impersonateSignature"];
  /** Moves time forward. Answers the total seconds between chain time and clock, as a JSON number. Another name for evm_increaseTime. */
  ganache_increaseTime: Methods["evm_increaseTime"];
  /** Replaces the chain by that of an `anvil_dumpState` file, from this node or Anvil; or merges the accounts of Anvil's. Another name for anvil_loadState. */
  ganache_loadState: Methods["anvil_loadState"];
  /** Version, chain, head and snapshots, in Anvil's shape. Another name for anvil_metadata. */
  ganache_metadata: Methods["anvil_metadata"];
  /** Mines blocks, by default one, with an interval in seconds between them. Another name for anvil_mine. */
  ganache_mine: Methods["anvil_mine"];
  /** Head, hardfork and fees of the next block, in Anvil's shape. Another name for anvil_nodeInfo. */
  ganache_nodeInfo: Methods["anvil_nodeInfo"];
  /** Block timestamps follow the clock again. Answers whether an interval was set. Another name for anvil_removeBlockTimestampInterval. */
  ganache_removeBlockTimestampInterval: Methods["anvil_removeBlockTimestampInterval"];
  /** Drops all waiting transactions of one sender. Another name for anvil_removePoolTransactions. */
  ganache_removePoolTransactions: Methods["anvil_removePoolTransactions"];
  /** Replaces the last blocks by as many new ones, with transactions given as [transaction, block index] pairs. Another name for anvil_reorg. */
  ganache_reorg: Methods["anvil_reorg"];
  /** Resets the chain to genesis. With `forking`, starts a fork of another chain or at another block. Another name for anvil_reset. */
  ganache_reset: Methods["anvil_reset"];
  /** Goes back to a snapshot and deletes it and all later ones. Answers false if the id is unknown. Another name for evm_revert. */
  ganache_revert: Methods["evm_revert"];
  /** Removes blocks from the head, by default one; their transactions return to the pool. Another name for anvil_rollback. */
  ganache_rollback: Methods["anvil_rollback"];
  /** Switches automine on or off. Another name for evm_setAutomine. */
  ganache_setAutomine: Methods["evm_setAutomine"];
  /** Sets an account's balance, in wei. Another name for anvil_setBalance. */
  ganache_setBalance: Methods["anvil_setBalance"];
  /** Sets the gas limit of later blocks. Another name for evm_setBlockGasLimit. */
  ganache_setBlockGasLimit: Methods["evm_setBlockGasLimit"];
  /** Sets the seconds between block timestamps, independent of the clock. Another name for anvil_setBlockTimestampInterval. */
  ganache_setBlockTimestampInterval: Methods["anvil_setBlockTimestampInterval"];
  /** Gives the blocks after the head another chain id. Another name for anvil_setChainId. */
  ganache_setChainId: Methods["anvil_setChainId"];
  /** Sets an account's code. Another name for anvil_setCode. */
  ganache_setCode: Methods["anvil_setCode"];
  /** Sets the recipient of fees and rewards of later blocks. Another name for anvil_setCoinbase. */
  ganache_setCoinbase: Methods["anvil_setCoinbase"];
  /** Sets the allowance of a spender for an owner's ERC-20 tokens. Another name for anvil_setERC20Allowance. */
  ganache_setERC20Allowance: Methods["anvil_setERC20Allowance"];
  /** Sets the allowance of a spender for an owner's ERC-20 tokens. Another name for anvil_setERC20Allowance. */
  ganache_setErc20Allowance: Methods["anvil_setERC20Allowance"];
  /** Mines by interval, in seconds as in Anvil; zero mines on request only. Another name for evm_setIntervalMining. */
  ganache_setIntervalMining: Methods["evm_setIntervalMining"];
  /** Switches the node's log of requests on or off. Another name for anvil_setLoggingEnabled. */
  ganache_setLoggingEnabled: Methods["anvil_setLoggingEnabled"];
  /** Sets the minimum and suggested gas price, in wei; before London only. Another name for anvil_setMinGasPrice. */
  ganache_setMinGasPrice: Methods["anvil_setMinGasPrice"];
  /** Sets the base fee of the next block, in wei per gas, from London on. Another name for anvil_setNextBlockBaseFeePerGas. */
  ganache_setNextBlockBaseFeePerGas: Methods["anvil_setNextBlockBaseFeePerGas"];
  /** Sets the timestamp of the next block; later time counts from there. Another name for evm_setNextBlockTimestamp. */
  ganache_setNextBlockTimestamp: Methods["evm_setNextBlockTimestamp"];
  /** Sets an account's nonce. Another name for anvil_setNonce. */
  ganache_setNonce: Methods["anvil_setNonce"];
  /** Sets PREVRANDAO of the next block, after the Merge. Another name for anvil_setPrevRandao. */
  ganache_setPrevRandao: Methods["anvil_setPrevRandao"];
  /** Reads the forked chain from another node, which must have the same fork block. Another name for anvil_setRpcUrl. */
  ganache_setRpcUrl: Methods["anvil_setRpcUrl"];
  /** Sets a storage slot. Answers true. Another name for anvil_setStorageAt. */
  ganache_setStorageAt: Methods["anvil_setStorageAt"];
  /** Sets the current time. Answers the seconds by which it moved forward, as a JSON number. Another name for evm_setTime. */
  ganache_setTime: Methods["evm_setTime"];
  /** Takes a snapshot. Answers its id; ids rise from 0x0. Another name for evm_snapshot. */
  ganache_snapshot: Methods["evm_snapshot"];
  /** Ends the impersonation of an address. Another name for anvil_stopImpersonatingAccount. */
  ganache_stopImpersonatingAccount: Methods["anvil_stopImpersonatingAccount"];
  /** Adds wei to an account's balance. Another name for anvil_addBalance. */
  hardhat_addBalance: Methods["anvil_addBalance"];
  /** Lets every address send transactions without a key, or ends that. Another name for anvil_autoImpersonateAccount. */
  hardhat_autoImpersonateAccount: Methods["anvil_autoImpersonateAccount"];
  /** Sets an account's balance of an ERC-20 token. Another name for anvil_dealERC20. */
  hardhat_dealERC20: Methods["anvil_dealERC20"];
  /** Sets an account's balance of an ERC-20 token. Another name for anvil_dealERC20. */
  hardhat_dealErc20: Methods["anvil_dealERC20"];
  /** Drops all waiting transactions. Another name for anvil_dropAllTransactions. */
  hardhat_dropAllTransactions: Methods["anvil_dropAllTransactions"];
  /** Drops a waiting transaction. Answers whether it was in the pool; an error if it is mined, as in Hardhat. */
  hardhat_dropTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: boolean;
  };
  /** The chain with its blocks, receipts, states, edits and time as a gzipped file. Another name for anvil_dumpState. */
  hardhat_dumpState: Methods["anvil_dumpState"];
  /** Whether automine is on: each transaction is mined at once. Another name for anvil_getAutomine. */
  hardhat_getAutomine: Methods["anvil_getAutomine"];
  /** A blob by its versioned hash (EIP-4844); null unless it is among the last 512 that this node received. Another name for anvil_getBlobByHash. */
  hardhat_getBlobByHash: Methods["anvil_getBlobByHash"];
  /** The blobs of a transaction; null unless they are among the last 512 that this node received. Another name for anvil_getBlobsByTransactionHash. */
  hardhat_getBlobsByTransactionHash: Methods["anvil_getBlobsByTransactionHash"];
  /** Timestamp of the chain's first block in seconds, as a JSON number. Another name for anvil_getGenesisTime. */
  hardhat_getGenesisTime: Methods["anvil_getGenesisTime"];
  /** Seconds between blocks; null unless the node mines by interval. Another name for anvil_getIntervalMining. */
  hardhat_getIntervalMining: Methods["anvil_getIntervalMining"];
  /** Lets an address send transactions without a key. Another name for anvil_impersonateAccount. */
  hardhat_impersonateAccount: Methods["anvil_impersonateAccount"];
  /** Lets a signature recover to an address after the head, in ecrecover and as a sender. Another name for anvil_impersonateSignature. */
  hardhat_impersonateSignature: Methods["anvil_impersonateSignature"];
  /** Moves time forward. Answers the total seconds between chain time and clock, as a JSON number. Another name for evm_increaseTime. */
  hardhat_increaseTime: Methods["evm_increaseTime"];
  /** Replaces the chain by that of an `anvil_dumpState` file, from this node or Anvil; or merges the accounts of Anvil's. Another name for anvil_loadState. */
  hardhat_loadState: Methods["anvil_loadState"];
  /** Version, chain, head and snapshots, in Anvil's shape. Another name for anvil_metadata. */
  hardhat_metadata: Methods["anvil_metadata"];
  /** Mines blocks, by default one, with an interval in seconds between them. Another name for anvil_mine. */
  hardhat_mine: Methods["anvil_mine"];
  /** Head, hardfork and fees of the next block, in Anvil's shape. Another name for anvil_nodeInfo. */
  hardhat_nodeInfo: Methods["anvil_nodeInfo"];
  /** Block timestamps follow the clock again. Answers whether an interval was set. Another name for anvil_removeBlockTimestampInterval. */
  hardhat_removeBlockTimestampInterval: Methods["anvil_removeBlockTimestampInterval"];
  /** Drops all waiting transactions of one sender. Another name for anvil_removePoolTransactions. */
  hardhat_removePoolTransactions: Methods["anvil_removePoolTransactions"];
  /** Replaces the last blocks by as many new ones, with transactions given as [transaction, block index] pairs. Another name for anvil_reorg. */
  hardhat_reorg: Methods["anvil_reorg"];
  /** Resets the chain to genesis. With `forking`, starts a fork of another chain or at another block. Another name for anvil_reset. */
  hardhat_reset: Methods["anvil_reset"];
  /** Goes back to a snapshot and deletes it and all later ones. Answers false if the id is unknown. Another name for evm_revert. */
  hardhat_revert: Methods["evm_revert"];
  /** Removes blocks from the head, by default one; their transactions return to the pool. Another name for anvil_rollback. */
  hardhat_rollback: Methods["anvil_rollback"];
  /** Switches automine on or off. Another name for evm_setAutomine. */
  hardhat_setAutomine: Methods["evm_setAutomine"];
  /** Sets an account's balance, in wei. Another name for anvil_setBalance. */
  hardhat_setBalance: Methods["anvil_setBalance"];
  /** Sets the gas limit of later blocks. Another name for evm_setBlockGasLimit. */
  hardhat_setBlockGasLimit: Methods["evm_setBlockGasLimit"];
  /** Sets the time between block timestamps in milliseconds, as viem sends it to Hardhat; fractions of seconds are dropped. */
  hardhat_setBlockTimestampInterval: {
    readonly request: { readonly params: readonly [milliseconds: number | string] };
    readonly result: null;
  };
  /** Gives the blocks after the head another chain id. Another name for anvil_setChainId. */
  hardhat_setChainId: Methods["anvil_setChainId"];
  /** Sets an account's code. Another name for anvil_setCode. */
  hardhat_setCode: Methods["anvil_setCode"];
  /** Sets the recipient of fees and rewards of later blocks. Another name for anvil_setCoinbase. */
  hardhat_setCoinbase: Methods["anvil_setCoinbase"];
  /** Sets the allowance of a spender for an owner's ERC-20 tokens. Another name for anvil_setERC20Allowance. */
  hardhat_setERC20Allowance: Methods["anvil_setERC20Allowance"];
  /** Sets the allowance of a spender for an owner's ERC-20 tokens. Another name for anvil_setERC20Allowance. */
  hardhat_setErc20Allowance: Methods["anvil_setERC20Allowance"];
  /** Mines by interval, in milliseconds as in Hardhat; zero mines on request only. */
  hardhat_setIntervalMining: {
    readonly request: { readonly params: readonly [milliseconds: number | string | readonly [number | string, number | string]] };
    readonly result: null;
  };
  /** Switches the node's log of requests on or off. Another name for anvil_setLoggingEnabled. */
  hardhat_setLoggingEnabled: Methods["anvil_setLoggingEnabled"];
  /** Sets the minimum and suggested gas price, in wei; before London only. Another name for anvil_setMinGasPrice. */
  hardhat_setMinGasPrice: Methods["anvil_setMinGasPrice"];
  /** Sets the base fee of the next block, in wei per gas, from London on. Another name for anvil_setNextBlockBaseFeePerGas. */
  hardhat_setNextBlockBaseFeePerGas: Methods["anvil_setNextBlockBaseFeePerGas"];
  /** Sets the timestamp of the next block; later time counts from there. Another name for evm_setNextBlockTimestamp. */
  hardhat_setNextBlockTimestamp: Methods["evm_setNextBlockTimestamp"];
  /** Sets an account's nonce. Another name for anvil_setNonce. */
  hardhat_setNonce: Methods["anvil_setNonce"];
  /** Sets PREVRANDAO of the next block, after the Merge. Another name for anvil_setPrevRandao. */
  hardhat_setPrevRandao: Methods["anvil_setPrevRandao"];
  /** Reads the forked chain from another node, which must have the same fork block. Another name for anvil_setRpcUrl. */
  hardhat_setRpcUrl: Methods["anvil_setRpcUrl"];
  /** Sets a storage slot. Answers true. Another name for anvil_setStorageAt. */
  hardhat_setStorageAt: Methods["anvil_setStorageAt"];
  /** Sets the current time. Answers the seconds by which it moved forward, as a JSON number. Another name for evm_setTime. */
  hardhat_setTime: Methods["evm_setTime"];
  /** Takes a snapshot. Answers its id; ids rise from 0x0. Another name for evm_snapshot. */
  hardhat_snapshot: Methods["evm_snapshot"];
  /** Ends the impersonation of an address. Another name for anvil_stopImpersonatingAccount. */
  hardhat_stopImpersonatingAccount: Methods["anvil_stopImpersonatingAccount"];
  /** Adds a JSON ABI, an artifact of Hardhat or Foundry, or a build with sources, as JSON or as DATA of its text, which may be gzipped. Answers the contracts' names. */
  hindcast_addArtifact: {
    readonly request: { readonly params: readonly [artifact: readonly unknown[] | { readonly [name: string]: unknown } | Hex, owner?: { readonly name?: string | null | undefined; readonly address?: Hex | null | undefined } | null | undefined] };
    readonly result: string[];
  };
  /** Runs calls, or a block's transactions, under two hardforks: status, gas by cause, and what differs. */
  hindcast_compareHardforks: {
    readonly request: { readonly params?: readonly [request?: {
    readonly calls?: readonly CallObject[] | null | undefined;
    readonly block?: BlockId | null | undefined;
    readonly hardforks?: readonly [string, string] | null | undefined;
    readonly stateOverrides?: StateOverrides | null | undefined;
    readonly blockOverrides?: BlockOverrides | null | undefined;
  } | null | undefined] };
    readonly result: HardforkComparison;
  };
  /** Reports how often lines, functions and branches of the Solidity sources ran since hindcast_coverageStart, also as an lcov tracefile. */
  hindcast_coverageReport: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Coverage;
  };
  /** Starts to count which code runs in transactions, calls and failing estimates. Discards earlier counts. */
  hindcast_coverageStart: {
    readonly request: { readonly params?: readonly [] };
    readonly result: null;
  };
  /** Stops counting which code runs. Counts so far can still be reported. */
  hindcast_coverageStop: {
    readonly request: { readonly params?: readonly [] };
    readonly result: null;
  };
  /** The estimate of eth_estimateGas, its gas for execution and for state, and which of them determines it. */
  hindcast_estimateGas: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: GasEstimate;
  };
  /** Runs a call. Answers the reason of a failure and the lines of Solidity source that led to it. */
  hindcast_explainCall: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: Explanation;
  };
  /** Reason why a mined transaction failed, and the lines of Solidity source that led to the failure. */
  hindcast_explainTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Explanation;
  };
  /** Answers a request that a node which follows this one was asked, after all changes that it has. */
  hindcast_forward: {
    readonly request: { readonly params: readonly [request: {
    readonly token: string;
    readonly position: { readonly incarnation: Hex; readonly sequence: Hex; readonly hash: Hex };
    readonly method: string;
    readonly params: unknown;
    readonly shape?: "standard" | "parity" | undefined;
  }] };
    readonly result: {
    position: { incarnation: Data; sequence: Quantity; hash: Hash };
    result?: unknown;
    error?: { name: string; code: number; message: string; data?: unknown };
  };
  };
  /** Gas of a mined transaction by function, line and opcode, also in the formats of speedscope and flame graphs. */
  hindcast_gasProfile: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: GasProfile;
  };
  /** Runs a call. Answers its gas by function, line and opcode. */
  hindcast_gasProfileCall: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: GasProfile;
  };
  /** Blocks from the head or a number downwards, including side blocks, without their transactions. */
  hindcast_getBlocks: {
    readonly request: { readonly params?: readonly [part?: { readonly from?: Hex | null | undefined; readonly count?: number | Hex | null | undefined } | null | undefined] };
    readonly result: ListedBlock[];
  };
  /** Sources and compiler output of the contracts that ran in a mined transaction, as far as the node has them. */
  hindcast_getBuilds: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Build[];
  };
  /** Calls of a mined transaction by name, with what they printed, logged and wrote to storage; in parts. */
  hindcast_getCalls: {
    readonly request: { readonly params: readonly [transactionHash: Hex, part?: {
    readonly from?: number | Hex | null | undefined;
    readonly count?: number | Hex | null | undefined;
  } | null | undefined] };
    readonly result: CallPart;
  };
  /** Name and ABI of a contract, if the node has them; null for others. */
  hindcast_getContract: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: Contract | null;
  };
  /** Steps of a mined transaction in the binary format of docs/debugger.md, for a debugger; in parts. */
  hindcast_getRecordedSteps: {
    readonly request: { readonly params: readonly [transactionHash: Hex, part?: {
    readonly from?: number | Hex | null | undefined;
    readonly count?: number | Hex | null | undefined;
  } | null | undefined] };
    readonly result: StepSlice;
  };
  /** Values of at most 1,024 storage slots of an account before a mined transaction. */
  hindcast_getRecordedStorage: {
    readonly request: { readonly params: readonly [transactionHash: Hex, address: Hex, slots: readonly Hex[]] };
    readonly result: Word[];
  };
  /** Calls of a mined transaction with all input, output and code, for a debugger; in parts. */
  hindcast_getRecording: {
    readonly request: { readonly params: readonly [transactionHash: Hex, part?: {
    readonly from?: number | Hex | null | undefined;
    readonly count?: number | Hex | null | undefined;
  } | null | undefined] };
    readonly result: Recording;
  };
  /** Source files of the contract at an address, as far as the node has them; null for others. */
  hindcast_getSources: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined] };
    readonly result: AccountSources | null;
  };
  /** One operation of a mined transaction, with stack, memory and written storage as they were before it. */
  hindcast_getStep: {
    readonly request: { readonly params: readonly [transactionHash: Hex, step: number | Hex] };
    readonly result: Step;
  };
  /** Operations of a mined transaction, or those of one opcode, with their places in the source; in parts. */
  hindcast_getSteps: {
    readonly request: { readonly params: readonly [transactionHash: Hex, part?: {
    readonly from?: number | Hex | null | undefined;
    readonly count?: number | Hex | null | undefined;
    readonly opcode?: number | Hex | null | undefined;
  } | null | undefined] };
    readonly result: StepPart;
  };
  /** Storage of an account by variable, as far as the sources of its contract are known; in parts. */
  hindcast_getStorage: {
    readonly request: { readonly params: readonly [address: Hex, block?: BlockId | null | undefined, part?: { readonly start?: Hex | null | undefined; readonly count?: number | Hex | null | undefined } | null | undefined] };
    readonly result: AccountStorage;
  };
  /** Mines blocks with a timestamp, an interval, and uncles of the first block by hash. Answers their hashes. */
  hindcast_mine: {
    readonly request: { readonly params?: readonly [options?: {
    readonly blocks?: number | string | null | undefined;
    readonly timestamp?: number | string | null | undefined;
    readonly interval?: number | string | null | undefined;
    readonly uncles?: readonly Hex[] | null | undefined;
  } | null | undefined] };
    readonly result: Hash[];
  };
  /** Mines a side block, which can become an uncle; before the Merge only. Answers its hash. */
  hindcast_mineSideBlock: {
    readonly request: { readonly params?: readonly [options?: {
    readonly parent?: Hex | null | undefined;
    readonly timestamp?: number | string | null | undefined;
    readonly coinbase?: Hex | null | undefined;
    readonly extraData?: Hex | null | undefined;
  } | null | undefined] };
    readonly result: Hash;
  };
  /** The dialect that the node follows, its name, the hardfork of the next block, and the limits of requests: those that options set, and those that are fixed, by their names in SECURITY.md. */
  hindcast_nodeInfo: {
    readonly request: { readonly params?: readonly [] };
    readonly result: HindcastNodeInfo;
  };
  /** Runs a transaction or blocks again with other code, storage or transactions, and lists what differs. */
  hindcast_replay: {
    readonly request: { readonly params: readonly [request: {
    readonly transaction?: Hex | null | undefined;
    readonly blocks?: readonly [BlockId, BlockId] | null | undefined;
    readonly code?: { readonly [name: string]: unknown } | null | undefined;
    readonly storage?: { readonly [name: string]: unknown } | null | undefined;
    readonly transactions?: {
      readonly drop?: readonly Hex[] | null | undefined;
      readonly insert?: readonly ({
        readonly before?: Hex | null | undefined;
        readonly after?: Hex | null | undefined;
        readonly block?: BlockId | null | undefined;
        readonly call: CallObject;
      })[] | null | undefined;
      readonly replace?: readonly ({
        readonly transaction: Hex;
        readonly call: CallObject;
        readonly creates?: boolean | null | undefined;
      })[] | null | undefined;
    } | null | undefined;
    readonly limit?: number | null | undefined;
  }] };
    readonly result: HistoryComparison;
  };
  /** Changes that a mined transaction made: variables of storage by name, with the lines that wrote them, and assets. */
  hindcast_stateChanges: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: StateChanges;
  };
  /** Whether the node shares its chain or follows another node's, the number of changes that it has, and how far it is behind. */
  hindcast_status: {
    readonly request: { readonly params?: readonly [] };
    readonly result: SharingStatus;
  };
  /** The changes of a shared chain after a position, as binary messages before the answer, for nodes that follow it; without a position what the chain is. Waits for the next change after the last one. */
  hindcast_stream: {
    readonly request: { readonly params: readonly [request: {
    readonly token: string;
    readonly position?: { readonly incarnation: Hex; readonly sequence: Hex; readonly hash: Hex } | null | undefined;
    readonly waitMs?: number | undefined;
  }] };
    readonly result: {
    head: { incarnation: Data; sequence: Quantity; hash: Hash };
    position: { incarnation: Data; sequence: Quantity; hash: Hash } | null;
    entries: number;
    description: string | null;
  };
  };
  /** All entries of a shared chain's store at one position, in chunks, each a binary message before its answer. */
  hindcast_streamBase: {
    readonly request: { readonly params: readonly [request: { readonly token: string; readonly base?: Hex | null | undefined; readonly chunk: number }] };
    readonly result: { base: Quantity; position: { incarnation: Data; sequence: Quantity; hash: Hash }; bytes: number };
  };
  /** Makes a node that stands by the writer of its chain in PostgreSQL, instead of the current one. */
  hindcast_takeOver: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** Sets the recipient of fees and rewards of later blocks (Ganache). */
  miner_setEtherbase: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: boolean;
  };
  /** Sets the extraData of later blocks, at most 32 bytes. */
  miner_setExtra: {
    readonly request: { readonly params: readonly [extraData: Hex] };
    readonly result: boolean;
  };
  /** Sets the gas limit of later blocks. Another name for evm_setBlockGasLimit. */
  miner_setGasLimit: Methods["evm_setBlockGasLimit"];
  /** Sets the minimum and suggested gas price, in wei; before London only (Ganache). */
  miner_setGasPrice: {
    readonly request: { readonly params: readonly [gasPrice: number | string] };
    readonly result: boolean;
  };
  /** Switches automine on and mines the waiting transactions (Ganache). */
  miner_start: {
    readonly request: { readonly params?: readonly [threads?: number | string | null | undefined] };
    readonly result: boolean;
  };
  /** Switches automine and interval mining off (Ganache). */
  miner_stop: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** Always true. */
  net_listening: {
    readonly request: { readonly params?: readonly [] };
    readonly result: boolean;
  };
  /** Always zero: this node has no peers. */
  net_peerCount: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Quantity;
  };
  /** Network id as a decimal string: the forked chain's on a fork, otherwise the chain id, unless the option networkId names one. */
  net_version: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Decimal;
  };
  /** API level of these methods: 8. Otterscan requires a minimum. */
  ots_getApiLevel: {
    readonly request: { readonly params?: readonly [] };
    readonly result: number;
  };
  /** A block without transactions and bloom, with its rewards and fees. */
  ots_getBlockDetails: {
    readonly request: { readonly params: readonly [block: number | BlockNumberOrTag] };
    readonly result: OtterscanBlockDetails | null;
  };
  /** The same by block hash. */
  ots_getBlockDetailsByHash: {
    readonly request: { readonly params: readonly [blockHash: Hex] };
    readonly result: OtterscanBlockDetails | null;
  };
  /** A page of a block's transactions with receipts, counted from the block's end. */
  ots_getBlockTransactions: {
    readonly request: { readonly params: readonly [block: number | BlockNumberOrTag, page: number | Hex, pageSize: number | Hex] };
    readonly result: OtterscanTransactionPage | null;
  };
  /** Who created a contract, and in which transaction; null for other accounts and code from genesis. */
  ots_getContractCreator: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: OtterscanCreation | null;
  };
  /** Transfers, creations and self-destructs inside a mined transaction. */
  ots_getInternalOperations: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: OtterscanOperation[];
  };
  /** Hash of the mined transaction that a sender made with a nonce. */
  ots_getTransactionBySenderAndNonce: {
    readonly request: { readonly params: readonly [sender: Hex, nonce: number | Hex] };
    readonly result: Hash | null;
  };
  /** Return data of a mined transaction that reverted; empty for others. */
  ots_getTransactionError: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: Data;
  };
  /** Whether an account has code. */
  ots_hasCode: {
    readonly request: { readonly params: readonly [address: Hex, block: number | BlockNumberOrTag | BlockId] };
    readonly result: boolean;
  };
  /** The same in blocks after one: the oldest matches, newest first. */
  ots_searchTransactionsAfter: {
    readonly request: { readonly params: readonly [address: Hex, blockNumber: number | Hex, pageSize: number | Hex] };
    readonly result: OtterscanHistoryPage;
  };
  /** Transactions that involve an account in blocks before one (0: all), newest first. Uses the index. */
  ots_searchTransactionsBefore: {
    readonly request: { readonly params: readonly [address: Hex, blockNumber: number | Hex, pageSize: number | Hex] };
    readonly result: OtterscanHistoryPage;
  };
  /** Calls, creations and self-destructs of a mined transaction as a list with depths. */
  ots_traceTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: OtterscanCall[];
  };
  /** The address that signed a message with the prefix of EIP-191. */
  personal_ecRecover: {
    readonly request: { readonly params: readonly [message: string, signature: Hex] };
    readonly result: Address;
  };
  /** Adds an account by its private key, locked until it is unlocked. Answers its address. */
  personal_importRawKey: {
    readonly request: { readonly params: readonly [privateKey: string, passphrase: string] };
    readonly result: Address;
  };
  /** Addresses that this node has keys for, including locked ones. */
  personal_listAccounts: {
    readonly request: { readonly params?: readonly [] };
    readonly result: Address[];
  };
  /** Locks an account. Answers false if the node does not have it. */
  personal_lockAccount: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: boolean;
  };
  /** Makes an account with a new key, locked until it is unlocked. Answers its address. */
  personal_newAccount: {
    readonly request: { readonly params: readonly [passphrase: string] };
    readonly result: Address;
  };
  /** Signs and sends a transaction of an account, which may be locked. */
  personal_sendTransaction: {
    readonly request: { readonly params: readonly [transaction: CallObject, passphrase: string] };
    readonly result: Hash;
  };
  /** Signs a message of one of the node's accounts, with the prefix of EIP-191. The password is ignored. */
  personal_sign: {
    readonly request: { readonly params: readonly [message: string, address: Hex, password?: string | null | undefined] };
    readonly result: Signature;
  };
  /** Signs a transaction of an account, which may be locked, and does not send it. */
  personal_signTransaction: {
    readonly request: { readonly params: readonly [transaction: CallObject, passphrase: string] };
    readonly result: SignedTransaction;
  };
  /** Lets an account sign for some seconds, by default 300; 0 sets no limit. Answers true. */
  personal_unlockAccount: {
    readonly request: { readonly params: readonly [address: Hex, passphrase: string, seconds?: number | string | null | undefined] };
    readonly result: boolean;
  };
  /** All methods with their params, results, errors and examples, as an OpenRPC document. */
  "rpc.discover": {
    readonly request: { readonly params?: readonly [] };
    readonly result: OpenRpcDocument;
  };
  /** Namespaces of this node's methods, with their versions. */
  rpc_modules: {
    readonly request: { readonly params?: readonly [] };
    readonly result: RpcModules;
  };
  /** Adds wei to an account's balance. Another name for anvil_addBalance. */
  tenderly_addBalance: Methods["anvil_addBalance"];
  /** Sets an account's balance, in wei. Another name for anvil_setBalance. */
  tenderly_setBalance: Methods["anvil_setBalance"];
  /** Sets an account's code. Another name for anvil_setCode. */
  tenderly_setCode: Methods["anvil_setCode"];
  /** Sets an account's balance of an ERC-20 token; the token is the first parameter (Tenderly). */
  tenderly_setErc20Balance: {
    readonly request: { readonly params: readonly [token: Hex, owner: Hex, balance: number | string] };
    readonly result: null;
  };
  /** Sets a storage slot. Answers true. Another name for anvil_setStorageAt. */
  tenderly_setStorageAt: Methods["anvil_setStorageAt"];
  /** Runs calls in sequence and answers for each what tenderly_simulateTransaction does. */
  tenderly_simulateBundle: {
    readonly request: { readonly params: readonly [calls: readonly CallObject[], block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: DecodedExecution[];
  };
  /** Runs a call. Answers its calls and logs decoded, and the assets and states that it changed. */
  tenderly_simulateTransaction: {
    readonly request: { readonly params: readonly [call: CallObject, block?: BlockId | null | undefined, stateOverrides?: StateOverrides | null | undefined, blockOverrides?: BlockOverrides | null | undefined] };
    readonly result: DecodedExecution;
  };
  /** Runs a mined transaction again and answers what tenderly_simulateTransaction does. */
  tenderly_traceTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: DecodedExecution;
  };
  /** Builds a block on a parent from given transactions or the pool's. The chain does not change. */
  testing_buildBlockV1: {
    readonly request: { readonly params: readonly [parentBlockHash: Hex, payloadAttributes: {
    readonly timestamp: Hex;
    readonly prevRandao: Hex;
    readonly suggestedFeeRecipient: Hex;
    readonly withdrawals?: readonly ({ readonly index: Hex; readonly validatorIndex: Hex; readonly address: Hex; readonly amount: Hex })[] | null | undefined;
    readonly parentBeaconBlockRoot?: Hex | null | undefined;
    readonly slotNumber?: Hex | null | undefined;
    readonly targetGasLimit?: Hex | null | undefined;
  }, transactions?: readonly Hex[] | null | undefined, extraData?: Hex | null | undefined] };
    readonly result: Payload;
  };
  /** Flat traces of a block, rewards included. */
  trace_block: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: LocalizedTrace[] | null;
  };
  /** How often each opcode ran in a block's transactions, and the gas it was charged. */
  trace_blockOpcodeGas: {
    readonly request: { readonly params: readonly [block: BlockId] };
    readonly result: BlockOpcodeGas | null;
  };
  /** Runs a call and traces it: trace, vmTrace, stateDiff. */
  trace_call: {
    readonly request: { readonly params: readonly [call: CallObject, types: TraceTypes, block?: BlockId | null | undefined, stateOverrides?: StateOverridesOrConfig | null | undefined, blockOverrides?: BlockOverridesOfTrace | null | undefined] };
    readonly result: TraceResults;
  };
  /** Runs calls in sequence and traces each: trace, vmTrace, stateDiff. */
  trace_callMany: {
    readonly request: { readonly params: readonly [calls: readonly (readonly [CallObject, TraceTypes])[], block?: BlockId | null | undefined, stateOverrides?: StateOverridesOrConfig | null | undefined, blockOverrides?: BlockOverridesOfTrace | null | undefined] };
    readonly result: TraceResults[];
  };
  /** Flat traces of a block range by sender and receiver, paged. */
  trace_filter: {
    readonly request: { readonly params: readonly [filter: {
    readonly fromBlock?: BlockNumberOrTag | null | undefined;
    readonly toBlock?: BlockNumberOrTag | null | undefined;
    readonly fromAddress?: readonly Hex[] | null | undefined;
    readonly toAddress?: readonly Hex[] | null | undefined;
    readonly mode?: "union" | "intersection" | null | undefined;
    readonly after?: number | Hex | null | undefined;
    readonly count?: number | Hex | null | undefined;
  }] };
    readonly result: LocalizedTrace[] | null;
  };
  /** One flat trace of a mined transaction, by its trace address. */
  trace_get: {
    readonly request: { readonly params: readonly [transactionHash: Hex, traceAddress: readonly (number | Hex | string)[]] };
    readonly result: LocalizedTrace | null;
  };
  /** Runs a signed transaction without sending it and traces it. */
  trace_rawTransaction: {
    readonly request: { readonly params: readonly [transaction: Hex, types: TraceTypes, block?: BlockId | null | undefined, stateOverrides?: StateOverridesOrConfig | null | undefined, blockOverrides?: BlockOverridesOfTrace | null | undefined] };
    readonly result: TraceResults;
  };
  /** Runs a block's transactions again and traces each. */
  trace_replayBlockTransactions: {
    readonly request: { readonly params: readonly [block: BlockId, types: TraceTypes] };
    readonly result: TraceResults[];
  };
  /** Runs a mined transaction again and traces it. */
  trace_replayTransaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex, types: TraceTypes] };
    readonly result: TraceResults;
  };
  /** Flat traces of a mined transaction. */
  trace_transaction: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: LocalizedTrace[] | null;
  };
  /** How often each opcode ran in a mined transaction, and the gas it was charged. */
  trace_transactionOpcodeGas: {
    readonly request: { readonly params: readonly [transactionHash: Hex] };
    readonly result: TransactionOpcodeGas | null;
  };
  /** All waiting transactions by sender and nonce. */
  txpool_content: {
    readonly request: { readonly params?: readonly [] };
    readonly result: PoolContent;
  };
  /** A sender's waiting transactions by nonce. */
  txpool_contentFrom: {
    readonly request: { readonly params: readonly [address: Hex] };
    readonly result: PoolContentFrom;
  };
  /** All waiting transactions as one line of text each. */
  txpool_inspect: {
    readonly request: { readonly params?: readonly [] };
    readonly result: PoolTexts;
  };
  /** How many transactions are executable (pending) and how many wait behind a nonce gap (queued). */
  txpool_status: {
    readonly request: { readonly params?: readonly [] };
    readonly result: PoolStatus;
  };
  /** Null for this node's own chain; any other is refused (EIP-3085). */
  wallet_addEthereumChain: {
    readonly request: { readonly params: readonly [chain: { readonly chainId: Hex }] };
    readonly result: null;
  };
  /** Status and receipts of a batch of calls (EIP-5792). */
  wallet_getCallsStatus: {
    readonly request: { readonly params: readonly [id: string] };
    readonly result: CallBatchStatus;
  };
  /** Capabilities of an account's wallet by chain: atomic batches while the node mines by transaction (EIP-5792). */
  wallet_getCapabilities: {
    readonly request: { readonly params?: readonly [address?: Hex | null | undefined, chainIds?: readonly Hex[] | null | undefined] };
    readonly result: { [name: string]: { atomic: { status: string } } };
  };
  /** The granted permission: access to the accounts (EIP-2255). */
  wallet_getPermissions: {
    readonly request: { readonly params?: readonly [] };
    readonly result: ({ parentCapability: string; caveats: unknown[] })[];
  };
  /** Grants access to the accounts; there is no user to ask (EIP-2255). */
  wallet_requestPermissions: {
    readonly request: { readonly params: readonly [permissions: { readonly [name: string]: unknown }] };
    readonly result: ({ parentCapability: string; caveats: unknown[] })[];
  };
  /** Sends calls of one account: in one block, all or none, while the node mines by transaction (EIP-5792). */
  wallet_sendCalls: {
    readonly request: { readonly params: readonly [batch: {
    readonly version?: string | null | undefined;
    readonly id?: string | null | undefined;
    readonly from?: Hex | null | undefined;
    readonly chainId?: Hex | null | undefined;
    readonly atomicRequired?: boolean | null | undefined;
    readonly calls: readonly ({
      readonly to?: Hex | null | undefined;
      readonly data?: Hex | null | undefined;
      readonly value?: Hex | null | undefined;
      readonly capabilities?: { readonly [name: string]: unknown } | null | undefined;
    })[];
    readonly capabilities?: { readonly [name: string]: unknown } | null | undefined;
  }] };
    readonly result: { id: string };
  };
  /** Checks that the batch is known; there is no wallet that could show it (EIP-5792). */
  wallet_showCallsStatus: {
    readonly request: { readonly params: readonly [id: string] };
    readonly result: null;
  };
  /** Null for this node's own chain, which is the only one; any other is refused (EIP-3326). */
  wallet_switchEthereumChain: {
    readonly request: { readonly params: readonly [chain: { readonly chainId: Hex }] };
    readonly result: null;
  };
  /** Always true; the token is ignored (EIP-747). */
  wallet_watchAsset: {
    readonly request: { readonly params: readonly [asset: { readonly type: string; readonly options: { readonly [name: string]: unknown } }] };
    readonly result: boolean;
  };
  /** Name and version of this node. */
  web3_clientVersion: {
    readonly request: { readonly params?: readonly [] };
    readonly result: string;
  };
  /** Keccak-256 of some bytes. */
  web3_sha3: {
    readonly request: { readonly params: readonly [data: Hex] };
    readonly result: Hash;
  };
}

interface Bare<Name extends keyof Methods> {
  Method: Name;
  Parameters?: undefined;
  ReturnType: Methods[Name]["result"];
}

interface Filled<Name extends keyof Methods> {
  Method: Name;
  Parameters: NonNullable<Methods[Name]["request"]["params"]>;
  ReturnType: Methods[Name]["result"];
}

/** {@link Methods} for viem: `createClient({ rpcSchema: rpcSchema<RpcSchema>(), transport: custom(node.provider) })`. */
export type RpcSchema = [
  Filled<"anvil_addBalance">,
  Filled<"anvil_autoImpersonateAccount">,
  Filled<"anvil_dealERC20">,
  Filled<"anvil_dealErc20">,
  Bare<"anvil_dropAllTransactions">,
  Filled<"anvil_dropTransaction">,
  Filled<"anvil_dumpState">,
  Bare<"anvil_getAutomine">,
  Filled<"anvil_getBlobByHash">,
  Filled<"anvil_getBlobsByTransactionHash">,
  Bare<"anvil_getGenesisTime">,
  Bare<"anvil_getIntervalMining">,
  Filled<"anvil_impersonateAccount">,
  Filled<"anvil_impersonateSignature">,
  Filled<"anvil_increaseTime">,
  Filled<"anvil_loadState">,
  Bare<"anvil_metadata">,
  Filled<"anvil_mine">,
  Filled<"anvil_mine_detailed">,
  Bare<"anvil_nodeInfo">,
  Bare<"anvil_removeBlockTimestampInterval">,
  Filled<"anvil_removePoolTransactions">,
  Filled<"anvil_reorg">,
  Filled<"anvil_reset">,
  Filled<"anvil_revert">,
  Filled<"anvil_rollback">,
  Filled<"anvil_setAutomine">,
  Filled<"anvil_setBalance">,
  Filled<"anvil_setBlockGasLimit">,
  Filled<"anvil_setBlockTimestampInterval">,
  Filled<"anvil_setChainId">,
  Filled<"anvil_setCode">,
  Filled<"anvil_setCoinbase">,
  Filled<"anvil_setERC20Allowance">,
  Filled<"anvil_setErc20Allowance">,
  Filled<"anvil_setIntervalMining">,
  Filled<"anvil_setLoggingEnabled">,
  Filled<"anvil_setMinGasPrice">,
  Filled<"anvil_setNextBlockBaseFeePerGas">,
  Filled<"anvil_setNextBlockPrevRandao">,
  Filled<"anvil_setNextBlockTimestamp">,
  Filled<"anvil_setNonce">,
  Filled<"anvil_setPrevRandao">,
  Filled<"anvil_setRpcUrl">,
  Filled<"anvil_setStorageAt">,
  Filled<"anvil_setTime">,
  Bare<"anvil_snapshot">,
  Filled<"anvil_stopImpersonatingAccount">,
  Filled<"debug_accountInfoAt">,
  Filled<"debug_accountRange">,
  Bare<"debug_chainConfig">,
  Bare<"debug_clearTxpool">,
  Filled<"debug_codeByHash">,
  Filled<"debug_dbGet">,
  Filled<"debug_dumpBlock">,
  Filled<"debug_executionWitness">,
  Filled<"debug_executionWitnessByBlockHash">,
  Bare<"debug_getBadBlocks">,
  Filled<"debug_getModifiedAccountsByHash">,
  Filled<"debug_getModifiedAccountsByNumber">,
  Filled<"debug_getRawBlock">,
  Filled<"debug_getRawBlockAccessList">,
  Filled<"debug_getRawHeader">,
  Filled<"debug_getRawReceipts">,
  Filled<"debug_getRawTransaction">,
  Filled<"debug_getRawTransactions">,
  Filled<"debug_intermediateRoots">,
  Filled<"debug_preimage">,
  Filled<"debug_setHead">,
  Filled<"debug_storageRangeAt">,
  Filled<"debug_subscribe">,
  Filled<"debug_traceBadBlock">,
  Filled<"debug_traceBlock">,
  Filled<"debug_traceBlockByHash">,
  Filled<"debug_traceBlockByNumber">,
  Filled<"debug_traceCall">,
  Filled<"debug_traceCallMany">,
  Filled<"debug_traceTransaction">,
  Filled<"debug_unsubscribe">,
  Filled<"erigon_getHeaderByNumber">,
  Bare<"eth_accounts">,
  Bare<"eth_baseFee">,
  Bare<"eth_blobBaseFee">,
  Bare<"eth_blockNumber">,
  Filled<"eth_call">,
  Filled<"eth_callBundle">,
  Filled<"eth_callMany">,
  Bare<"eth_capabilities">,
  Bare<"eth_chainId">,
  Bare<"eth_coinbase">,
  Bare<"eth_config">,
  Filled<"eth_createAccessList">,
  Filled<"eth_estimateGas">,
  Filled<"eth_feeHistory">,
  Filled<"eth_fillTransaction">,
  Bare<"eth_gasPrice">,
  Filled<"eth_getAccount">,
  Filled<"eth_getAccountInfo">,
  Filled<"eth_getBalance">,
  Filled<"eth_getBlockAccessList">,
  Filled<"eth_getBlockAccessListByBlockHash">,
  Filled<"eth_getBlockAccessListByBlockNumber">,
  Filled<"eth_getBlockAccessListRaw">,
  Filled<"eth_getBlockByHash">,
  Filled<"eth_getBlockByNumber">,
  Filled<"eth_getBlockReceipts">,
  Filled<"eth_getBlockTransactionCountByHash">,
  Filled<"eth_getBlockTransactionCountByNumber">,
  Filled<"eth_getCode">,
  Filled<"eth_getFilterChanges">,
  Filled<"eth_getFilterLogs">,
  Filled<"eth_getHeaderByHash">,
  Filled<"eth_getHeaderByNumber">,
  Filled<"eth_getLogs">,
  Filled<"eth_getProof">,
  Filled<"eth_getRawTransactionByBlockHashAndIndex">,
  Filled<"eth_getRawTransactionByBlockNumberAndIndex">,
  Filled<"eth_getRawTransactionByHash">,
  Filled<"eth_getStorageAt">,
  Filled<"eth_getStorageValues">,
  Filled<"eth_getTransactionByBlockHashAndIndex">,
  Filled<"eth_getTransactionByBlockNumberAndIndex">,
  Filled<"eth_getTransactionByHash">,
  Filled<"eth_getTransactionBySenderAndNonce">,
  Filled<"eth_getTransactionCount">,
  Filled<"eth_getTransactionReceipt">,
  Filled<"eth_getUncleByBlockHashAndIndex">,
  Filled<"eth_getUncleByBlockNumberAndIndex">,
  Filled<"eth_getUncleCountByBlockHash">,
  Filled<"eth_getUncleCountByBlockNumber">,
  Bare<"eth_getWork">,
  Bare<"eth_hashrate">,
  Bare<"eth_maxPriorityFeePerGas">,
  Bare<"eth_mining">,
  Bare<"eth_networkId">,
  Bare<"eth_newBlockFilter">,
  Filled<"eth_newFilter">,
  Filled<"eth_newPendingTransactionFilter">,
  Bare<"eth_pendingTransactions">,
  Bare<"eth_protocolVersion">,
  Bare<"eth_requestAccounts">,
  Filled<"eth_resend">,
  Filled<"eth_sendRawTransaction">,
  Filled<"eth_sendRawTransactionConditional">,
  Filled<"eth_sendRawTransactionSync">,
  Filled<"eth_sendTransaction">,
  Filled<"eth_sendTransactionSync">,
  Filled<"eth_sendUnsignedTransaction">,
  Filled<"eth_sign">,
  Filled<"eth_signTransaction">,
  Filled<"eth_signTypedData">,
  Filled<"eth_signTypedData_v3">,
  Filled<"eth_signTypedData_v4">,
  Filled<"eth_simulateV1">,
  Filled<"eth_submitHashrate">,
  Filled<"eth_submitWork">,
  Filled<"eth_subscribe">,
  Bare<"eth_syncing">,
  Filled<"eth_uninstallFilter">,
  Filled<"eth_unsubscribe">,
  Filled<"evm_addAccount">,
  Filled<"evm_increaseBlocks">,
  Filled<"evm_increaseTime">,
  Filled<"evm_mine">,
  Filled<"evm_mine_detailed">,
  Filled<"evm_removeAccount">,
  Bare<"evm_removeBlockTimestampInterval">,
  Filled<"evm_revert">,
  Filled<"evm_setAccountBalance">,
  Filled<"evm_setAccountCode">,
  Filled<"evm_setAccountNonce">,
  Filled<"evm_setAccountStorageAt">,
  Filled<"evm_setAutomine">,
  Filled<"evm_setBlockGasLimit">,
  Filled<"evm_setBlockTimestampInterval">,
  Filled<"evm_setIntervalMining">,
  Filled<"evm_setNextBlockTimestamp">,
  Filled<"evm_setTime">,
  Bare<"evm_snapshot">,
  Filled<"ganache_addBalance">,
  Filled<"ganache_autoImpersonateAccount">,
  Filled<"ganache_dealERC20">,
  Filled<"ganache_dealErc20">,
  Bare<"ganache_dropAllTransactions">,
  Filled<"ganache_dropTransaction">,
  Filled<"ganache_dumpState">,
  Bare<"ganache_getAutomine">,
  Filled<"ganache_getBlobByHash">,
  Filled<"ganache_getBlobsByTransactionHash">,
  Bare<"ganache_getGenesisTime">,
  Bare<"ganache_getIntervalMining">,
  Filled<"ganache_impersonateAccount">,
  Filled<"ganache_impersonateSignature">,
  Filled<"ganache_increaseTime">,
  Filled<"ganache_loadState">,
  Bare<"ganache_metadata">,
  Filled<"ganache_mine">,
  Bare<"ganache_nodeInfo">,
  Bare<"ganache_removeBlockTimestampInterval">,
  Filled<"ganache_removePoolTransactions">,
  Filled<"ganache_reorg">,
  Filled<"ganache_reset">,
  Filled<"ganache_revert">,
  Filled<"ganache_rollback">,
  Filled<"ganache_setAutomine">,
  Filled<"ganache_setBalance">,
  Filled<"ganache_setBlockGasLimit">,
  Filled<"ganache_setBlockTimestampInterval">,
  Filled<"ganache_setChainId">,
  Filled<"ganache_setCode">,
  Filled<"ganache_setCoinbase">,
  Filled<"ganache_setERC20Allowance">,
  Filled<"ganache_setErc20Allowance">,
  Filled<"ganache_setIntervalMining">,
  Filled<"ganache_setLoggingEnabled">,
  Filled<"ganache_setMinGasPrice">,
  Filled<"ganache_setNextBlockBaseFeePerGas">,
  Filled<"ganache_setNextBlockTimestamp">,
  Filled<"ganache_setNonce">,
  Filled<"ganache_setPrevRandao">,
  Filled<"ganache_setRpcUrl">,
  Filled<"ganache_setStorageAt">,
  Filled<"ganache_setTime">,
  Bare<"ganache_snapshot">,
  Filled<"ganache_stopImpersonatingAccount">,
  Filled<"hardhat_addBalance">,
  Filled<"hardhat_autoImpersonateAccount">,
  Filled<"hardhat_dealERC20">,
  Filled<"hardhat_dealErc20">,
  Bare<"hardhat_dropAllTransactions">,
  Filled<"hardhat_dropTransaction">,
  Filled<"hardhat_dumpState">,
  Bare<"hardhat_getAutomine">,
  Filled<"hardhat_getBlobByHash">,
  Filled<"hardhat_getBlobsByTransactionHash">,
  Bare<"hardhat_getGenesisTime">,
  Bare<"hardhat_getIntervalMining">,
  Filled<"hardhat_impersonateAccount">,
  Filled<"hardhat_impersonateSignature">,
  Filled<"hardhat_increaseTime">,
  Filled<"hardhat_loadState">,
  Bare<"hardhat_metadata">,
  Filled<"hardhat_mine">,
  Bare<"hardhat_nodeInfo">,
  Bare<"hardhat_removeBlockTimestampInterval">,
  Filled<"hardhat_removePoolTransactions">,
  Filled<"hardhat_reorg">,
  Filled<"hardhat_reset">,
  Filled<"hardhat_revert">,
  Filled<"hardhat_rollback">,
  Filled<"hardhat_setAutomine">,
  Filled<"hardhat_setBalance">,
  Filled<"hardhat_setBlockGasLimit">,
  Filled<"hardhat_setBlockTimestampInterval">,
  Filled<"hardhat_setChainId">,
  Filled<"hardhat_setCode">,
  Filled<"hardhat_setCoinbase">,
  Filled<"hardhat_setERC20Allowance">,
  Filled<"hardhat_setErc20Allowance">,
  Filled<"hardhat_setIntervalMining">,
  Filled<"hardhat_setLoggingEnabled">,
  Filled<"hardhat_setMinGasPrice">,
  Filled<"hardhat_setNextBlockBaseFeePerGas">,
  Filled<"hardhat_setNextBlockTimestamp">,
  Filled<"hardhat_setNonce">,
  Filled<"hardhat_setPrevRandao">,
  Filled<"hardhat_setRpcUrl">,
  Filled<"hardhat_setStorageAt">,
  Filled<"hardhat_setTime">,
  Bare<"hardhat_snapshot">,
  Filled<"hardhat_stopImpersonatingAccount">,
  Filled<"hindcast_addArtifact">,
  Filled<"hindcast_compareHardforks">,
  Bare<"hindcast_coverageReport">,
  Bare<"hindcast_coverageStart">,
  Bare<"hindcast_coverageStop">,
  Filled<"hindcast_estimateGas">,
  Filled<"hindcast_explainCall">,
  Filled<"hindcast_explainTransaction">,
  Filled<"hindcast_forward">,
  Filled<"hindcast_gasProfile">,
  Filled<"hindcast_gasProfileCall">,
  Filled<"hindcast_getBlocks">,
  Filled<"hindcast_getBuilds">,
  Filled<"hindcast_getCalls">,
  Filled<"hindcast_getContract">,
  Filled<"hindcast_getRecordedSteps">,
  Filled<"hindcast_getRecordedStorage">,
  Filled<"hindcast_getRecording">,
  Filled<"hindcast_getSources">,
  Filled<"hindcast_getStep">,
  Filled<"hindcast_getSteps">,
  Filled<"hindcast_getStorage">,
  Filled<"hindcast_mine">,
  Filled<"hindcast_mineSideBlock">,
  Bare<"hindcast_nodeInfo">,
  Filled<"hindcast_replay">,
  Filled<"hindcast_stateChanges">,
  Bare<"hindcast_status">,
  Filled<"hindcast_stream">,
  Filled<"hindcast_streamBase">,
  Bare<"hindcast_takeOver">,
  Filled<"miner_setEtherbase">,
  Filled<"miner_setExtra">,
  Filled<"miner_setGasLimit">,
  Filled<"miner_setGasPrice">,
  Filled<"miner_start">,
  Bare<"miner_stop">,
  Bare<"net_listening">,
  Bare<"net_peerCount">,
  Bare<"net_version">,
  Bare<"ots_getApiLevel">,
  Filled<"ots_getBlockDetails">,
  Filled<"ots_getBlockDetailsByHash">,
  Filled<"ots_getBlockTransactions">,
  Filled<"ots_getContractCreator">,
  Filled<"ots_getInternalOperations">,
  Filled<"ots_getTransactionBySenderAndNonce">,
  Filled<"ots_getTransactionError">,
  Filled<"ots_hasCode">,
  Filled<"ots_searchTransactionsAfter">,
  Filled<"ots_searchTransactionsBefore">,
  Filled<"ots_traceTransaction">,
  Filled<"personal_ecRecover">,
  Filled<"personal_importRawKey">,
  Bare<"personal_listAccounts">,
  Filled<"personal_lockAccount">,
  Filled<"personal_newAccount">,
  Filled<"personal_sendTransaction">,
  Filled<"personal_sign">,
  Filled<"personal_signTransaction">,
  Filled<"personal_unlockAccount">,
  Bare<"rpc.discover">,
  Bare<"rpc_modules">,
  Filled<"tenderly_addBalance">,
  Filled<"tenderly_setBalance">,
  Filled<"tenderly_setCode">,
  Filled<"tenderly_setErc20Balance">,
  Filled<"tenderly_setStorageAt">,
  Filled<"tenderly_simulateBundle">,
  Filled<"tenderly_simulateTransaction">,
  Filled<"tenderly_traceTransaction">,
  Filled<"testing_buildBlockV1">,
  Filled<"trace_block">,
  Filled<"trace_blockOpcodeGas">,
  Filled<"trace_call">,
  Filled<"trace_callMany">,
  Filled<"trace_filter">,
  Filled<"trace_get">,
  Filled<"trace_rawTransaction">,
  Filled<"trace_replayBlockTransactions">,
  Filled<"trace_replayTransaction">,
  Filled<"trace_transaction">,
  Filled<"trace_transactionOpcodeGas">,
  Bare<"txpool_content">,
  Filled<"txpool_contentFrom">,
  Bare<"txpool_inspect">,
  Bare<"txpool_status">,
  Filled<"wallet_addEthereumChain">,
  Filled<"wallet_getCallsStatus">,
  Filled<"wallet_getCapabilities">,
  Bare<"wallet_getPermissions">,
  Filled<"wallet_requestPermissions">,
  Filled<"wallet_sendCalls">,
  Filled<"wallet_showCallsStatus">,
  Filled<"wallet_switchEthereumChain">,
  Filled<"wallet_watchAsset">,
  Bare<"web3_clientVersion">,
  Filled<"web3_sha3">,
];

/**
 * One recorded request or more for every method of the registry: a table, hence its length. Requests run in this order;
 * those that change the chain come after those that read it. A method under another name runs its original's requests.
 */
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../src/primitives/hash/hash.ts";
import { ALICE, addressText, BOB, CAROL, DAVE, NOW, quantity, wordText } from "../support/a-node.ts";
import { logCall } from "../support/contracts.ts";
import type { Story } from "./a-story.ts";

/** Params as they are, or made from the story and from the result of the request before. */
export type Params = readonly unknown[] | ((story: Story, last: unknown) => readonly unknown[]);

/** A request, and others that must come before it. */
export interface Recording {
  readonly before?: readonly (readonly [method: string, params: Params])[];
  readonly params: Params;
}

const of = (...list: readonly Params[]): Recording[] => list.map((params) => ({ params }));
/** The request, with these before it. */
const after = (before: Recording["before"] & object, params: Params): Recording[] => [{ before, params }];

const BLOCK_IDS = ["0x0", "0x5", "latest", "earliest", "pending", "safe", "finalized", "0x99"];
const TRANSFER = { from: ALICE, to: BOB, value: "0x1" };
const ANY_DATA = `0x${"12".repeat(32)}`;
const TYPED_DATA = {
  domain: { name: "test", chainId: 31_337 },
  primaryType: "Mail",
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "chainId", type: "uint256" },
    ],
    Mail: [{ name: "to", type: "address" }],
  },
  message: { to: BOB },
};
const WAITING = { ...TRANSFER, gas: quantity(21_000) };
const pooled = (params: Params): Recording[] => [
  ...after(
    [
      ["evm_setAutomine", [false]],
      ["eth_sendTransaction", [WAITING]],
    ],
    params,
  ),
  ...after(
    [
      ["anvil_dropAllTransactions", []],
      ["evm_setAutomine", [true]],
    ],
    params,
  ),
];

/** Answers balanceOf(owner) and allowance(owner, spender) from the slot that is the hash of its arguments. */
const TOKEN_CODE = "0x6040600460003760406000205460005260206000f3";
const TOKEN = addressText(0x70);
const withToken = (params: Params): Recording[] => after([["anvil_setCode", [TOKEN, TOKEN_CODE]]], params);

const READS: Readonly<Record<string, readonly Recording[]>> = {
  web3_clientVersion: of([]),
  eth_networkId: of([]),
  eth_protocolVersion: of([]),
  eth_hashrate: of([]),
  wallet_switchEthereumChain: of([{ chainId: "0x1" }], [{ chainId: quantity(31_337) }]),
  wallet_addEthereumChain: of([{ chainId: "0x1", chainName: "Mainnet" }], [{ chainId: quantity(31_337) }]),
  wallet_requestPermissions: of([{ eth_accounts: {} }]),
  wallet_getPermissions: of([]),
  wallet_watchAsset: of([{ type: "ERC20", options: { address: addressText(0x70), symbol: "T", decimals: 18 } }]),
  wallet_getCapabilities: of([], [ALICE], [ALICE, ["0x1"]]),
  web3_sha3: of(["0x68656c6c6f"]),
  net_version: of([]),
  net_listening: of([]),
  net_peerCount: of([]),
  rpc_modules: of([]),
  "rpc.discover": of([]),
  eth_chainId: of([]),
  eth_syncing: of([]),
  eth_coinbase: of([]),
  eth_config: of([]),
  eth_capabilities: of([]),
  eth_accounts: of([]),
  eth_requestAccounts: of([]),
  eth_mining: of([]),
  eth_gasPrice: of([]),
  eth_maxPriorityFeePerGas: of([]),
  eth_baseFee: of([]),
  eth_blobBaseFee: of([]),
  eth_feeHistory: of(["0x4", "latest", [10, 50]]),
  eth_blockNumber: of([]),
  eth_getBlockByNumber: of(
    ...BLOCK_IDS.flatMap((id) => [
      [id, false],
      [id, true],
    ]),
  ),
  eth_getBlockByHash: of(
    ({ sideBlock }) => [sideBlock, true],
    ({ loggedBlock }) => [loggedBlock, false],
    [ANY_DATA, false],
  ),
  eth_getBlockAccessList: of(["0x5"], ["0x99"]),
  eth_getBlockAccessListRaw: of(["0x5"], ["0x99"]),
  eth_getBlockAccessListByBlockHash: of(({ loggedBlock }) => [loggedBlock], [ANY_DATA]),
  eth_getBlockAccessListByBlockNumber: of(["0x5"], ["0x99"]),
  eth_getHeaderByNumber: of(["0x5"], ["0x99"]),
  eth_getHeaderByHash: of(({ loggedBlock }) => [loggedBlock]),
  eth_getBlockReceipts: of(["0x5"], ["0x7"], ({ sideBlock }) => [sideBlock]),
  eth_getBlockTransactionCountByNumber: of(["0x7"], ["0x99"]),
  eth_getBlockTransactionCountByHash: of(({ loggedBlock }) => [loggedBlock]),
  eth_getUncleCountByBlockNumber: of(["0x5"]),
  eth_getUncleCountByBlockHash: of(({ loggedBlock }) => [loggedBlock]),
  eth_getUncleByBlockNumberAndIndex: of(["0x5", "0x0"]),
  eth_getUncleByBlockHashAndIndex: of(({ loggedBlock }) => [loggedBlock, "0x0"]),
  eth_getTransactionByHash: of(
    ({ logged }) => [logged],
    ({ impersonated }) => [impersonated],
    [ANY_DATA],
  ),
  eth_getTransactionByBlockNumberAndIndex: of(...[0, 1, 2, 3, 4, 5, 6, 7].map((index) => ["0x7", quantity(index)])),
  eth_getTransactionByBlockHashAndIndex: of(
    ({ loggedBlock }) => [loggedBlock, "0x0"],
    ({ sideBlock }) => [sideBlock, "0x0"],
  ),
  eth_getTransactionBySenderAndNonce: of([ALICE, "0x4"], [ALICE, "0x99"]),
  eth_getRawTransactionByHash: of(({ logged }) => [logged]),
  eth_getRawTransactionByBlockNumberAndIndex: of(["0x7", "0x3"]),
  eth_getRawTransactionByBlockHashAndIndex: of(({ loggedBlock }) => [loggedBlock, "0x0"]),
  eth_getTransactionReceipt: of(
    ({ logged }) => [logged],
    ({ nested }) => [nested],
    ({ impersonated }) => [impersonated],
    [ANY_DATA],
  ),
  eth_pendingTransactions: of([]),
  eth_getLogs: of(
    [{ fromBlock: "earliest" }],
    ({ emitter }) => [{ fromBlock: "0x1", toBlock: "latest", address: emitter, topics: [[wordText(0xa)], null] }],
    ({ loggedBlock }) => [{ blockHash: loggedBlock }],
    [{ fromBlock: "0x0", toBlock: "pending" }],
  ),
  eth_getBalance: of(...BLOCK_IDS.map((id) => [addressText(0x99), id]), [BOB]),
  eth_getTransactionCount: of([ALICE, "latest"], [ALICE, "0x3"], [ALICE, "pending"]),
  eth_getCode: of(({ counter }) => [counter, "latest"], [BOB, "latest"]),
  eth_getStorageAt: of(
    ...BLOCK_IDS.map(
      (id): Params =>
        ({ counter }) => [counter, "0x0", id],
    ),
  ),
  eth_getStorageValues: of(({ counter }) => [{ [counter]: [wordText(0), wordText(1)] }, "latest"]),
  eth_getProof: of(({ counter }) => [counter, ["0x0", "0x1"], "latest"], [addressText(1), [], "0x1"]),
  eth_getAccount: of(({ counter }) => [counter, "latest"]),
  eth_getAccountInfo: of(({ counter }) => [counter, "latest"]),
  eth_call: of(
    ({ counter }) => [{ to: counter }, "latest"],
    ({ counter }) => [{ to: counter }, "0x9"],
    ({ reverter }) => [{ to: reverter, data: "0xdead" }, "latest"],
  ),
  eth_estimateGas: of([TRANSFER], ({ counter }) => [{ from: ALICE, to: counter }]),
  eth_createAccessList: of(({ counter }) => [{ from: ALICE, to: counter }, "latest"]),
  eth_simulateV1: of(({ counter }) => [{ blockStateCalls: [{ calls: [{ from: ALICE, to: counter }] }] }, "latest"]),
  eth_callBundle: of(
    ({ rawTransaction }) => [{ txs: [rawTransaction], blockNumber: "0x20", stateBlockNumber: "latest" }],
    [{ txs: [], blockNumber: "0x20", stateBlockNumber: "0x99" }],
  ),
  tenderly_simulateTransaction: of(({ counter }) => [{ from: ALICE, to: counter }], [TRANSFER, "0x99"]),
  tenderly_simulateBundle: of(({ counter }) => [[{ from: ALICE, to: counter }, TRANSFER]], [[]]),
  tenderly_traceTransaction: of(({ nested }) => [nested], [ANY_DATA]),
  eth_getWork: of([]),
  eth_submitWork: of(["0x0000000000000001", ANY_DATA, ANY_DATA]),
  eth_submitHashrate: of(["0x5", ANY_DATA]),
  eth_sign: of([ALICE, "0x1234"]),
  eth_signTypedData_v4: of([ALICE, TYPED_DATA]),
  eth_signTransaction: of([{ ...WAITING, gasPrice: quantity(2_000_000_000), nonce: "0x99" }]),
  eth_fillTransaction: of([WAITING]),
  personal_sign: of(["0x1234", ALICE]),
  personal_ecRecover: [
    { before: [["personal_sign", ["0x1234", ALICE]]], params: (_story, last) => ["0x1234", last] },
    { params: ["0x1234", `0x${"00".repeat(65)}`] },
  ],
  personal_listAccounts: of([]),
  personal_signTransaction: of([{ ...WAITING, gasPrice: quantity(2_000_000_000), nonce: "0x99" }, ""]),
  trace_block: of(...BLOCK_IDS.map((id) => [id]), ({ loggedBlock }) => [loggedBlock]),
  hindcast_explainTransaction: of(
    ({ nested }) => [nested],
    ({ logged }) => [logged],
  ),
  hindcast_explainCall: of([{ to: addressText(0x70), data: "0x" }, "latest"]),
  hindcast_gasProfile: of(
    ({ nested }) => [nested],
    ({ logged }) => [logged],
  ),
  hindcast_coverageStart: of([]),
  hindcast_coverageReport: after([["hindcast_coverageStart", []]], []),
  hindcast_coverageStop: of([]),
  hindcast_stateChanges: of(
    ({ nested }) => [nested],
    ({ logged }) => [logged],
  ),
  hindcast_gasProfileCall: of([{ to: addressText(0x70), data: "0x" }, "latest"]),
  hindcast_estimateGas: of([TRANSFER], ({ counter }) => [{ from: ALICE, to: counter }]),
  hindcast_replay: of(
    ({ logged }) => [{ transaction: logged, storage: { [addressText(0x70)]: { [wordText(0)]: wordText(1) } } }],
    ({ counter }) => [{ blocks: ["0x1", "latest"], code: { [counter]: "0x60006000fd" }, limit: 2 }],
    ({ logged }) => [
      {
        transaction: logged,
        transactions: { drop: [logged], insert: [{ after: logged, call: { from: ALICE, to: addressText(0x70) } }] },
      },
    ],
    [{ blocks: ["earliest", "latest"] }],
    [{ transaction: wordText(1) }],
  ),
  hindcast_compareHardforks: of(
    [{ hardforks: ["osaka", "amsterdam"], block: "0x5" }],
    [
      {
        calls: [
          { to: addressText(0x70), data: "0x" },
          { from: ALICE, data: "0x600160005560016000f3" },
        ],
      },
    ],
    [{ block: "earliest" }],
    [{ block: "0x99" }],
  ),
  trace_transaction: of(
    ({ nested }) => [nested],
    ({ impersonated }) => [impersonated],
    [ANY_DATA],
  ),
  trace_blockOpcodeGas: of(["0x7"], ["0x99"]),
  trace_transactionOpcodeGas: of(({ nested }) => [nested], [ANY_DATA]),
  hindcast_getCalls: of(({ nested }) => [nested], [ANY_DATA]),
  hindcast_getSteps: of(
    ({ nested }) => [nested],
    ({ nested }) => [nested, { from: 2, count: 3 }],
  ),
  hindcast_getStep: of(
    ({ nested }) => [nested, 3],
    ({ nested }) => [nested, 9_999],
  ),
  hindcast_getRecording: of(
    ({ nested }) => [nested],
    ({ nested }) => [nested, { from: 1, count: 1 }],
  ),
  hindcast_getRecordedSteps: of(
    ({ nested }) => [nested],
    ({ nested }) => [nested, { from: 2, count: 3 }],
  ),
  hindcast_getRecordedStorage: of(({ nested, counter }) => [nested, counter, ["0x0", "0x1"]]),
  hindcast_getBuilds: of(({ nested }) => [nested]),
  hindcast_getContract: of(({ counter }) => [counter]),
  hindcast_addArtifact: of(
    [
      [{ type: "function", name: "nothingCallsThis", inputs: [], outputs: [] }],
      { name: "Unused", address: addressText(0x71) },
    ],
    [{ contractName: "Nobody", abi: [] }],
    ["0x5b5d"],
    [[]],
  ),
  hindcast_getStorage: of(({ counter }) => [counter]),
  hindcast_getSources: of(({ counter }) => [counter]),
  hindcast_getBlocks: of([], [{ from: "0x5", count: 2 }]),
  debug_codeByHash: of([ANY_DATA]),
  debug_dbGet: of([ANY_DATA]),
  debug_preimage: of([encodeData(keccak256(decodeData(ALICE)))], [ANY_DATA]),
  debug_chainConfig: of([]),
  debug_dumpBlock: of(["0x5"], ["0x99"]),
  debug_executionWitness: of(["0x5"], ["0x0"], ["0x99"]),
  debug_executionWitnessByBlockHash: of(({ loggedBlock }) => [loggedBlock], [ANY_DATA]),
  anvil_getBlobByHash: of([ANY_DATA]),
  anvil_getBlobsByTransactionHash: of(({ nested }) => [nested], [ANY_DATA]),
  anvil_getGenesisTime: of([]),
  trace_get: of(({ nested }) => [nested, ["0x0"]]),
  trace_filter: of([{}], [{ fromBlock: "0x2", toBlock: "0x8", fromAddress: [ALICE], after: 1, count: 3 }]),
  trace_call: of(({ counter }) => [{ from: ALICE, to: counter }, ["trace", "vmTrace", "stateDiff"], "latest"]),
  trace_callMany: of(({ counter }) => [
    [
      [{ from: ALICE, to: counter }, ["trace", "stateDiff"]],
      [{ from: BOB, to: counter }, ["vmTrace"]],
    ],
    "latest",
  ]),
  trace_rawTransaction: of(({ rawTransaction }) => [rawTransaction, ["trace", "stateDiff"]]),
  trace_replayTransaction: of(({ nested }) => [nested, ["trace", "vmTrace", "stateDiff"]]),
  trace_replayBlockTransactions: of(["0x7", ["trace", "stateDiff"]]),
  debug_traceTransaction: of(
    ({ nested }) => [nested],
    ({ nested }) => [nested, { tracer: "callTracer" }],
  ),
  debug_traceCall: of(({ counter }) => [{ from: ALICE, to: counter }, "latest", { tracer: "callTracer" }]),
  debug_traceCallMany: of(({ counter }) => [
    [{ transactions: [{ from: ALICE, to: counter }] }],
    { blockNumber: "latest" },
    { tracer: "callTracer" },
  ]),
  eth_callMany: of(({ counter }) => [[{ transactions: [{ from: ALICE, to: counter }] }], { blockNumber: "latest" }]),
  debug_storageRangeAt: of(({ loggedBlock, counter }) => [loggedBlock, 0, counter, "0x00", 10]),
  debug_accountRange: of(["latest", "0x00", 5, true, true]),
  debug_getModifiedAccountsByNumber: of([7], [5, 7]),
  debug_getModifiedAccountsByHash: of(({ loggedBlock }) => [loggedBlock]),
  debug_intermediateRoots: of(({ loggedBlock }) => [loggedBlock]),
  debug_traceBlockByNumber: of(["0x7", { tracer: "callTracer" }]),
  debug_traceBlockByHash: of(({ loggedBlock }) => [loggedBlock, { tracer: "callTracer" }]),
  debug_traceBlock: [
    { before: [["debug_getRawBlock", ["0x5"]]], params: (_story, last) => [last, { tracer: "callTracer" }] },
  ],
  erigon_getHeaderByNumber: of([5], ["latest"], ["0x99"]),
  ots_getApiLevel: of([]),
  ots_hasCode: of(({ counter }) => [counter, "latest"], [BOB, 5]),
  ots_getInternalOperations: of(({ nested }) => [nested]),
  ots_getTransactionError: of(({ nested }) => [nested], [ANY_DATA]),
  ots_traceTransaction: of(({ nested }) => [nested], [ANY_DATA]),
  ots_getBlockDetails: of([5], ["0x7"], ["pending"], [999]),
  ots_getBlockDetailsByHash: of(({ sideBlock }) => [sideBlock], [ANY_DATA]),
  ots_getBlockTransactions: of([7, 0, 2], ["0x7", 1, 2], [999, 0, 1]),
  ots_searchTransactionsBefore: of([ALICE, 0, 3], ({ counter }) => [counter, 8, 1]),
  ots_searchTransactionsAfter: of([ALICE, 0, 3], ({ counter }) => [counter, 5, 1]),
  ots_getTransactionBySenderAndNonce: of([ALICE, 4], [ALICE, "0x99"]),
  ots_getContractCreator: of(({ counter }) => [counter], [BOB]),
  debug_getRawBlock: of(["0x5"]),
  debug_getRawHeader: of(["0x5"]),
  debug_getRawReceipts: of(["0x5"]),
  debug_getRawBlockAccessList: of(["0x5"]),
  debug_getBadBlocks: of([]),
  debug_getRawTransaction: of(({ logged }) => [logged]),
  debug_getRawTransactions: of(["0x5"], ["0x99"]),
  debug_accountInfoAt: of(({ loggedBlock, counter }) => [loggedBlock, 0, counter], ["0x5", 99, ALICE]),
  debug_traceBadBlock: of([ANY_DATA]),
  testing_buildBlockV1: of(({ headHash }) => [
    headHash,
    {
      timestamp: quantity(NOW + 1_000),
      prevRandao: wordText(1),
      suggestedFeeRecipient: BOB,
      withdrawals: [],
      parentBeaconBlockRoot: wordText(2),
    },
    [],
  ]),
  anvil_getAutomine: of([]),
  anvil_getIntervalMining: of([]),
  anvil_nodeInfo: of([]),
  hindcast_nodeInfo: of([]),
  hindcast_status: of([]),
  hindcast_takeOver: of([]),
  hindcast_stream: of([{ token: "of a chain that is not shared" }]),
  hindcast_streamBase: of([{ token: "of a chain that is not shared", chunk: 0 }]),
  hindcast_forward: of([
    {
      token: "of a chain that is not shared",
      position: { incarnation: `0x${"00".repeat(16)}`, sequence: "0x0", hash: ANY_DATA },
      method: "eth_chainId",
      params: [],
    },
  ]),
  anvil_metadata: of([]),
};

/** In an order in which each finds what it needs and leaves the node mining with each transaction. */
const WRITES: Readonly<Record<string, readonly Recording[]>> = {
  eth_sendTransaction: of([TRANSFER], ({ emitter }) => [{ from: BOB, to: emitter, data: logCall([1]) }]),
  eth_sendRawTransaction: of(({ rawTransaction }) => [rawTransaction]),
  eth_sendRawTransactionSync: after(
    [["eth_signTransaction", [{ ...WAITING, from: DAVE, nonce: "0x0", gasPrice: quantity(2_000_000_000) }]]],
    (_story, last) => [last as Hex],
  ),
  eth_sendRawTransactionConditional: [{ blockNumberMax: "0x1" }, { blockNumberMin: "0x1", knownAccounts: {} }].flatMap(
    (conditions) =>
      after(
        [["eth_signTransaction", [{ ...WAITING, from: DAVE, nonce: "0x1", gasPrice: quantity(2_000_000_000) }]]],
        (_story, last) => [last as Hex, conditions],
      ),
  ),
  eth_sendTransactionSync: of([TRANSFER]),
  eth_sendUnsignedTransaction: of([{ ...WAITING, from: CAROL }]),
  eth_resend: [
    ...after(
      [
        ["evm_setAutomine", [false]],
        ["eth_sendTransaction", [{ ...WAITING, from: DAVE, nonce: "0x2" }]],
      ],
      [{ from: DAVE, nonce: "0x2" }, quantity(20_000_000_000)],
    ),
    ...after(
      [
        ["anvil_dropAllTransactions", []],
        ["evm_setAutomine", [true]],
      ],
      [{ from: DAVE, nonce: "0x2" }],
    ),
  ],
  txpool_status: pooled([]),
  txpool_content: pooled([]),
  txpool_contentFrom: pooled([ALICE]),
  txpool_inspect: pooled([]),
  evm_mine: of([], [{ blocks: 2 }]),
  evm_mine_detailed: of([]),
  anvil_mine: of(["0x3", "0xc"]),
  hindcast_mine: of([{ blocks: 1 }]),
  hindcast_mineSideBlock: of([]),
  evm_setAutomine: of([false], [true]),
  miner_stop: of([]),
  miner_start: of([]),
  evm_setIntervalMining: after([["evm_setAutomine", [true]]], [0]),
  hardhat_setIntervalMining: of([0]),
  anvil_setCoinbase: after([["evm_setAutomine", [true]]], [BOB]),
  miner_setEtherbase: of([BOB]),
  miner_setExtra: of(["0x1234"]),
  evm_setBlockGasLimit: of([quantity(20_000_000)]),
  anvil_setNextBlockBaseFeePerGas: of([quantity(5)]),
  anvil_setMinGasPrice: of(["0x0"]),
  miner_setGasPrice: of(["0x1"]),
  anvil_impersonateSignature: of([`0x${"11".repeat(65)}`, BOB]),
  anvil_dealERC20: withToken([BOB, TOKEN, "0x5"]),
  tenderly_setErc20Balance: withToken([TOKEN, BOB, "0x5"]),
  anvil_setERC20Allowance: withToken([ALICE, BOB, TOKEN, "0x5"]),
  anvil_setPrevRandao: of([wordText(5)]),
  evm_increaseTime: of([60]),
  evm_setTime: of([quantity(NOW + 10_000)]),
  evm_setNextBlockTimestamp: of([quantity(NOW + 20_000)]),
  anvil_setBlockTimestampInterval: of([12]),
  hardhat_setBlockTimestampInterval: of([12_000]),
  anvil_removeBlockTimestampInterval: of([]),
  anvil_setBalance: of([DAVE, "0xde0b6b3a7640000"]),
  evm_setAccountBalance: of([DAVE, "0x1bc16d674ec80000"]),
  anvil_addBalance: of([DAVE, "0x5"]),
  anvil_setNonce: of([addressText(0x42), "0x5"]),
  anvil_setCode: of([addressText(0x42), "0x6001"]),
  evm_setAccountCode: of([addressText(0x42), "0x6002"]),
  anvil_setStorageAt: of([addressText(0x42), "0x0", wordText(1)]),
  anvil_impersonateAccount: of([addressText(0x42)]),
  anvil_stopImpersonatingAccount: of([addressText(0x42)]),
  anvil_autoImpersonateAccount: of([true], [false]),
  evm_addAccount: of([addressText(0x43), "password"]),
  evm_removeAccount: of([addressText(0x43), "password"]),
  anvil_dropTransaction: after(
    [
      ["evm_setAutomine", [false]],
      ["eth_sendTransaction", [WAITING]],
    ],
    (_story, last) => [last],
  ),
  hardhat_dropTransaction: after(
    [
      ["evm_setAutomine", [false]],
      ["eth_sendTransaction", [WAITING]],
    ],
    (_story, last) => [last],
  ),
  anvil_dropAllTransactions: of([]),
  anvil_removePoolTransactions: of([ALICE]),
  evm_increaseBlocks: of(["0x2"]),
  personal_importRawKey: of([ANY_DATA, "password"]),
  personal_unlockAccount: of([ALICE, "", 0], [addressText(0x99), "", 0]),
  personal_lockAccount: of([addressText(0x99)]),
  personal_sendTransaction: of([TRANSFER, ""]),
  wallet_sendCalls: of(
    [{ version: "2.0.0", id: "batch", calls: [TRANSFER, TRANSFER] }],
    [{ calls: [TRANSFER], capabilities: { other: {} } }],
  ),
  wallet_getCallsStatus: of(["batch"], ["other"]),
  wallet_showCallsStatus: of(["batch"], ["other"]),
  debug_setHead: of(["0x5"], ["0x99"]),
  evm_snapshot: after([["evm_setAutomine", [true]]], []),
  evm_revert: after([["evm_snapshot", []]], (_story, last) => [last]),
  anvil_rollback: of([1]),
  anvil_reorg: of([1, []]),
  anvil_setLoggingEnabled: of([true]),
  anvil_setChainId: of([31_337]),
  anvil_setRpcUrl: of(["http://127.0.0.1:1"]),
  anvil_reset: of([]),
};

/** Requests that change nothing, by method name and in the order to run them. */
export const READING: ReadonlyMap<string, readonly Recording[]> = new Map(Object.entries(READS));

/** Requests that change the chain or the node, by method name and in the order to run them. */
export const WRITING: ReadonlyMap<string, readonly Recording[]> = new Map(Object.entries(WRITES));

// Requests for the examples of the OpenRPC document, and what a fresh chain answers to them. Pure but for the nodes that
// it is handed.

const ALICE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const BOB = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const CAROL = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
// Keccak-256 of nothing, and of ALICE.
const EMPTY_CODE_HASH = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const ALICE_HASH = "0xe9707d0e6171f728f7473c24cc0432a9b07eaaf1efed6a137a4a8c12c79552d9";
const ZERO_WORD = `0x${"00".repeat(32)}`;
// Deploys a contract that logs one topic, 42, whatever it is sent.
const LOGGER = "0x67602a60006000a10060005260086018f3";
const LOGGER_ADDRESS = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
// Answers balanceOf(owner) and allowance(owner, spender) from the slot that is the hash of its arguments.
const TOKEN = "0x6040600460003760406000205460005260206000f3";
const TOKEN_ADDRESS = "0x00000000000000000000000000000000000070ce";
const transfer = { from: ALICE, to: BOB, value: "0xde0b6b3a7640000" };
const call = { from: ALICE, to: LOGGER_ADDRESS };

/** Requests to each chain, in order; params are values, or a function of earlier answers. */
const SCENARIO = [
  {
    options: {},
    requests: [
      ["web3_clientVersion"],
      ["web3_sha3", "0x68656c6c6f"],
      ["net_version"],
      ["net_listening"],
      ["net_peerCount"],
      ["rpc_modules"],
      ["eth_chainId"],
      ["eth_syncing"],
      ["eth_accounts"],
      ["eth_requestAccounts"],
      ["eth_coinbase"],
      ["eth_mining"],
      ["eth_networkId"],
      ["eth_protocolVersion"],
      ["eth_hashrate"],
      ["eth_getWork"],
      ["eth_submitWork", "0x0000000000000001", ZERO_WORD, ZERO_WORD],
      ["eth_submitHashrate", "0x500000", ZERO_WORD],
      ["eth_gasPrice"],
      ["eth_maxPriorityFeePerGas"],
      ["eth_config"],
      ["eth_newFilter", { topics: [] }],
      ["eth_newBlockFilter"],
      ["eth_newPendingTransactionFilter"],
      ["eth_subscribe", "newHeads"],
      ["eth_unsubscribe", ({ eth_subscribe: { result } }) => result],
      ["eth_sendTransaction", { from: ALICE, data: LOGGER }],
      ["eth_signTransaction", { ...call, gas: "0x186a0", nonce: "0x1" }],
      ["eth_sendRawTransaction", ({ eth_signTransaction: { result } }) => result],
      ["eth_getFilterChanges", ({ eth_newFilter: { result } }) => result],
      ["eth_getFilterLogs", ({ eth_newFilter: { result } }) => result],
      ["eth_uninstallFilter", ({ eth_newFilter: { result } }) => result],
      ["debug_executionWitness", "0x1"],
      ["debug_subscribe", "traceChain", "0x0", "0x1", { tracer: "callTracer" }],
      ["debug_unsubscribe", ({ debug_subscribe: { result } }) => result],
      ["eth_blockNumber"],
      ["eth_capabilities"],
      ["eth_baseFee"],
      ["eth_blobBaseFee"],
      ["eth_feeHistory", "0x1", "latest", [50]],
      ["eth_getBalance", BOB, "latest"],
      ["eth_getCode", LOGGER_ADDRESS, "latest"],
      ["eth_getStorageAt", LOGGER_ADDRESS, "0x0", "latest"],
      ["eth_getStorageValues", { [LOGGER_ADDRESS]: [ZERO_WORD] }, "latest"],
      ["eth_getTransactionCount", ALICE, "latest"],
      ["eth_getAccount", LOGGER_ADDRESS, "latest"],
      ["eth_getAccountInfo", LOGGER_ADDRESS, "latest"],
      ["eth_getProof", LOGGER_ADDRESS, ["0x0"], "latest"],
      ["eth_getBlockByNumber", "0x1", false],
      ["eth_getBlockByHash", ({ eth_getBlockByNumber: { result } }) => result.hash, false],
      ["eth_getHeaderByNumber", "0x1"],
      ["eth_getHeaderByHash", ({ eth_getBlockByNumber: { result } }) => result.hash],
      ["eth_getBlockReceipts", "0x2"],
      ["eth_getBlockTransactionCountByNumber", "0x1"],
      ["eth_getBlockTransactionCountByHash", ({ eth_getBlockByNumber: { result } }) => result.hash],
      ["eth_getTransactionByHash", ({ eth_sendRawTransaction: { result } }) => result],
      ["eth_getTransactionByBlockNumberAndIndex", "0x1", "0x0"],
      ["debug_executionWitnessByBlockHash", ({ eth_getBlockByNumber: { result } }) => result.hash],
      ["eth_getTransactionByBlockHashAndIndex", ({ eth_getBlockByNumber: { result } }) => result.hash, "0x0"],
      ["eth_getTransactionBySenderAndNonce", ALICE, "0x1"],
      ["eth_getTransactionReceipt", ({ eth_sendRawTransaction: { result } }) => result],
      ["eth_getRawTransactionByHash", ({ eth_sendRawTransaction: { result } }) => result],
      ["eth_getRawTransactionByBlockNumberAndIndex", "0x2", "0x0"],
      ["eth_getRawTransactionByBlockHashAndIndex", ({ eth_getBlockByNumber: { result } }) => result.hash, "0x0"],
      ["eth_getLogs", { fromBlock: "0x0", address: LOGGER_ADDRESS }],
      ["eth_call", call, "latest"],
      ["eth_estimateGas", transfer],
      ["eth_createAccessList", call, "latest"],
      ["eth_simulateV1", { blockStateCalls: [{ calls: [transfer] }] }, "latest"],
      [
        "eth_callBundle",
        ({ eth_signTransaction: { result } }) => ({ txs: [result], blockNumber: "0x2", stateBlockNumber: "0x1" }),
      ],
      ["eth_callMany", [{ transactions: [call] }]],
      ["tenderly_simulateTransaction", transfer],
      ["tenderly_simulateBundle", [transfer]],
      ["tenderly_traceTransaction", ({ eth_sendRawTransaction: { result } }) => result],
      ["eth_sign", ALICE, "0x68656c6c6f"],
      ["personal_sign", "0x68656c6c6f", ALICE],
      ["personal_ecRecover", "0x68656c6c6f", ({ personal_sign: { result } }) => result],
      ["personal_listAccounts"],
      [
        "eth_signTypedData_v4",
        ALICE,
        {
          types: { Order: [{ name: "amount", type: "uint256" }] },
          primaryType: "Order",
          domain: { name: "Shop", chainId: 31_337 },
          message: { amount: "7" },
        },
      ],
      ["eth_fillTransaction", transfer],
      ["erigon_getHeaderByNumber", 1],
      ["hindcast_explainTransaction", ({ eth_sendRawTransaction: { result } }) => result],
      ["hindcast_explainCall", call],
      ["hindcast_gasProfile", ({ eth_sendRawTransaction: { result } }) => result],
      ["hindcast_gasProfileCall", call],
      [
        "hindcast_compareHardforks",
        { calls: [{ from: ALICE, to: LOGGER_ADDRESS }], hardforks: ["osaka", "amsterdam"] },
      ],
      ["hindcast_estimateGas", transfer],
      ["hindcast_coverageStart"],
      ["hindcast_coverageReport"],
      ["hindcast_coverageStop"],
      ["hindcast_stateChanges", ({ eth_sendRawTransaction: { result } }) => result],
      ["hindcast_getCalls", ({ eth_sendRawTransaction: { result } }) => result],
      ["hindcast_getSteps", ({ eth_sendRawTransaction: { result } }) => result, { count: 2 }],
      ["hindcast_getStep", ({ eth_sendRawTransaction: { result } }) => result, 2],
      ["hindcast_getRecording", ({ eth_sendRawTransaction: { result } }) => result],
      ["hindcast_getRecordedSteps", ({ eth_sendRawTransaction: { result } }) => result, { count: 1 }],
      ["hindcast_getRecordedStorage", ({ eth_sendRawTransaction: { result } }) => result, LOGGER_ADDRESS, ["0x0"]],
      ["hindcast_getBuilds", ({ eth_sendRawTransaction: { result } }) => result],
      ["hindcast_getContract", LOGGER_ADDRESS],
      ["hindcast_getStorage", LOGGER_ADDRESS],
      ["hindcast_getSources", LOGGER_ADDRESS],
      ["hindcast_getBlocks", { count: 1 }],
      ["ots_getApiLevel"],
      ["ots_hasCode", LOGGER_ADDRESS, "latest"],
      ["ots_getInternalOperations", ({ eth_sendRawTransaction: { result } }) => result],
      ["ots_getTransactionError", ({ eth_sendRawTransaction: { result } }) => result],
      ["ots_traceTransaction", ({ eth_sendRawTransaction: { result } }) => result],
      ["ots_getBlockDetails", 2],
      ["ots_getBlockDetailsByHash", ({ eth_getBlockByNumber: { result } }) => result.hash],
      ["ots_getBlockTransactions", 2, 0, 5],
      ["ots_searchTransactionsBefore", ALICE, 0, 1],
      ["ots_searchTransactionsAfter", ALICE, 0, 1],
      ["ots_getTransactionBySenderAndNonce", ALICE, 0],
      ["ots_getContractCreator", LOGGER_ADDRESS],
      ["debug_getRawBlock", "0x0"],
      ["debug_getRawHeader", "0x0"],
      ["debug_getBadBlocks"],
      ["debug_getRawReceipts", "0x1"],
      ["debug_getRawTransaction", ({ eth_sendRawTransaction: { result } }) => result],
      ["debug_traceTransaction", ({ eth_sendRawTransaction: { result } }) => result, { tracer: "callTracer" }],
      ["debug_traceBlockByNumber", "0x2", { tracer: "callTracer" }],
      ["debug_traceBlockByHash", ({ eth_getBlockByNumber: { result } }) => result.hash, { tracer: "4byteTracer" }],
      ["debug_traceCall", call, "latest", {}],
      ["debug_traceCallMany", [{ transactions: [call] }], {}, { tracer: "callTracer" }],
      ["debug_storageRangeAt", ({ eth_getBlockByNumber: { result } }) => result.hash, 0, LOGGER_ADDRESS, "0x00", 10],
      ["debug_accountRange", "latest", "0x", 1, true, true, false],
      ["debug_getModifiedAccountsByNumber", "0x1"],
      ["debug_getModifiedAccountsByHash", ({ eth_getBlockByNumber: { result } }) => result.hash],
      ["debug_codeByHash", EMPTY_CODE_HASH],
      ["debug_dbGet", `0x63${EMPTY_CODE_HASH.slice(2)}`],
      ["debug_preimage", ALICE_HASH],
      ["debug_chainConfig"],
      ["debug_dumpBlock", "earliest"],
      ["debug_intermediateRoots", ({ eth_getBlockByNumber: { result } }) => result.hash],
      ["trace_block", "0x2"],
      ["trace_transaction", ({ eth_sendRawTransaction: { result } }) => result],
      ["trace_transactionOpcodeGas", ({ eth_sendRawTransaction: { result } }) => result],
      ["trace_blockOpcodeGas", "0x2"],
      ["trace_get", ({ eth_sendRawTransaction: { result } }) => result, []],
      ["trace_filter", { fromBlock: "0x1", toBlock: "latest", toAddress: [LOGGER_ADDRESS], count: 1 }],
      ["trace_call", call, ["trace"], "latest"],
      ["trace_callMany", [[transfer, ["trace", "stateDiff"]]], "latest"],
      ["trace_rawTransaction", ({ eth_signTransaction: { result } }) => result, ["trace"], "0x1"],
      ["trace_replayTransaction", ({ eth_sendRawTransaction: { result } }) => result, ["trace"]],
      ["trace_replayBlockTransactions", "0x2", ["stateDiff"]],
      [
        "testing_buildBlockV1",
        ({ eth_getBlockByNumber: { result } }) => result.hash,
        {
          timestamp: "0x6553f200",
          prevRandao: ZERO_WORD,
          suggestedFeeRecipient: CAROL,
          withdrawals: [],
          parentBeaconBlockRoot: ZERO_WORD,
        },
        [],
      ],
      ["debug_traceBlock", ({ testing_buildBlockV1 }, ask) => rawBlockOf(ask, testing_buildBlockV1), {}],
      ["evm_snapshot"],
      ["evm_setAutomine", false],
      ["eth_sendUnsignedTransaction", { ...transfer, from: CAROL, gas: "0x5208" }],
      ["eth_sendTransaction", { ...transfer, gas: "0x5208" }],
      ["eth_pendingTransactions"],
      ["txpool_status"],
      ["txpool_content"],
      ["txpool_contentFrom", ALICE],
      ["txpool_inspect"],
      ["anvil_dropTransaction", ({ eth_sendUnsignedTransaction: { result } }) => result],
      ["anvil_removePoolTransactions", ALICE],
      ["anvil_dropAllTransactions"],
      ["anvil_getAutomine"],
      ["evm_mine"],
      ["anvil_mine", "0x2", "0xc"],
      ["anvil_mine_detailed", {}],
      ["hindcast_mine", { blocks: 1 }],
      ["miner_start"],
      ["miner_stop"],
      ["evm_setIntervalMining", 0],
      ["hardhat_setIntervalMining", 0],
      ["anvil_getIntervalMining"],
      ["evm_setAutomine", true],
      ["eth_sendTransactionSync", transfer],
      ["eth_signTransaction", { ...transfer, gas: "0x5208" }],
      ["eth_sendRawTransactionSync", ({ eth_signTransaction: { result } }) => result, 1000],
      ["anvil_rollback", 1],
      ["anvil_reorg", 1, []],
      ["anvil_setCoinbase", CAROL],
      ["miner_setEtherbase", CAROL],
      ["miner_setExtra", "0x68656c6c6f"],
      ["evm_setBlockGasLimit", "0x1c9c380"],
      ["anvil_setNextBlockBaseFeePerGas", "0x3b9aca00"],
      ["anvil_setPrevRandao", ZERO_WORD],
      ["evm_increaseTime", 60],
      ["evm_setTime", 1_700_001_000],
      ["evm_setNextBlockTimestamp", 1_700_002_000],
      ["anvil_setBlockTimestampInterval", 12],
      ["hardhat_setBlockTimestampInterval", 12_000],
      ["anvil_removeBlockTimestampInterval"],
      ["anvil_setBalance", BOB, "0xde0b6b3a7640000"],
      ["anvil_addBalance", BOB, "0x1"],
      ["anvil_setCode", CAROL, "0x00"],
      ["anvil_setNonce", CAROL, "0x5"],
      ["anvil_setStorageAt", CAROL, "0x0", ZERO_WORD],
      ["evm_setAccountBalance", BOB, "0xde0b6b3a7640000"],
      ["evm_setAccountCode", CAROL, "0x"],
      ["anvil_setCode", TOKEN_ADDRESS, TOKEN],
      ["anvil_dealERC20", BOB, TOKEN_ADDRESS, "0x64"],
      ["tenderly_setErc20Balance", TOKEN_ADDRESS, BOB, "0x65"],
      ["anvil_setERC20Allowance", BOB, CAROL, TOKEN_ADDRESS, "0x66"],
      ["anvil_impersonateAccount", LOGGER_ADDRESS],
      ["anvil_stopImpersonatingAccount", LOGGER_ADDRESS],
      ["anvil_autoImpersonateAccount", false],
      ["evm_addAccount", LOGGER_ADDRESS, ""],
      ["evm_removeAccount", LOGGER_ADDRESS, ""],
      ["anvil_setChainId", 31_337],
      ["personal_importRawKey", "11".repeat(32), "secret"],
      ["personal_unlockAccount", ({ personal_importRawKey: { result } }) => result, "secret", 60],
      ["personal_lockAccount", ({ personal_importRawKey: { result } }) => result],
      ["anvil_setLoggingEnabled", true],
      ["anvil_nodeInfo"],
      ["anvil_metadata"],
      ["evm_revert", "0x0"],
      ["debug_setHead", "0x1"],
      ["anvil_getGenesisTime"],
      ["evm_increaseBlocks", "0x2"],
      ["anvil_reset"],
    ],
  },
  {
    options: { hardfork: "berlin" },
    requests: [
      ["evm_mine"],
      ["hindcast_mineSideBlock", {}],
      ["hindcast_mine", ({ hindcast_mineSideBlock: { result } }) => ({ uncles: [result] })],
      ["eth_getUncleCountByBlockNumber", "0x2"],
      ["eth_getUncleByBlockNumberAndIndex", "0x2", "0x0"],
      ["eth_getUncleCountByBlockHash", ({ hindcast_mine: { result } }) => result[0]],
      ["eth_getUncleByBlockHashAndIndex", ({ hindcast_mine: { result } }) => result[0], "0x0"],
      ["anvil_setMinGasPrice", "0x1"],
      ["miner_setGasPrice", "0x1"],
    ],
  },
  {
    options: { hardfork: "amsterdam" },
    requests: [
      ["evm_mine"],
      ["hindcast_mine", {}],
      ["eth_getBlockAccessList", "0x1"],
      ["eth_getBlockAccessListByBlockHash", ({ hindcast_mine: { result } }) => result[0]],
      ["eth_getBlockAccessListByBlockNumber", "0x1"],
      ["debug_getRawBlockAccessList", "0x1"],
    ],
  },
];

/** RLP of the second block of the chain. */
function rawBlockOf(ask) {
  return ask("debug_getRawBlock", "0x2");
}

/** Values that differ between runs: ids of filters, subscriptions and the node. */
const RANDOM = {
  eth_newFilter: "0x8d4b5bd52ba11d9e4a5b2f6a6cd5b0f1",
  eth_newBlockFilter: "0x3f0ac7d51a3f4f8b9d2d5b1d2f1c6e7a",
  eth_newPendingTransactionFilter: "0x51c6a5d8e2f94a2f8b7e3d2c1b0a9f8e",
  eth_subscribe: "0x9ce59a13059e417087c02d3236a0b1cc",
  debug_subscribe: "0x6b1f0c7e52a94d3c8e0f1a2b3c4d5e6f",
};
const INSTANCE_ID = `0x${"42".repeat(32)}`;

/**
 * Runs the requests and gives, by method, the first of each with its answer.
 *
 * @param createNode the library's
 * @returns {Promise<Record<string, {params: unknown[], result: unknown}>>}
 */
export async function runExamples(createNode) {
  const examples = {};
  for (const { options, requests } of SCENARIO) {
    const node = await createNode({ clock: () => 1_700_000_000, ...options });
    try {
      const ask = (method, ...params) => node.provider.request({ method, params });
      const seen = {};
      for (const [method, ...wanted] of requests) {
        const params = await Promise.all(wanted.map((each) => (typeof each === "function" ? each(seen, ask) : each)));
        const result = await ask(method, ...params);
        seen[method] = { params, result };
        examples[method] ??= { params, result };
      }
    } finally {
      await node.close();
    }
  }
  return settled(examples);
}

/** The same with fixed values for random ones, wherever they appear. */
function settled(examples) {
  let text = JSON.stringify(examples);
  for (const [method, id] of Object.entries(RANDOM)) text = text.replaceAll(examples[method].result, id);
  text = text.replaceAll(examples.anvil_metadata.result.instanceId, INSTANCE_ID);
  return JSON.parse(text);
}

const MODULE_HEAD = `/**
 * Requests and what a fresh development chain answers to them: one line a method, hence the length of lines and file.
 * Renewed by \`npm run docs\`; a test runs them.
 */
// biome-ignore-all format: generated; a line shows one method, as it travels, so that a change of one is a change of its line.

export interface Example {
  readonly params: readonly unknown[];
  readonly result: unknown;
}

/** By method name. */
export type Examples = Readonly<Record<string, Example>>;

/** By method. */
export const EXAMPLES: Examples = {
`;

/** The source text of the module that holds the examples. */
export function exampleModule(examples) {
  const lines = Object.entries(examples).map(([method, example]) => `  ${method}: ${JSON.stringify(example)},\n`);
  return `${MODULE_HEAD}${lines.join("")}};\n`;
}

/** The names of methods that Anvil and geth have: this node has each, or says what to do in its place. */
import { expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { insteadOfMethod } from "../../../src/rpc/requests/absent-methods.ts";

/** By the beginning of the name. Anvil 1.7.1: its documented methods with their other names. */
const ANVIL = {
  web3: `
    clientVersion sha3`,
  eth: `
    accounts baseFee blobBaseFee blockNumber call chainId coinbase config createAccessList estimateGas
    feeHistory fillTransaction gasPrice getAccount getAccountInfo getBalance getBlockAccessListRaw
    getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash
    getBlockTransactionCountByNumber getCode getFilterChanges getFilterLogs getLogs getProof
    getRawTransactionByBlockHashAndIndex getRawTransactionByBlockNumberAndIndex getRawTransactionByHash
    getStorageAt getStorageValues getTransactionByBlockHashAndIndex getTransactionByBlockNumberAndIndex
    getTransactionByHash getTransactionBySenderAndNonce getTransactionCount getTransactionReceipt
    getUncleByBlockHashAndIndex getUncleByBlockNumberAndIndex getUncleCountByBlockHash
    getUncleCountByBlockNumber getWork hashrate maxPriorityFeePerGas networkId newBlockFilter newFilter
    newPendingTransactionFilter protocolVersion requestAccounts resend sendRawTransaction
    sendRawTransactionConditional sendRawTransactionSync sendTransaction sendTransactionSync
    sendUnsignedTransaction sign signTransaction signTypedData signTypedData_v3 signTypedData_v4 simulateV1
    submitHashrate submitWork subscribe syncing uninstallFilter unsubscribe`,
  net: `
    listening version`,
  personal: `
    sign`,
  anvil: `
    addBalance addCapability autoImpersonateAccount dealERC20 dealErc20 dropAllTransactions dropTransaction
    dumpState enableTraces getAutomine getBlobByHash getBlobByVersionedHash getBlobSidecarsByBlockId
    getBlobsByTransactionHash getGenesisTime getIntervalMining impersonateAccount impersonateSignature
    increaseTime loadState metadata mine mine_detailed nodeInfo removeBlockTimestampInterval
    removePoolTransactions reorg reset revert rollback setAutomine setBalance setBlockGasLimit
    setBlockTimestampInterval setChainId setCode setCoinbase setERC20Allowance setErc20Allowance setExecutor
    setIntervalMining setLoggingEnabled setMinGasPrice setNextBlockBaseFeePerGas setNextBlockTimestamp
    setNonce setRpcUrl setStorageAt setTime snapshot stopImpersonatingAccount`,
  debug: `
    accountInfoAt clearTxpool codeByHash dbGet getRawBlock getRawHeader getRawReceipts getRawTransaction
    getRawTransactions traceBlockByHash traceBlockByNumber traceCall traceTransaction`,
  trace: `
    block call filter get replayBlockTransactions transaction`,
  hardhat: `
    addBalance autoImpersonateAccount dealERC20 dropAllTransactions dropTransaction dumpState getAutomine
    impersonateAccount loadState metadata mine reset setBalance setCode setCoinbase setLoggingEnabled
    setMinGasPrice setNextBlockBaseFeePerGas setNonce setStorageAt stopImpersonatingAccount`,
  evm: `
    increaseTime mine mine_detailed revert setAccountNonce setAutomine setBlockGasLimit setIntervalMining
    setNextBlockTimestamp setTime snapshot`,
  tenderly: `
    addBalance setBalance`,
  txpool: `
    content inspect status`,
  erigon: `
    getHeaderByNumber`,
  ots: `
    getApiLevel getBlockDetails getBlockDetailsByHash getBlockTransactions getContractCreator
    getInternalOperations getTransactionBySenderAndNonce getTransactionError hasCode searchTransactionsAfter
    searchTransactionsBefore traceTransaction`,
  wallet: `
    getCapabilities sendTransaction`,
};
/** geth 1.16: the methods of its documentation and of `rpc_modules`. */
const GETH = {
  debug: `
    accountRange backtraceAt blockProfile chainConfig chaindbCompact chaindbProperty cpuProfile dbAncient
    dbAncients dbGet dumpBlock executionWitness executionWitnessByHash freeOSMemory gcStats
    getAccessibleState getBadBlocks getModifiedAccountsByHash getModifiedAccountsByNumber getRawBlock
    getRawHeader getRawReceipts getRawTransaction getTrieFlushInterval goTrace intermediateRoots memStats
    mutexProfile preimage printBlock setBlockProfileRate setGCPercent setHead setMemoryLimit
    setMutexProfileFraction setTrieFlushInterval stacks standardTraceBadBlockToFile standardTraceBlockToFile
    startCPUProfile startGoTrace stateSize stopCPUProfile stopGoTrace storageRangeAt subscribe sync
    traceBadBlock traceBlock traceBlockByHash traceBlockByNumber traceBlockFromFile traceCall traceChain
    traceTransaction verbosity vmodule writeBlockProfile writeMemProfile writeMutexProfile`,
  admin: `
    addPeer addTrustedPeer datadir exportChain importChain nodeInfo peerEvents peers removePeer
    removeTrustedPeer startHTTP startWS stopHTTP stopWS`,
  eth: `
    accounts baseFee blobBaseFee blockNumber call chainId config createAccessList estimateGas feeHistory
    fillTransaction gasPrice getBalance getBlockByHash getBlockByNumber getBlockReceipts
    getBlockTransactionCountByHash getBlockTransactionCountByNumber getCode getFilterChanges getFilterLogs
    getHeaderByHash getHeaderByNumber getLogs getProof getRawTransactionByBlockHashAndIndex
    getRawTransactionByBlockNumberAndIndex getRawTransactionByHash getStorageAt getStorageValues
    getTransactionByBlockHashAndIndex getTransactionByBlockNumberAndIndex getTransactionByHash
    getTransactionCount getTransactionReceipt getUncleByBlockHashAndIndex getUncleByBlockNumberAndIndex
    getUncleCountByBlockHash getUncleCountByBlockNumber maxPriorityFeePerGas newBlockFilter newFilter
    newPendingTransactionFilter pendingTransactions resend sendRawTransaction sendRawTransactionSync
    sendTransaction sign signTransaction simulateV1 subscribe syncing uninstallFilter unsubscribe`,
  miner: `
    setExtra setGasLimit setGasPrice start stop`,
  net: `
    listening peerCount version`,
  rpc: `
    modules`,
  testing: `
    buildBlockV1`,
  txpool: `
    content contentFrom inspect status`,
  web3: `
    clientVersion sha3`,
  clique: `
    getSigners propose`,
};

const namesOf = (lists: Readonly<Record<string, string>>): string[] =>
  Object.entries(lists).flatMap(([begin, ends]) =>
    ends
      .trim()
      .split(/\s+/)
      .map((end) => `${begin}_${end}`),
  );
const known = new Set<string>(methods.map(({ name }) => name));

it.each([
  ["Anvil", ANVIL],
  ["geth", GETH],
])("every method of %s is here, or refused with the way that exists", (_client, lists) => {
  const names = namesOf(lists);
  expect(names.filter((name) => !known.has(name) && insteadOfMethod(name) === undefined)).toEqual([]);
  expect(names.filter((name) => known.has(name) && insteadOfMethod(name) !== undefined)).toEqual([]);
});

it("no method of this node is refused", () => {
  expect([...known].filter((name) => insteadOfMethod(name) !== undefined)).toEqual([]);
});

it.each([
  ["debug_freeOSMemory", /geth's process.*--heap-prof/],
  ["debug_standardTraceBlockToFile", /debug_traceBlockByHash/],
  ["admin_peers", /--fork-url/],
  ["debug_traceTransactionn", /Did you mean debug_traceTransaction\?/],
])("%s is refused by name with what to do", async (method, words) => {
  await using node = await createNode();
  const refused = node.provider.send(method).catch(({ message, fix }) => `${message} ${fix}`);
  expect(await refused).toMatch(/does not exist\/is not available/);
  expect(await refused).toMatch(words);
});

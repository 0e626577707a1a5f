/** Blocks, transactions and receipts; what a method answers for those that are not there. */
import { after, FIRST, NO_HASH, type Question, request, TO, told } from "./question.ts";

const SENT = ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208", value: "0x1" }] as const;

export const BLOCKS: readonly Question[] = [
  request("the number of the head", "eth_blockNumber"),
  request("the number of the head with a param", "eth_blockNumber", "0x0"),
  request("the chain's id", "eth_chainId"),
  request("whether it listens", "net_listening"),
  request("the number of peers", "net_peerCount"),
  request("whether it synchronises", "eth_syncing"),
  request("whether it mines", "eth_mining"),
  request("a hash of data", "web3_sha3", "0x68656c6c6f"),
  request("a hash of no hex", "web3_sha3", "hello"),
  request("a hash of nothing", "web3_sha3"),
  request("a block that is not there", "eth_getBlockByNumber", "0x64", false),
  request("a block by an unknown hash", "eth_getBlockByHash", NO_HASH, false),
  request("a block by a short hash", "eth_getBlockByHash", "0x12", false),
  request("a block by a hash without a flag", "eth_getBlockByHash", NO_HASH),
  request("a block by a number without a flag", "eth_getBlockByNumber", "0x64"),
  request("a block with a flag that is a text", "eth_getBlockByNumber", "0x0", "true"),
  request("a block by no number", "eth_getBlockByNumber"),
  request("a block by a number that is a hash", "eth_getBlockByNumber", NO_HASH, false),
  request("a block by null", "eth_getBlockByNumber", null, false),
  request("the number of a block's transactions", "eth_getBlockTransactionCountByNumber", "0x0"),
  request("the number of a pending block's transactions", "eth_getBlockTransactionCountByNumber", "pending"),
  request("the number of transactions of a block that is not there", "eth_getBlockTransactionCountByNumber", "0x64"),
  request("the number of transactions of a block by an unknown hash", "eth_getBlockTransactionCountByHash", NO_HASH),
  request("a transaction that is not there", "eth_getTransactionByHash", NO_HASH),
  request("a transaction by a short hash", "eth_getTransactionByHash", "0x12"),
  request("a transaction by no hash", "eth_getTransactionByHash"),
  request("a transaction of a block that is not there", "eth_getTransactionByBlockNumberAndIndex", "0x64", "0x0"),
  request("a transaction beyond a block's last", "eth_getTransactionByBlockNumberAndIndex", "0x0", "0x0"),
  request("a transaction of an unknown block", "eth_getTransactionByBlockHashAndIndex", NO_HASH, "0x0"),
  request("a receipt that is not there", "eth_getTransactionReceipt", NO_HASH),
  request("a receipt by a short hash", "eth_getTransactionReceipt", "0x12"),
  request("receipts of a block that is not there", "eth_getBlockReceipts", "0x64"),
  {
    asks: "a receipt of a waiting transaction",
    ask: async (node) => {
      await node.setAutomine(false);
      const { result } = await node.ask(...SENT);
      return told(await node.ask("eth_getTransactionReceipt", result));
    },
  },
  request("the tip", "eth_maxPriorityFeePerGas"),
  after("a transaction of the pending block", ["evm_setAutomine", false], SENT, [
    "eth_getBlockTransactionCountByNumber",
    "pending",
  ]),
  after("a nonce in the pending block", ["evm_setAutomine", false], SENT, [
    "eth_getTransactionCount",
    FIRST,
    "pending",
  ]),
  after("a balance in the pending block after a transfer", ["evm_setAutomine", false], SENT, [
    "eth_getBalance",
    TO,
    "pending",
  ]),
  request("fees of no blocks", "eth_feeHistory", "0x0", "latest", []),
  request("fees of too many blocks", "eth_feeHistory", "0x401", "latest", []),
  request("fees up to a block that is not there", "eth_feeHistory", "0x1", "0x64", []),
  request("fees with a percentile below zero", "eth_feeHistory", "0x1", "latest", [-1]),
  request("fees with a percentile above 100", "eth_feeHistory", "0x1", "latest", [50, 101]),
  request("fees with percentiles that descend", "eth_feeHistory", "0x1", "latest", [50, 20]),
  request("fees without percentiles", "eth_feeHistory", "0x1", "latest"),
  request("a trace of a transaction that is not there", "debug_traceTransaction", NO_HASH),
  request("a trace of a short hash", "debug_traceTransaction", "0x12"),
  request("a trace by a tracer that nobody has", "debug_traceTransaction", NO_HASH, { tracer: "nope" }),
  request("a trace of a call of a block that is not there", "debug_traceCall", { to: TO }, "0x64"),
  request("a proof beyond the head", "eth_getProof", FIRST, [], "0x64"),
];

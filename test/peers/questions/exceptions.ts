/** Where a dialect does not answer as its node, and why. */
import type { PeerName } from "../dialect-cases.ts";

interface Exception {
  readonly reason: string;
  readonly peers: readonly PeerName[];
  /** The questions. */
  readonly asks: readonly string[];
}

/** Each is a difference: the test of peers fails where there is none. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    reason:
      "it reads fewer forms of params; its dialect takes those of all nodes, since no script depends on a refusal",
    peers: ["hardhat 2", "hardhat 3"],
    asks: [
      "a balance that is a number is set",
      "code of half a byte is set",
      "a nonce that is a number is set",
      "fees without percentiles",
      "evm_mine with options",
      "an interval that is a text",
    ],
  },
  {
    reason:
      "it reads fewer forms of params; its dialect takes those of all nodes, since no script depends on a refusal",
    peers: ["hardhat 2"],
    asks: ["a call of no object", "a transaction of no object"],
  },
  {
    reason: "its parser reads the members of objects in another way",
    peers: ["hardhat 3"],
    asks: ["a trace by a tracer that nobody has"],
  },
  {
    reason: "its parser reads the members of objects in another way",
    peers: ["hardhat 2", "hardhat 3"],
    asks: [
      "a call with data and input",
      "a call with overrides of an unknown member",
      "a transaction with data and input that are equal",
      "logs of null topics",
      "logs of five topics",
    ],
  },
  {
    reason: "what a call or a filter contradicts is refused, as in geth",
    peers: ["hardhat 2", "hardhat 3"],
    asks: [
      "a call with another chain's id",
      "a call of a blob transaction's type",
      "an estimate with too little gas",
      "a filter by the hash of a block that is not there",
    ],
  },
  {
    reason: "it has EIP-7825's cap of a transaction's gas, which the option transactionGasCap sets",
    peers: ["hardhat 2", "hardhat 3"],
    asks: [
      "a call with more gas than a block",
      "a transaction with more gas than a block",
      "a transaction with more gas than the cap of a transaction",
      "a transaction with more gas than a block, with automine off",
    ],
  },
  {
    reason: "it reports an error without a reason; ours is a revert without one",
    peers: ["hardhat 3"],
    asks: ["a call of a creation with code that begins with 0xef", "a creation of code that begins with 0xef"],
  },
  {
    reason: "its estimates are one more than a transfer needs",
    peers: ["hardhat 2", "hardhat 3"],
    asks: [
      "an estimate of a transfer",
      "an estimate of a transfer in a block",
      "an estimate of more value than there is",
    ],
  },
  {
    reason: "its text depends on automine",
    peers: ["hardhat 2", "hardhat 3"],
    asks: ["a nonce that was used, with automine off"],
  },
  {
    reason: "it makes blocks only when they are asked for, without the base fee of EIP-1559",
    peers: ["hardhat 2", "hardhat 3"],
    asks: ["the base fee after many empty blocks"],
  },
  {
    reason: "it counts from the clock, a second less",
    peers: ["hardhat 2", "hardhat 3"],
    asks: ["time that is added adds up"],
  },
  {
    reason: "the mode of mining survives its revert; ours is that of the snapshot",
    peers: ["hardhat 2", "hardhat 3"],
    asks: ["settings after a revert"],
  },
  { reason: "in its process a connection cannot be reset", peers: ["hardhat 3"], asks: ["the chain after a reset"] },
  {
    reason: "its filters forget logs that were polled, and do not tell of removed ones",
    peers: ["hardhat 2", "hardhat 3"],
    asks: ["logs of a filter", "logs of a filter of blocks", "changes of a filter of logs after a revert"],
  },
  {
    reason:
      "it reads fewer, or other, forms of params; its dialect takes those of all nodes, since no script depends on a refusal",
    peers: ["anvil"],
    asks: [
      "a balance without a block",
      "a slot with too many bytes",
      "a slot that is a number",
      "code of half a byte is set",
      "a nonce of nine bytes is set",
      "a slot is set to a short value",
      "evm_mine with options",
      "an interval that is a text",
      "an interval with two ends",
      "a reset with an unknown member",
      "logs of an unknown member",
      "a filter by nope is removed",
    ],
  },
  {
    reason: "it answers an error where ours has none, or an answer where ours has an error",
    peers: ["anvil"],
    asks: [
      "the number of transactions of a block that is not there",
      "a trace of a transaction that is not there",
      "an access list of a call that reverts",
      "a revert to the first of two",
      "a reset with an empty object",
      "logs of a range that descends",
    ],
  },
  {
    reason: "its fee history has no bounds, and its first blocks have the same base fee",
    peers: ["anvil"],
    asks: [
      "fees of no blocks",
      "fees of too many blocks",
      "fees up to a block that is not there",
      "fees with a percentile below zero",
      "fees with a percentile above 100",
      "fees with percentiles that descend",
      "fees without percentiles",
    ],
  },
  {
    reason: "what a transaction or a call contradicts is refused, as in geth",
    peers: ["anvil", "ganache"],
    asks: [
      "a call with other data than input",
      "a call of a blob transaction's type",
      "an estimate with both kinds of fees",
      "an estimate with a tip above the cap",
    ],
  },
  {
    reason: "what a transaction or a call contradicts is refused, as in geth",
    peers: ["anvil"],
    asks: [
      "a call with both kinds of fees",
      "a transaction with both kinds of fees",
      "a transaction with a price and a tip",
      "a transaction of a blob transaction's type",
      "a transaction with an empty authorization list",
      "a transaction with data and input that are not equal",
    ],
  },
  {
    reason: "what a transaction or a call contradicts is refused, as in geth",
    peers: ["ganache"],
    asks: [
      "a call with a tip above the cap",
      "a call with another chain's id",
      "a call with an authorization list",
      "an estimate with too little gas",
    ],
  },
  {
    reason: "its estimates differ by what is within the tolerance",
    peers: ["anvil", "ganache"],
    asks: ["an estimate of nothing"],
  },
  { reason: "its estimates differ by what is within the tolerance", peers: ["anvil"], asks: ["an estimate of blobs"] },
  {
    reason: "it estimates a transfer that its sender cannot pay",
    peers: ["anvil"],
    asks: ["an estimate of more value than there is"],
  },
  {
    reason: "it does not count the floor of EIP-7623 before it takes a transaction",
    peers: ["anvil"],
    asks: ["a transaction with too little gas for its data"],
  },
  {
    reason: "it takes a replacement that pays more by any amount",
    peers: ["anvil"],
    asks: ["a replacement that pays a little more", "a replacement whose tip is no higher"],
  },
  {
    reason: "it lacks the method",
    peers: ["anvil"],
    asks: ["nonces of pending transactions", "a prevRandao that is set"],
  },
  {
    reason: "its order follows the gas price, not the tip",
    peers: ["anvil"],
    asks: ["the order of a block's transactions"],
  },
  {
    reason: "it mines what waits when automine is switched on",
    peers: ["anvil"],
    asks: ["waiting transactions after automine is switched on"],
  },
  {
    reason: "it has the method of Hardhat's name with an answer of its own: the hash",
    peers: ["anvil"],
    asks: ["an unknown transaction is dropped", "a waiting transaction is dropped", "a mined transaction is dropped"],
  },
  {
    reason: "the base fee of its first block is that of its genesis",
    peers: ["anvil"],
    asks: ["the base fee after many empty blocks"],
  },
  { reason: "it takes a block without gas", peers: ["anvil"], asks: ["a block's gas limit of zero"] },
  {
    reason: "it takes a timestamp that the consensus forbids",
    peers: ["anvil"],
    asks: ["the next time that is the head's"],
  },
  {
    reason: "settings survive its revert; ours are those of the snapshot, and removed logs are told of",
    peers: ["anvil"],
    asks: ["settings after a revert", "changes of a filter of logs after a revert"],
  },
  {
    reason: "it reads as a value what is none, or ignores it; ours is refused with the reason",
    peers: ["ganache"],
    asks: [
      "a balance of a short address",
      "a balance of a number",
      "a nonce of a short address",
      "a slot with too many bytes",
      "a slot that is a number",
      "a balance of a short address is set",
      "a balance of more than 32 bytes is set",
      "code of a short address is set",
      "a nonce of nine bytes is set",
      "a nonce of a short address is set",
      "a slot is set to a short value",
      "a block by a short hash",
      "a block with a flag that is a text",
      "a block by a number that is a hash",
      "a block by null",
      "a transaction by a short hash",
      "a receipt by a short hash",
      "a call of no object",
      "a call of a short address",
      "a call from a short address",
      "a call with half a byte",
      "a call with a malformed access list",
      "a call with overrides of an unknown member",
      "time that is added: a fraction",
      "time that is added: a negative number",
      "time that is added: null",
      "a snapshot with a param",
      "logs by hash and number",
      "logs of a short address",
      "logs of a short topic",
      "logs of five topics",
      "a filter without params",
      "a filter by hash and number",
      "a filter of a short address",
      "the end of a subscription of nope",
      "time is set to a negative number",
      "work is submitted",
      "a rate is submitted",
    ],
  },
  {
    reason: "it refuses forms of params that the other nodes take",
    peers: ["ganache"],
    asks: [
      "a balance in a block by an object",
      "typed data in a text are signed",
      "fees without percentiles",
      "evm_mine with a time in decimal text",
      "time that is added: decimal text",
      "a revert to a snapshot by decimal text",
    ],
  },
  {
    reason: "its slots have 32 bytes and are not padded in answers",
    peers: ["ganache"],
    asks: [
      "a slot of nothing",
      "a slot with 32 bytes",
      "a slot with leading zeros",
      "a slot is set",
      "a slot after it was set",
      "a slot is set by Ganache's name",
      "a slot after it was set by Ganache's name",
    ],
  },
  {
    reason: "it lacks the method that prepares the question",
    peers: ["ganache"],
    asks: [
      "an impersonated account sends",
      "a transaction after one before it is dropped",
      "hardhat_mine mines what waits",
      "a base fee that is set",
      "a base fee that is set, for several blocks",
      "a prevRandao that is set",
      "a coinbase that is set",
      "a block's gas limit that is set",
      "a transaction above a block's lowered gas limit",
      "the time of a block that was set, and of the one after it",
      "the time of a pending block after it was set",
      "the time of a block after a call with the next time",
      "added time after the next time was set",
      "settings after a revert",
      "an impersonated account after a revert",
      "the chain after a reset",
    ],
  },
  { reason: "it fails on its own", peers: ["ganache"], asks: ["a transaction beyond a block's last"] },
  {
    reason: "its pending block has no transactions",
    peers: ["ganache"],
    asks: [
      "a transaction of the pending block",
      "a nonce in the pending block",
      "a balance in the pending block after a transfer",
      "waiting transactions",
    ],
  },
  {
    reason: "its fee history has no blob fees, and begins at one block",
    peers: ["ganache"],
    asks: ["fees of no blocks", "fees of too many blocks"],
  },
  {
    reason: "its edits of accounts are blocks of their own",
    peers: ["ganache"],
    asks: ["a call in a block before the code", "the base fee after many empty blocks", "a revert to the first of two"],
  },
  {
    reason: "its order of equal prices is that of senders",
    peers: ["ganache"],
    asks: ["the order of a block's transactions that pay the same"],
  },
  {
    reason: "it makes a block whose time is before its parent's",
    peers: ["ganache"],
    asks: ["evm_mine with an earlier time"],
  },
  {
    reason: "it answers for blocks that are not there",
    peers: ["ganache"],
    asks: [
      "logs of a block that is not there",
      "the count of uncles of an unknown block",
      "the count of uncles of an unknown hash",
    ],
  },
  {
    reason: "its filters do not tell of removed logs",
    peers: ["ganache"],
    asks: ["changes of a filter of logs after a revert"],
  },
  {
    reason: "its answer to what changes nothing",
    peers: ["ganache"],
    asks: [
      "an added account is locked",
      "a key is imported, twice",
      "a gas price is set",
      "the gas price after it was set",
    ],
  },
  {
    reason: "methods that Ethereum's nodes no longer have",
    peers: ["ganache"],
    asks: ["compilers", "a swarm", "whispers", "a text of a database", "a text that was put"],
  },
  {
    reason: "its data have the instruction's position too",
    peers: ["ganache"],
    asks: ["the error of an estimate that reverts, with its data"],
  },
  {
    reason: "what a transaction or a call contradicts is refused, as in geth",
    peers: ["ganache"],
    asks: [
      "a transaction with both kinds of fees",
      "a transaction with a price and a tip",
      "a transaction with a tip above the cap",
      "a transaction of another chain",
      "a transaction of blobs",
      "a transaction of a blob transaction's type",
      "a transaction with an empty authorization list",
      "a transaction with data and input that are not equal",
    ],
  },
  {
    reason: "it requires a sender; without one ours is the first account, as elsewhere",
    peers: ["ganache"],
    asks: ["a transaction without a sender"],
  },
  {
    reason: "it lacks the method that prepares the question",
    peers: ["ganache"],
    asks: ["the coinbase after it was set"],
  },
];

/** The reason why a dialect does not answer a question as its node; undefined if it does. */
export function exceptionOf(peer: PeerName, asks: string): string | undefined {
  return EXCEPTIONS.find(({ peers, asks: questions }) => peers.includes(peer) && questions.includes(asks))?.reason;
}

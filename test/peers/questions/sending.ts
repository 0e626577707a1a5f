/** Transactions that are sent, refused and replaced, and the pool that holds them. */
import type { AskedNode } from "../dialect-cases.ts";
import { after, FIRST, NO_HASH, notGanache, type Question, request, SECOND, TO, told } from "./question.ts";

type Members = Readonly<Record<string, unknown>>;
const send = (members: Members = {}) =>
  ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208", ...members }] as const;
const sending = (asks: string, members: Members): Question => request(asks, ...send(members));
const MANUAL = ["evm_setAutomine", false] as const;
async function order({ ask }: AskedNode): Promise<unknown> {
  const { result } = await ask("eth_getBlockByNumber", "latest", true);
  return (result as { transactions: { from: string; nonce: string }[] }).transactions.map(({ from, nonce }) => [
    from === FIRST ? "first" : "second",
    nonce,
  ]);
}

export const SENDING: readonly Question[] = [
  sending("a transaction without funds", { value: "0xffffffffffffffffffffffff", gasPrice: "0x77359400" }),
  sending("a transaction with more gas than a block", { gas: "0x3b9aca00" }),
  sending("a transaction with more gas than the cap of a transaction", { gas: "0x1000001" }),
  sending("a transaction with too little gas", { gas: "0x5207" }),
  sending("a transaction with too little gas for its data", { data: "0x12" }),
  notGanache(sending("a transaction with a nonce that is too high", { nonce: "0x5" })),
  sending("a transaction to a short address", { to: "0x12" }),
  sending("a transaction with half a byte", { data: "0x1" }),
  sending("a transaction with both kinds of fees", { gasPrice: "0x77359400", maxFeePerGas: "0x77359400" }),
  sending("a transaction with a price and a tip", { gasPrice: "0x77359400", maxPriorityFeePerGas: "0x1" }),
  sending("a transaction with a tip above the cap", { maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x77359401" }),
  sending("a transaction with a cap below the base fee", { maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" }),
  sending("a transaction with a price below the base fee", { gasPrice: "0x1" }),
  sending("a transaction of another chain", { chainId: "0x2" }),
  sending("a transaction of blobs", {
    blobs: [],
    blobVersionedHashes: [`0x01${"00".repeat(31)}`],
    maxFeePerBlobGas: "0x1",
  }),
  sending("a transaction of a blob transaction's type", { type: "0x3" }),
  sending("a transaction with an empty authorization list", { authorizationList: [] }),
  sending("a transaction with an unknown member", { nope: "0x1" }),
  after("a transaction with a null member", send({ gasPrice: null })),
  after("a transaction with data and input that are equal", send({ data: "0x12", input: "0x12", gas: "0x10000" })),
  sending("a transaction with data and input that are not equal", { data: "0x12", input: "0x34", gas: "0x10000" }),
  after("a transaction with a cap alone", send({ maxFeePerGas: "0x77359400" })),
  after("a transaction with a tip alone", send({ maxPriorityFeePerGas: "0x1" })),
  request("a transaction without a sender", "eth_sendTransaction", { to: TO, gas: "0x5208" }),
  request("a transaction of no object", "eth_sendTransaction", "0x"),
  request("a transaction without params", "eth_sendTransaction"),
  request("a creation without code", "eth_sendTransaction", { from: FIRST, gas: "0x186a0" }),
  request("a creation with a null receiver and no code", "eth_sendTransaction", {
    from: FIRST,
    to: null,
    gas: "0x186a0",
  }),
  after("a creation with a null receiver", [
    "eth_sendTransaction",
    { from: FIRST, to: null, data: "0x00", gas: "0x186a0" },
  ]),
  request("a creation with too long init code", "eth_sendTransaction", {
    from: FIRST,
    data: `0x${"00".repeat(49_153)}`,
    gas: "0xf42400",
  }),
  request("a creation of code that begins with 0xef", "eth_sendTransaction", {
    from: FIRST,
    data: "0x60ef60005360016000f3",
    gas: "0x186a0",
  }),
  request("a creation of too much code", "eth_sendTransaction", {
    from: FIRST,
    data: "0x6160016000f3",
    gas: "0xf42400",
  }),
  request("a creation that reverts", "eth_sendTransaction", { from: FIRST, data: "0x60006000fd", gas: "0x186a0" }),
  after("a transaction that reverts", ["hardhat_setCode", TO, "0x60006000fd"], send({ gas: "0x186a0" })),
  after("a transaction that reverts, without gas", ["hardhat_setCode", TO, "0x60006000fd"], send({ gas: undefined })),
  after("a transaction that runs out of gas", ["hardhat_setCode", TO, "0x5b600056"], send({ gas: "0x186a0" })),
  after("a transaction that meets INVALID", ["hardhat_setCode", TO, "0xfe"], send({ gas: "0x186a0" })),
  after("a nonce that was used", send(), send({ nonce: "0x0" })),
  after("a nonce that was used, with automine off", send(), MANUAL, send({ nonce: "0x0" })),
  after(
    "the same transaction again",
    MANUAL,
    send({ nonce: "0x0", gasPrice: "0x77359400" }),
    send({ nonce: "0x0", gasPrice: "0x77359400" }),
  ),
  after(
    "a replacement that pays no more",
    MANUAL,
    send({ nonce: "0x0", gasPrice: "0x77359400" }),
    send({ nonce: "0x0", gasPrice: "0x77359400", value: "0x1" }),
  ),
  after(
    "a replacement that pays a little more",
    MANUAL,
    send({ nonce: "0x0", gasPrice: "0x77359400" }),
    send({ nonce: "0x0", gasPrice: "0x77359401" }),
  ),
  after(
    "a replacement that pays a tenth more",
    MANUAL,
    send({ nonce: "0x0", gasPrice: "0x77359400" }),
    send({ nonce: "0x0", gasPrice: "0x83215600" }),
  ),
  after(
    "a replacement whose tip is no higher",
    MANUAL,
    send({ nonce: "0x0", maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x64" }),
    send({ nonce: "0x0", maxFeePerGas: "0x83215600", maxPriorityFeePerGas: "0x64" }),
  ),
  after(
    "a transaction without funds, with automine off",
    MANUAL,
    send({ value: "0xffffffffffffffffffffffff", gasPrice: "0x77359400" }),
  ),
  after(
    "a second transaction that the sender cannot pay, with automine off",
    MANUAL,
    send({ value: "0x21e19e0c9ba76a53600", gasPrice: "0x77359400" }),
    send({ value: "0x21e19e0c9ba76a53600", gasPrice: "0x77359400" }),
  ),
  notGanache(after("a nonce gap, with automine off", MANUAL, send({ nonce: "0x5" }))),
  notGanache(
    after(
      "a nonce gap is closed",
      MANUAL,
      send({ nonce: "0x1" }),
      send({ nonce: "0x0" }),
      ["evm_mine"],
      ["eth_getBlockTransactionCountByNumber", "latest"],
    ),
  ),
  after("a transaction with more gas than a block, with automine off", MANUAL, send({ gas: "0x3b9aca00" })),
  after("waiting transactions", MANUAL, send(), send(), ["eth_getBlockTransactionCountByNumber", "pending"]),
  notGanache({
    asks: "nonces of pending transactions",
    ask: async ({ ask }) => {
      await ask(...MANUAL);
      await ask(...send());
      await ask(...send());
      await ask(...send({ nonce: "0x5" }));
      const { result } = await ask("eth_pendingTransactions");
      return (result as { nonce: string }[] | undefined)?.map(({ nonce }) => nonce);
    },
  }),
  {
    asks: "the order of a block's transactions",
    ask: async (node) => {
      const { ask } = node;
      await ask(...MANUAL);
      await ask(...send({ maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x1" }));
      await ask(...send({ from: SECOND, maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x3" }));
      await ask(...send({ maxFeePerGas: "0x77359400", maxPriorityFeePerGas: "0x5" }));
      await ask("evm_mine");
      return order(node);
    },
  },
  {
    asks: "the order of a block's transactions that pay the same",
    ask: async (node) => {
      const { ask } = node;
      await ask(...MANUAL);
      for (const from of [SECOND, FIRST, SECOND]) await ask(...send({ from, gasPrice: "0x77359400" }));
      await ask("evm_mine");
      return order(node);
    },
  },
  {
    asks: "blocks of transactions that do not fit into one",
    ask: async ({ ask }) => {
      await ask(...MANUAL);
      await ask("evm_setBlockGasLimit", "0x186a0");
      for (let count = 0; count < 3; count++) await ask(...send({ gas: "0xc350", gasPrice: "0x77359400" }));
      await ask("evm_mine");
      const first = await ask("eth_getBlockTransactionCountByNumber", "latest");
      await ask("evm_mine");
      return [first.result, (await ask("eth_getBlockTransactionCountByNumber", "latest")).result];
    },
  },
  {
    asks: "waiting transactions after automine is switched on",
    ask: async ({ ask }) => {
      await ask(...MANUAL);
      await ask(...send());
      await ask("evm_setAutomine", true);
      const before = (await ask("eth_blockNumber")).result;
      await ask(...send());
      return [
        before,
        (await ask("eth_blockNumber")).result,
        (await ask("eth_getTransactionCount", FIRST, "latest")).result,
      ];
    },
  },
  request("an unknown transaction is dropped", "hardhat_dropTransaction", NO_HASH),
  request("a transaction by a short hash is dropped", "hardhat_dropTransaction", "0x12"),
  {
    asks: "a waiting transaction is dropped",
    ask: async ({ ask }) => {
      await ask(...MANUAL);
      const { result } = await ask(...send());
      return [told(await ask("hardhat_dropTransaction", result)), told(await ask("eth_getTransactionByHash", result))];
    },
  },
  {
    asks: "a mined transaction is dropped",
    ask: async ({ ask }) => {
      const { result } = await ask(...send());
      return told(await ask("hardhat_dropTransaction", result));
    },
  },
  {
    asks: "a transaction after one before it is dropped",
    ask: async ({ ask }) => {
      await ask(...MANUAL);
      const { result } = await ask(...send());
      await ask(...send());
      await ask("hardhat_dropTransaction", result);
      await ask("evm_mine");
      return (await ask("eth_getBlockTransactionCountByNumber", "latest")).result;
    },
  },
  request("raw bytes that are nothing", "eth_sendRawTransaction", "0x"),
  request("raw bytes that are no transaction", "eth_sendRawTransaction", "0x1234"),
  request("a raw text that is no hex", "eth_sendRawTransaction", "nope"),
  request("raw bytes of an unknown type", "eth_sendRawTransaction", "0x7f1234"),
  request("raw bytes of an empty list", "eth_sendRawTransaction", "0xc0"),
  request("raw bytes of a blob transaction's type", "eth_sendRawTransaction", "0x03c0"),
  request(
    "a raw transaction of another chain",
    "eth_sendRawTransaction",
    "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83",
  ),
  request(
    "a raw transaction of another chain, with its type",
    "eth_sendRawTransaction",
    "0x02f86f0180843b9aca00852ecc889a0082520894c87037874aed04e51c29f582394217a0a2b89d808080c080a0a463985c616dd8ee17d7ef9112af4e6e06a27b071525b42182fe7b0b5c8b4925a00af5ca177ffef2ff28449292505d41be578bebb77110dfc09361d2fb56998260",
  ),
];

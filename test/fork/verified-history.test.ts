/** With `verify`, what the upstream says of blocks below the fork is held against their headers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, aNode, BOB, NOW, openNode, wordText } from "../support/a-node.ts";
import { anUpstream, type UpstreamRequest, type UpstreamRules } from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, send } from "../support/contracts.ts";

type Json = Record<string, unknown>;
type Change = (answer: Json) => void;

/** Logs its call data's length and the number 7. */
const LOGGING = assemble("7 0 MSTORE CALLDATASIZE 32 0 LOG1 STOP");
const SECRET = "a-key-in-the-path";

let chain: HindcastNode;
let txHash: string;
let blockHash: string;

beforeAll(async () => {
  chain = await openNode();
  const logger = await deploy(chain, LOGGING);
  await chain.provider.send("evm_setAutomine", [false]);
  for (const data of ["0x", "0x01"]) txHash = await send(chain, { from: ALICE, to: logger, data, gas: "0x30000" });
  await chain.mine();
  blockHash = ((await chain.provider.send("eth_getBlockByNumber", ["0x2", false])) as { hash: string }).hash;
  for (let block = 0; block < 3; block++) {
    await send(chain, { from: ALICE, to: BOB, value: "0x1" });
    await chain.mine();
  }
});
afterAll(() => chain.close());

/** Changes the answers of one method about the second block. */
const lying =
  (method: string, change: Change): NonNullable<UpstreamRules["answer"]> =>
  async (request: UpstreamRequest, ask) => {
    const answer = structuredClone(await ask()) as Json;
    const isMeant = request.method === method && request.params[0] !== "latest";
    if (isMeant) change(answer);
    return answer;
  };

const set = (json: Json, name: string, value: unknown): void => {
  json[name] = value;
};
const transaction = (block: Json, index = 1): Json => (block.transactions as Json[])[index] as Json;
const receipt = (receipts: Json, index = 1): Json => (receipts as unknown as Json[])[index] as Json;
const log = (receipts: Json): Json => (receipt(receipts).logs as Json[])[0] as Json;

const lies: readonly [string, string, RegExp, Change][] = [
  [
    "a transaction's value",
    "eth_getBlockByHash",
    /transactionsRoot/,
    (block) => set(transaction(block), "value", "0x99"),
  ],
  [
    "a missing transaction",
    "eth_getBlockByHash",
    /transactionsRoot/,
    (block) => void (block.transactions as Json[]).pop(),
  ],
  [
    "a transaction of an unknown type",
    "eth_getBlockByHash",
    /type 0x7e/,
    (block) => set(transaction(block), "type", "0x7e"),
  ],
  ["a transaction's sender", "eth_getBlockByHash", /another sender/, (block) => set(transaction(block), "from", BOB)],
  [
    "a transaction's hash",
    "eth_getBlockByHash",
    /another hash/,
    (block) => set(transaction(block), "hash", wordText(1)),
  ],
  [
    "a transaction's price",
    "eth_getBlockByHash",
    /another gasPrice/,
    (block) => set(transaction(block), "gasPrice", "0x1"),
  ],
  [
    "a transaction's place",
    "eth_getBlockByHash",
    /transactionIndex/,
    (block) => set(transaction(block), "transactionIndex", "0x5"),
  ],
  [
    "a withdrawal",
    "eth_getBlockByHash",
    /withdrawalsRoot/,
    (block) => set(block, "withdrawals", [{ index: "0x0", validatorIndex: "0x1", address: BOB, amount: "0x5" }]),
  ],
  ["an uncle", "eth_getBlockByHash", /sha3Uncles/, (block) => set(block, "uncles", [wordText(1)])],
  ["a status", "eth_getBlockReceipts", /receiptsRoot/, (receipts) => set(receipt(receipts), "status", "0x0")],
  ["a log's data", "eth_getBlockReceipts", /receiptsRoot/, (receipts) => set(log(receipts), "data", wordText(8))],
  ["a missing log", "eth_getBlockReceipts", /receiptsRoot/, (receipts) => set(receipt(receipts), "logs", [])],
  [
    "the gas of a transaction",
    "eth_getBlockReceipts",
    /gasUsed/,
    (receipts) => set(receipt(receipts), "gasUsed", "0x5208"),
  ],
  ["a log's index", "eth_getBlockReceipts", /logIndex in a log/, (receipts) => set(log(receipts), "logIndex", "0x0")],
  [
    "a receipt's transaction",
    "eth_getBlockReceipts",
    /transactionHash/,
    (receipts) => set(receipt(receipts), "transactionHash", wordText(2)),
  ],
];

describe("a fork with verify", () => {
  it.each(lies)(
    "catches a lie about %s, names the node without its key, and keeps nothing",
    async (_, method, why, lie) => {
      const upstream = await anUpstream(chain.provider as RemoteProvider);
      const url = `${upstream.url}${SECRET}`;
      const fork = { url, blockNumber: 4, verify: true, cache: { folder: await aFolder() }, retries: 0 };
      const options = { clock: () => NOW, accounts: 0 };
      const node = await aNode({ ...options, fork });
      const ask = (of: HindcastNode): Promise<unknown> => of.provider.send("eth_getTransactionReceipt", [txHash]);
      upstream.rules.answer = lying(method, lie);
      const failure = (await ask(node).catch((error: unknown) => error)) as Error;
      expect(failure.message).toMatch(/The upstream http:\/\/127\.0\.0\.1:\d+ gave a false answer/);
      expect(failure.message).toMatch(why);
      expect(failure.message).not.toContain(SECRET);
      const other = await aNode({ ...options, fork });
      await expect(ask(other)).rejects.toThrow(why);
      upstream.rules.answer = (__, honest) => honest();
      const expected = await chain.provider.send("eth_getTransactionReceipt", [txHash]);
      for (const each of [node, other]) expect(await ask(each)).toEqual(expected);
    },
  );

  it("names the node that lied, if there are several", async () => {
    const [first, second] = [
      await anUpstream(chain.provider as RemoteProvider),
      await anUpstream(chain.provider as RemoteProvider),
    ];
    const urls = [first.url, second.url];
    const fork = { urls, blockNumber: 4, verify: true, cache: false, retries: 0, retryBackoffMs: 1 } as const;
    const node = await aNode({ clock: () => NOW, accounts: 0, fork });
    first.rules.misdeed = () => "drop";
    second.rules.answer = lying("eth_getProof", (answer) => set(answer, "balance", "0x1"));
    const { port } = new URL(second.url);
    await expect(node.provider.send("eth_getBalance", [BOB, "latest"])).rejects.toThrow(
      new RegExp(`127\\.0\\.0\\.1:${port} gave a false answer about account ${BOB}`),
    );
  });

  it("checks receipts that are served one by one, and keeps them together", async () => {
    const upstream = await anUpstream(chain.provider as RemoteProvider);
    const node = await aNode({
      clock: () => NOW,
      accounts: 0,
      fork: { url: upstream.url, blockNumber: 4, verify: true, cache: false },
    });
    const missing = { code: -32601, message: "method not found" };
    const lie = lying("eth_getTransactionReceipt", (answer) => set(answer, "cumulativeGasUsed", "0x1"));
    upstream.rules.answer = (request, ask) =>
      request.method === "eth_getBlockReceipts" ? Promise.reject(missing) : lie(request, ask);
    const receipts = (): Promise<unknown> => node.provider.send("eth_getBlockReceipts", ["0x2"]);
    await expect(receipts()).rejects.toThrow(/false answer about the receipts of block 2.*receiptsRoot/);
    upstream.rules.answer = ({ method }, ask) => (method === "eth_getBlockReceipts" ? Promise.reject(missing) : ask());
    expect(await receipts()).toEqual(await chain.provider.send("eth_getBlockReceipts", ["0x2"]));
  });

  it("shows true blocks and receipts as the upstream gives them", async () => {
    const node = await aNode({
      clock: () => NOW,
      accounts: 0,
      fork: { provider: chain.provider, verify: true, cache: false },
    });
    for (const [method, ...params] of [
      ["eth_getBlockByHash", blockHash, true],
      ["eth_getBlockReceipts", "0x1"],
      ["eth_getBlockReceipts", "0x2"],
      ["eth_getBlockByNumber", "0x0", true],
      ["trace_transaction", txHash],
    ] as const) {
      expect(await node.provider.send(method, params)).toEqual(await chain.provider.send(method, params));
    }
  });
});

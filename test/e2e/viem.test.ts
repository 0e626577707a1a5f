/** viem drives a running node: what its public, wallet and WebSocket clients do every day. */
import {
  type Address,
  createPublicClient,
  createWalletClient,
  http,
  type Log,
  parseAbi,
  parseGwei,
  parseTransaction,
  publicActions,
  toEventSelector,
  toHex,
  verifyMessage,
  verifyTypedData,
  webSocket,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { createAccessList, fillTransaction, type SimulateBlocksParameters, simulateBlocks } from "viem/actions";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALICE, addressText, BOB, openNode, type ServedNode, serve, wordText } from "../support/a-node.ts";
import { COUNTER, deploy, EMITTER, logCall, send } from "../support/contracts.ts";
import { answeredRequests } from "./answered-requests.ts";

const abi = parseAbi(["event Seen(uint256 indexed value)"]);
const SEEN = toEventSelector("Seen(uint256)");
const LOCAL = mnemonicToAccount("test test test test test test test test test test test junk");

const requests = answeredRequests();
let served: ServedNode;
let emitter: Address;
beforeAll(async () => {
  served = await serve(await openNode({ onRequest: requests.onRequest }));
  emitter = await deploy(served.node, EMITTER);
});
afterAll(() => served.node.close());

function clients() {
  const transport = http(served.plain.url);
  return {
    reader: createPublicClient({ chain: foundry, transport }),
    wallet: createWalletClient({ chain: foundry, transport, account: ALICE }),
    local: createWalletClient({ chain: foundry, transport, account: LOCAL }),
  };
}

const emit = (value: number) =>
  send(served.node, { to: emitter, data: logCall([BigInt(SEEN), value]), gas: "0x30d40" });

describe("viem over HTTP", () => {
  it("sends transactions of the node's accounts and of its own keys, and reads all about them", async () => {
    const { reader, wallet, local } = clients();
    for (const client of [wallet, local]) {
      const hash = await client.sendTransaction({ to: BOB, value: 5n } as never);
      const receipt = await reader.waitForTransactionReceipt({ hash });
      expect(receipt).toMatchObject({ status: "success", from: ALICE, to: BOB });
      const tx = await reader.getTransaction({ hash });
      expect(tx).toMatchObject({ value: 5n, type: "eip1559", blockHash: receipt.blockHash });
      const block = await reader.getBlock({ blockHash: receipt.blockHash, includeTransactions: true });
      expect(block.transactions).toContainEqual(tx);
    }
  });

  it("estimates fees from the history that it is given", async () => {
    const { reader } = clients();
    const history = await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [25, 75] });
    expect(history.baseFeePerGas).toHaveLength(history.gasUsedRatio.length + 1);
    expect(await reader.estimateMaxPriorityFeePerGas()).toBe(parseGwei("1"));
    expect(await reader.getBlobBaseFee()).toBe(1n);
    expect((await reader.estimateFeesPerGas()).maxFeePerGas).toBeGreaterThan(parseGwei("1"));
  });

  it("fills a transaction in, and gets a receipt in one request", async () => {
    const { reader, wallet, local } = clients();
    const { transaction } = await fillTransaction(reader, { account: ALICE, to: BOB, value: 7n });
    expect(transaction).toMatchObject({ type: "eip1559", value: 7n, chainId: 31_337 });
    const request = await local.prepareTransactionRequest({ to: BOB, value: 7n });
    const serializedTransaction = await local.signTransaction(request as never);
    expect(await wallet.sendRawTransactionSync({ serializedTransaction })).toMatchObject({ status: "success" });
  });

  it("has a transaction signed by the node, and sends it as a raw one", async () => {
    const { reader, wallet } = clients();
    const request = await wallet.prepareTransactionRequest({ to: BOB, value: 6n } as never);
    const serializedTransaction = await wallet.signTransaction(request as never);
    expect(parseTransaction(serializedTransaction)).toMatchObject({ type: "eip1559", value: 6n });
    const hash = await wallet.sendRawTransaction({ serializedTransaction });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: "success", from: ALICE });
  });

  it("has messages and typed data signed by the node's accounts", async () => {
    const { wallet } = clients();
    const signature = await wallet.signMessage({ message: "hello" });
    expect(await verifyMessage({ address: ALICE, message: "hello", signature })).toBe(true);
    const typed = {
      domain: { name: "Shop", chainId: 31_337n },
      types: { Order: [{ name: "amount", type: "uint256" }] },
      primaryType: "Order",
      message: { amount: 2n ** 200n },
    } as const;
    const typedSignature = await wallet.signTypedData(typed);
    expect(await verifyTypedData({ ...typed, address: ALICE, signature: typedSignature })).toBe(true);
    expect((await wallet.requestAddresses())[0]?.toLowerCase()).toBe(ALICE);
  });

  it("polls filters", async () => {
    const { reader } = clients();
    const [blocks, pending, logs] = await Promise.all([
      reader.createBlockFilter(),
      reader.createPendingTransactionFilter(),
      reader.createContractEventFilter({ abi, address: emitter }),
    ]);
    const hash = await emit(9);
    expect(await reader.getFilterChanges({ filter: blocks })).toEqual([(await reader.getBlock()).hash]);
    expect(await reader.getFilterChanges({ filter: pending })).toEqual([hash]);
    expect(await reader.getFilterChanges({ filter: logs })).toMatchObject([{ transactionHash: hash }]);
    expect(await reader.getFilterLogs({ filter: logs })).toMatchObject([{ transactionHash: hash }]);
    expect(await reader.uninstallFilter({ filter: blocks })).toBe(true);
  });

  it("names what the node refuses by its own error classes", async () => {
    const { wallet, local } = clients();
    await expect(wallet.sendTransaction({ to: BOB, value: 10n ** 30n, gas: 21_000n })).rejects.toThrow(
      /exceeds the balance of the account/,
    );
    await expect(local.sendTransaction({ to: BOB, nonce: 0, gas: 21_000n })).rejects.toThrow(
      /Nonce provided for the transaction[\s\S]* is lower than the current nonce/,
    );
    await expect(wallet.sendTransaction({ to: BOB, gas: 20_000n })).rejects.toThrow(/intrinsic gas|gas .* too low/i);
  });

  it("reads blocks by tag, storage, code, proofs and counts", async () => {
    const { reader } = clients();
    expect(await reader.getBlock({ blockTag: "earliest" })).toMatchObject({ number: 0n });
    expect(await reader.getBlock({ blockTag: "pending" })).toMatchObject({ hash: null });
    expect(await reader.getBlockTransactionCount({ blockNumber: 1n })).toBe(1);
    expect(await reader.getCode({ address: emitter })).toMatch(/^0x/);
    expect(await reader.getStorageAt({ address: emitter, slot: "0x0" })).toBe(wordText(0));
    const proof = await reader.getProof({ address: ALICE, storageKeys: [wordText(1)] });
    expect(proof).toMatchObject({
      address: expect.stringMatching(new RegExp(ALICE, "i")),
      storageProof: [{ value: 0n }],
    });
  });
});

describe("viem simulates", () => {
  it("blocks, with overrides, and calls that build on one another", async () => {
    const { reader } = clients();
    const poor = addressText(0x77);
    const before = served.node.head.header.number;
    const simulation = (value: bigint): SimulateBlocksParameters => ({
      blocks: [
        {
          blockOverrides: { number: before + 1n, baseFeePerGas: 5n },
          stateOverrides: [{ address: poor, balance: 1_000n }],
          calls: [
            { from: poor, to: BOB, value },
            { from: poor, to: BOB, value: 400n },
          ],
        },
        { calls: [{ from: ALICE, to: emitter, data: logCall([BigInt(SEEN), 3]) }] },
      ],
    });
    const [first, second] = await simulateBlocks(reader, simulation(600n));
    expect(first).toMatchObject({ number: before + 1n, baseFeePerGas: 5n });
    expect(first?.calls.map(({ status }) => status)).toEqual(["success", "success"]);
    expect(second).toMatchObject({ number: before + 2n, parentHash: first?.hash });
    expect(second?.calls[0]?.logs).toMatchObject([{ address: emitter, topics: [SEEN, wordText(3)] }]);
    await expect(simulateBlocks(reader, simulation(601n))).rejects.toThrow(/insufficient funds/);
    expect(served.node.head.header.number).toBe(before);
  });

  it("an access list, and calls with overrides of state and block", async () => {
    const { reader } = clients();
    const counter = await deploy(served.node, COUNTER);
    const { accessList, gasUsed } = await createAccessList(reader, { account: ALICE, to: counter });
    expect(accessList).toEqual([{ address: counter, storageKeys: [wordText(0)] }]);
    expect(gasUsed).toBeGreaterThan(21_000n);
    const { data } = await reader.call({
      to: counter,
      stateOverride: [{ address: counter, stateDiff: [{ slot: wordText(0), value: wordText(41) }] }],
    });
    expect(data).toBe(wordText(42));
    expect((await reader.call({ to: counter })).data).toBe(wordText(1));
  });
});

describe("viem over WebSocket", () => {
  const socketClient = () => {
    const transport = webSocket(`ws${served.plain.url.slice(4)}`, { reconnect: false });
    return createPublicClient({ chain: foundry, transport });
  };
  // viem keeps one connection for all clients of an address.
  let client: ReturnType<typeof socketClient>;
  beforeAll(() => {
    client = socketClient();
  });
  afterAll(async () => (await client.transport.getRpcClient()).close());

  /** Collects what a watcher gives until there are so many. */
  async function collected<Item>(
    count: number,
    watch: (on: (items: readonly Item[]) => void) => () => void,
    act: () => Promise<unknown>,
  ) {
    const seen: Item[] = [];
    let stop: () => void = () => undefined;
    const subscribed = requests.next(/^eth_subscribe$/);
    const enough = new Promise<void>((resolve) => {
      stop = watch((items) => {
        seen.push(...items);
        if (seen.length >= count) resolve();
      });
    });
    await subscribed;
    await act();
    await enough;
    stop();
    return seen;
  }

  it("watches blocks", async () => {
    const before = served.node.head.header.number;
    const blocks = await collected<{ number: bigint | null }>(
      3,
      (on) => client.watchBlocks({ onBlock: (block) => on([block]) }),
      () => served.node.mine({ blocks: 3 }),
    );
    expect(blocks.map(({ number }) => number)).toEqual([before + 1n, before + 2n, before + 3n]);
  });

  it("watches block numbers and pending transactions", async () => {
    const before = served.node.head.header.number;
    const numbers = await collected<bigint>(
      2,
      (on) => client.watchBlockNumber({ onBlockNumber: (number) => on([number]) }),
      () => served.node.mine({ blocks: 2 }),
    );
    expect(numbers).toEqual([before + 1n, before + 2n]);
    let sent: unknown;
    const hashes = await collected<string>(
      1,
      (on) => client.watchPendingTransactions({ onTransactions: on }),
      async () => {
        sent = await send(served.node, { to: BOB });
      },
    );
    expect(hashes).toEqual([sent]);
  });

  it("sees every event after a watcher, though it waits for nothing", async () => {
    const { plain, node } = await serve(await openNode());
    const address = await deploy(node, EMITTER);
    const transport = webSocket(`ws${plain.url.slice(4)}`, { reconnect: false });
    const fresh = createWalletClient({ chain: foundry, transport, account: ALICE }).extend(publicActions);
    const seen: unknown[] = [];
    const stop = fresh.watchEvent({ address, onLogs: (logs) => seen.push(...logs.map((log) => log.transactionHash)) });
    const sent: unknown[] = [];
    for (let count = 0; count < 3; count++)
      sent.push(await fresh.sendTransaction({ to: address, data: logCall([count]), gas: 200_000n } as never));
    expect(seen).toEqual(sent);
    stop();
    await (await fresh.transport.getRpcClient()).close();
    await node.close();
  });

  it("watches events, and sees them removed by a reorg", async () => {
    const logs = await collected<Log>(
      4,
      (on) => client.watchEvent({ address: emitter, onLogs: on }),
      async () => {
        await emit(1);
        await emit(2);
        await served.node.rollback(2);
      },
    );
    expect(logs.map(({ topics, removed }) => [topics[1], removed])).toEqual([
      [toHex(1, { size: 32 }), false],
      [toHex(2, { size: 32 }), false],
      [toHex(1, { size: 32 }), true],
      [toHex(2, { size: 32 }), true],
    ]);
  });
});

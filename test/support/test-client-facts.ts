/**
 * What viem's test client finds on a node, action by action and mode by mode.
 *
 * Each fact is checked against our node, and in `npm run test:peers` against the peer that the mode names. Where the
 * peer does otherwise, the fact says what it does and why we do not follow.
 */
import type { Hex, PublicActions, TestActions, TestClient, WalletActions } from "viem";

export type Mode = "anvil" | "hardhat" | "ganache";

/** A test client in one mode that can also read and send. */
export type Client = TestClient<Mode> & TestActions & PublicActions & WalletActions;

export interface Difference {
  /** The peer's answer, or `fails` if it answers with an error. */
  readonly observed: unknown;
  /** Why we keep our own answer. */
  readonly why: string;
}

export interface Fact {
  /** Of viem's test client. */
  readonly action: keyof TestActions;
  /** In plain words; with the action, unique. */
  readonly says: string;
  /** Default all three. */
  readonly modes?: readonly Mode[];
  readonly observe: (client: Client) => Promise<unknown>;
  readonly expected: unknown;
  readonly peers?: Readonly<Partial<Record<Mode, Difference>>>;
}

export const FAILS = "fails";

export const ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
export const BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** Nobody has his key. */
const NOBODY = "0x00000000000000000000000000000000000000ff";
const ETHER = 10n ** 18n;
const PRICE = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n } as const;

const chain = null;
const send = (client: Client, from: Hex = ALICE): Promise<Hex> =>
  client.sendTransaction({ account: from, to: BOB, value: 1n, gas: 21_000n, chain, ...PRICE });
const latest = (client: Client) => client.getBlock({ blockTag: "latest" });
const headNumber = (client: Client): Promise<bigint> => client.getBlockNumber({ cacheTime: 0 });
const mineOne = (client: Client): Promise<void> => client.mine({ blocks: 1 });
const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Whether it becomes true within some seconds. */
const until = async (isTrue: () => Promise<boolean>): Promise<boolean> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await isTrue()) return true;
    await later(50);
  }
  return false;
};
const outcome = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
    return "done";
  } catch {
    return FAILS;
  }
};

const NOT_IN_GANACHE: Difference = {
  observed: FAILS,
  why: "Ganache has no method of that name; viem calls it in this mode all the same.",
};
const withoutGanache = { ganache: NOT_IN_GANACHE };

export const facts: readonly Fact[] = [
  {
    action: "mine",
    says: "makes as many blocks as asked",
    observe: async (client) => {
      await client.mine({ blocks: 3 });
      return headNumber(client);
    },
    expected: 3n,
  },
  {
    action: "mine",
    says: "puts the interval between the blocks",
    modes: ["anvil", "hardhat"],
    observe: async (client) => {
      await client.mine({ blocks: 3, interval: 10 });
      const [second, third] = [await client.getBlock({ blockNumber: 2n }), await latest(client)];
      return third.timestamp - second.timestamp;
    },
    expected: 10n,
  },
  {
    action: "getAutomine",
    says: "is true at first",
    observe: (client) => client.getAutomine(),
    expected: true,
  },
  {
    action: "setAutomine",
    says: "false lets transactions wait until a block is made by hand",
    observe: async (client) => {
      await client.setAutomine(false);
      const hash = await send(client);
      const before = await headNumber(client);
      await mineOne(client);
      const { blockNumber } = await client.getTransactionReceipt({ hash });
      return [await client.getAutomine(), before, blockNumber];
    },
    expected: [false, 0n, 1n],
  },
  {
    action: "setAutomine",
    says: "true mines what comes from then on",
    observe: async (client) => {
      await client.setAutomine(false);
      await client.setAutomine(true);
      await client.waitForTransactionReceipt({ hash: await send(client) });
      return headNumber(client);
    },
    expected: 1n,
    peers: {
      ganache: {
        observed: 2n,
        why: "Ganache makes an empty block when it starts to mine; ours makes one if something waits.",
      },
    },
  },
  {
    action: "setIntervalMining",
    says: "makes a block after so many seconds",
    modes: ["anvil", "ganache"],
    observe: async (client) => {
      await client.setIntervalMining({ interval: 1 });
      return until(async () => (await headNumber(client)) > 0n);
    },
    expected: true,
    peers: withoutGanache,
  },
  {
    // Beside the fact before this one, not after it: each waits for a second.
    action: "setIntervalMining",
    says: "makes none after zero",
    modes: ["anvil", "ganache"],
    observe: async (client) => {
      await client.setIntervalMining({ interval: 1 });
      await client.setIntervalMining({ interval: 0 });
      const stopped = await headNumber(client);
      await later(1_100);
      return (await headNumber(client)) === stopped;
    },
    expected: true,
    peers: withoutGanache,
  },
  {
    action: "setIntervalMining",
    says: "counts seconds in the mode hardhat too, although viem sends milliseconds",
    modes: ["hardhat"],
    observe: async (client) => {
      // viem sends 1000 for one second; here that is a thousand seconds.
      await client.setIntervalMining({ interval: 1 });
      await later(1_200);
      const number = await headNumber(client);
      await client.setIntervalMining({ interval: 0 });
      return number;
    },
    expected: 0n,
    peers: {
      hardhat: {
        observed: 1n,
        why: "The name has no prefix, so one meaning has to hold for all: Anvil's. `hardhat_setIntervalMining` counts milliseconds.",
      },
    },
  },
  {
    action: "snapshot",
    says: "ids rise from 0x0",
    observe: async (client) => [await client.snapshot(), await client.snapshot()],
    expected: ["0x0", "0x1"],
    peers: {
      hardhat: { observed: ["0x1", "0x2"], why: "Names without a prefix answer what Anvil answers." },
      ganache: { observed: ["0x1", "0x2"], why: "Names without a prefix answer what Anvil answers." },
    },
  },
  {
    action: "revert",
    says: "goes back in blocks and state",
    observe: async (client) => {
      await mineOne(client);
      const id = await client.snapshot();
      await client.setBalance({ address: NOBODY, value: 5n });
      await client.mine({ blocks: 2 });
      await client.revert({ id });
      return [await headNumber(client), await client.getBalance({ address: NOBODY })];
    },
    expected: [1n, 0n],
  },
  {
    action: "revert",
    says: "deletes the snapshot and later ones: false for the second time",
    observe: async (client) => {
      const [first, second] = [await client.snapshot(), await client.snapshot()];
      const revert = (id: Hex) => client.request({ method: "evm_revert", params: [id] });
      return [await revert(first), await revert(first), await revert(second)];
    },
    expected: [true, false, false],
  },
  {
    action: "revert",
    says: "brings the pool of the snapshot back, and forgets transactions of the blocks that go",
    modes: ["anvil"],
    observe: async (client) => {
      const id = await client.snapshot();
      const mined = await send(client);
      await client.waitForTransactionReceipt({ hash: mined });
      await client.setAutomine(false);
      await send(client, BOB);
      await client.revert({ id });
      const { pending } = await client.getTxpoolStatus();
      return [pending, await outcome(client.getTransaction({ hash: mined }))];
    },
    expected: [0, FAILS],
    peers: { anvil: { observed: [1, FAILS], why: "Anvil leaves what waits; `--dialect anvil` does too" } },
  },
  {
    action: "increaseTime",
    says: "moves the next block forward",
    observe: async (client) => {
      const before = await latest(client);
      await client.increaseTime({ seconds: 1_000 });
      await mineOne(client);
      const moved = (await latest(client)).timestamp - before.timestamp;
      return moved >= 1_000n && moved < 1_030n;
    },
    expected: true,
  },
  {
    action: "increaseTime",
    says: "answers all seconds added so far, as a JSON number",
    observe: async (client) => [await client.increaseTime({ seconds: 10 }), await client.increaseTime({ seconds: 10 })],
    expected: [10, 20],
    peers: { hardhat: { observed: ["10", "20"], why: "Names without a prefix answer what Anvil answers." } },
  },
  {
    action: "setNextBlockTimestamp",
    says: "is the next block's, and time goes on from it",
    modes: ["anvil", "hardhat"],
    observe: async (client) => {
      const timestamp = (await latest(client)).timestamp + 5_000n;
      await client.setNextBlockTimestamp({ timestamp });
      await mineOne(client);
      const next = await latest(client);
      await mineOne(client);
      const after = (await latest(client)).timestamp - timestamp;
      return [next.timestamp - timestamp, after >= 0n && after < 30n];
    },
    expected: [0n, true],
  },
  {
    action: "setNextBlockTimestamp",
    says: "refuses one before the head's",
    modes: ["anvil", "hardhat"],
    observe: (client) => outcome(client.setNextBlockTimestamp({ timestamp: 1n })),
    expected: FAILS,
  },
  {
    action: "setBlockTimestampInterval",
    says: "is between blocks from then on",
    observe: async (client) => {
      await client.setBlockTimestampInterval({ interval: 7 });
      await mineOne(client);
      const first = await latest(client);
      await mineOne(client);
      return (await latest(client)).timestamp - first.timestamp;
    },
    expected: 7n,
    peers: {
      ...withoutGanache,
      hardhat: { observed: FAILS, why: "Hardhat has no method of that name; viem calls it in this mode all the same." },
    },
  },
  {
    action: "removeBlockTimestampInterval",
    says: "goes back to the clock",
    observe: async (client) => {
      await client.setBlockTimestampInterval({ interval: 700 });
      await client.removeBlockTimestampInterval();
      const before = await latest(client);
      await mineOne(client);
      return (await latest(client)).timestamp - before.timestamp < 30n;
    },
    expected: true,
    peers: {
      ...withoutGanache,
      hardhat: { observed: FAILS, why: "Hardhat has no method of that name; viem calls it in this mode all the same." },
    },
  },
  {
    action: "setBalance",
    says: "is the balance in wei",
    observe: async (client) => {
      await client.setBalance({ address: NOBODY, value: 5n * ETHER });
      return client.getBalance({ address: NOBODY });
    },
    expected: 5n * ETHER,
  },
  {
    action: "setCode",
    says: "is the code",
    observe: async (client) => {
      await client.setCode({ address: NOBODY, bytecode: "0x602a60005260206000f3" });
      const { data } = await client.call({ to: NOBODY });
      return [await client.getCode({ address: NOBODY }), data];
    },
    expected: ["0x602a60005260206000f3", `0x${"0".repeat(62)}2a`],
  },
  {
    action: "setNonce",
    says: "is the nonce",
    observe: async (client) => {
      await client.setNonce({ address: NOBODY, nonce: 33 });
      return client.getTransactionCount({ address: NOBODY });
    },
    expected: 33,
    peers: withoutGanache,
  },
  {
    action: "setStorageAt",
    says: "is the slot's value",
    observe: async (client) => {
      const value: Hex = `0x${"0".repeat(62)}45`;
      await client.setStorageAt({ address: NOBODY, index: 2, value });
      return client.getStorageAt({ address: NOBODY, slot: "0x2" });
    },
    expected: `0x${"0".repeat(62)}45`,
    peers: withoutGanache,
  },
  {
    action: "impersonateAccount",
    says: "lets an address send without a key",
    observe: async (client) => {
      await client.setBalance({ address: NOBODY, value: ETHER });
      await client.impersonateAccount({ address: NOBODY });
      const { from, status } = await client.waitForTransactionReceipt({ hash: await send(client, NOBODY) });
      return [from, status];
    },
    expected: [NOBODY, "success"],
    peers: withoutGanache,
  },
  {
    action: "stopImpersonatingAccount",
    says: "ends that",
    observe: async (client) => {
      await client.setBalance({ address: NOBODY, value: ETHER });
      await client.impersonateAccount({ address: NOBODY });
      await client.stopImpersonatingAccount({ address: NOBODY });
      return outcome(send(client, NOBODY));
    },
    expected: FAILS,
  },
  {
    action: "sendUnsignedTransaction",
    says: "needs no signature",
    observe: async (client) => {
      await client.setBalance({ address: NOBODY, value: ETHER });
      const hash = await client.sendUnsignedTransaction({ from: NOBODY, to: BOB, value: 1n, gas: 21_000n, ...PRICE });
      return (await client.waitForTransactionReceipt({ hash })).from;
    },
    expected: NOBODY,
    peers: {
      ...withoutGanache,
      hardhat: { observed: FAILS, why: "Hardhat has no method of that name." },
    },
  },
  {
    action: "setCoinbase",
    says: "is who is paid for the next block",
    observe: async (client) => {
      await client.setCoinbase({ address: NOBODY });
      await mineOne(client);
      return (await latest(client)).miner;
    },
    expected: NOBODY,
    peers: withoutGanache,
  },
  {
    action: "setBlockGasLimit",
    says: "is the next block's",
    observe: async (client) => {
      await client.setBlockGasLimit({ gasLimit: 25_000_000n });
      await mineOne(client);
      return (await latest(client)).gasLimit;
    },
    expected: 25_000_000n,
    peers: withoutGanache,
  },
  {
    action: "setNextBlockBaseFeePerGas",
    says: "is the next block's",
    observe: async (client) => {
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 123n });
      await mineOne(client);
      return (await latest(client)).baseFeePerGas;
    },
    expected: 123n,
    peers: withoutGanache,
  },
  {
    action: "setMinGasPrice",
    says: "is refused where blocks have a base fee",
    observe: (client) => outcome(client.setMinGasPrice({ gasPrice: 1n })),
    expected: FAILS,
  },
  {
    action: "dropTransaction",
    says: "takes a transaction out of the pool",
    observe: async (client) => {
      await client.setAutomine(false);
      const hash = await send(client);
      await client.dropTransaction({ hash });
      await mineOne(client);
      return outcome(client.getTransactionReceipt({ hash }));
    },
    expected: FAILS,
  },
  {
    action: "getTxpoolStatus",
    says: "counts what waits and what waits behind a nonce gap",
    modes: ["anvil"],
    observe: async (client) => {
      await client.setAutomine(false);
      await send(client);
      await client.sendTransaction({ account: ALICE, to: BOB, nonce: 5, gas: 21_000n, chain, ...PRICE });
      return client.getTxpoolStatus();
    },
    expected: { pending: 1, queued: 1 },
  },
  {
    action: "getTxpoolContent",
    says: "has what waits by sender and nonce",
    modes: ["anvil"],
    observe: async (client) => {
      await client.setAutomine(false);
      const hash = await send(client);
      const { pending } = await client.getTxpoolContent();
      const bySender = Object.fromEntries(Object.entries(pending).map(([key, value]) => [key.toLowerCase(), value]));
      return bySender[ALICE.toLowerCase()]?.["0"]?.hash === hash;
    },
    expected: true,
  },
  {
    action: "inspectTxpool",
    says: "tells what waits in one line each",
    modes: ["anvil"],
    observe: async (client) => {
      await client.setAutomine(false);
      await send(client);
      const { pending } = await client.inspectTxpool();
      const lines = Object.values(pending).flatMap((byNonce) => Object.values(byNonce as Record<string, string>));
      return lines.map((line) => line.toLowerCase());
    },
    expected: [`${BOB.toLowerCase()}: 1 wei + 21000 gas × 10000000000 wei`],
  },
  {
    action: "setLoggingEnabled",
    says: "is taken",
    observe: (client) => outcome(client.setLoggingEnabled(false)),
    expected: "done",
    peers: withoutGanache,
  },
  {
    action: "dumpState",
    says: "is what loadState puts in the place of the chain, blocks included",
    observe: async (client) => {
      const hash = await send(client);
      await client.waitForTransactionReceipt({ hash });
      await client.setBalance({ address: NOBODY, value: 7n });
      const state = await client.dumpState();
      await client.mine({ blocks: 3 });
      await client.setBalance({ address: NOBODY, value: 8n });
      await client.loadState({ state });
      const { status } = await client.getTransactionReceipt({ hash });
      return [await headNumber(client), await client.getBalance({ address: NOBODY }), status];
    },
    expected: [1n, 7n, "success"],
    peers: {
      ...withoutGanache,
      hardhat: { observed: FAILS, why: "Hardhat has no method of that name." },
    },
  },
  {
    action: "loadState",
    says: "refuses bytes that are no state",
    observe: (client) => outcome(client.loadState({ state: "0x1234" })),
    expected: FAILS,
  },
  {
    action: "reset",
    says: "takes back everything since genesis",
    observe: async (client) => {
      await client.mine({ blocks: 3 });
      await client.setBalance({ address: NOBODY, value: 7n });
      await client.reset();
      return [await headNumber(client), await client.getBalance({ address: NOBODY })];
    },
    expected: [0n, 0n],
    peers: {
      ...withoutGanache,
      anvil: {
        observed: FAILS,
        why: "viem sends fork options without a URL, in which Anvil misses the URL; without a fork they can only mean a local reset.",
      },
      hardhat: { observed: FAILS, why: "Hardhat 3 has no reset." },
    },
  },
  {
    action: "reset",
    says: "refuses what is no URL",
    modes: ["anvil"],
    observe: (client) => outcome(client.reset({ jsonRpcUrl: "nowhere" })),
    expected: FAILS,
  },
  {
    action: "setRpcUrl",
    says: "is refused: there is no fork whose URL could change",
    observe: (client) => outcome(client.setRpcUrl("http://127.0.0.1:9")),
    expected: FAILS,
    peers: {
      anvil: {
        observed: "done",
        why: "Anvil takes a URL that it will never use; a clear refusal says that there is no fork.",
      },
    },
  },
];

/**
 * Requests whose answers depend on the dialect, with the answer in each: `test/node/options/dialect-rows.test.ts` asks our
 * node, `dialects.peers.ts` the nodes that the dialects name.
 */
import type { BEHAVIOURS, Dialect } from "../../src/node/options/dialect.ts";

/** A JSON-RPC answer. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message: string; readonly data?: unknown };
}

/** A node of some kind, with names that differ between kinds hidden. */
export interface AskedNode {
  readonly ask: (method: string, ...params: unknown[]) => Promise<Answer>;
  readonly accounts: readonly string[];
  readonly setCode: (address: string, code: string) => Promise<Answer>;
  readonly setBalance: (address: string, balance: string) => Promise<Answer>;
  readonly setAutomine: (enabled: boolean) => Promise<Answer>;
}

/** A question and its answers. */
export interface DialectCase {
  readonly row: keyof typeof BEHAVIOURS;
  readonly asks: string;
  readonly ask: (node: AskedNode) => Promise<unknown>;
  readonly answers: Readonly<Record<Dialect, unknown>>;
  /** Nodes that answer otherwise than their dialect, or not at all, with the reason. */
  readonly exceptions?: Readonly<Partial<Record<PeerName, string>>>;
}

/** The nodes that are asked. */
export type PeerName = "anvil" | "hardhat 3" | "hardhat 2" | "ganache";

/** The methods by which a kind of node is prepared. */
export const PREPARING: Readonly<Record<Dialect, readonly [setCode: string, setBalance: string]>> = {
  hindcast: ["anvil_setCode", "anvil_setBalance"],
  anvil: ["anvil_setCode", "anvil_setBalance"],
  hardhat: ["hardhat_setCode", "hardhat_setBalance"],
  ganache: ["evm_setAccountCode", "evm_setAccountBalance"],
};

/** A node that is asked over any transport. */
export async function askedNode(dialect: Dialect, ask: AskedNode["ask"]): Promise<AskedNode> {
  const [setCode, setBalance] = PREPARING[dialect];
  const { result } = await ask("eth_accounts");
  return {
    ask,
    accounts: result as string[],
    setCode: (address, code) => ask(setCode, address, code),
    setBalance: (address, balance) => ask(setBalance, address, balance),
    setAutomine: (enabled) =>
      dialect === "ganache" ? ask(enabled ? "miner_start" : "miner_stop") : ask("evm_setAutomine", enabled),
  };
}

const TO = `0x${"c0".repeat(20)}`;
const POOR = `0x${"ab".repeat(20)}`;
/** Returns the caller. */
const CALLER = "0x3360005260206000f3";
const NO_METHOD = "it has no such method";

/** Whether a request was answered with a result. */
const isTaken = ({ error }: Answer): string => (error === undefined ? "taken" : "refused");
const block = async ({ ask }: AskedNode, id: string): Promise<{ readonly timestamp: string }> =>
  (await ask("eth_getBlockByNumber", id, false)).result as { readonly timestamp: string };
const timeOf = async (node: AskedNode, id: string): Promise<number> => Number((await block(node, id)).timestamp);
const isWaiting = async ({ ask }: AskedNode, { result }: Answer): Promise<string> => {
  const found = (await ask("eth_getTransactionByHash", result)).result as { readonly blockNumber: unknown } | null;
  return found === null ? "gone" : found.blockNumber === null ? "waits" : "mined";
};
const send = ({ ask, accounts }: AskedNode, members: object = {}): Promise<Answer> =>
  ask("eth_sendTransaction", { from: accounts[0], to: TO, gas: "0x186a0", ...members });

/** In the order of the table's rows. */
export const CASES: readonly DialectCase[] = [
  {
    row: "callFees",
    asks: "whether a call with a fee cap below the base fee runs",
    ask: async ({ ask, accounts: [from] }) => [
      isTaken(await ask("eth_call", { from, to: TO, gasPrice: "0x1" }, "latest")),
      isTaken(await ask("eth_call", { from, to: TO, maxFeePerGas: "0x1" }, "latest")),
    ],
    answers: {
      hindcast: ["refused", "refused"],
      anvil: ["taken", "taken"],
      hardhat: ["taken", "taken"],
      ganache: ["taken", "taken"],
    },
  },
  {
    row: "callFees",
    asks: "whether a call runs whose sender cannot pay its gas, and one that cannot pay its value",
    ask: async ({ ask }) => [
      isTaken(await ask("eth_call", { from: POOR, to: TO, gasPrice: "0x77359400", gas: "0x186a0" }, "latest")),
      isTaken(await ask("eth_call", { from: POOR, to: TO, value: "0x1", gas: "0x186a0" }, "latest")),
    ],
    answers: {
      hindcast: ["refused", "refused"],
      anvil: ["refused", "refused"],
      hardhat: ["taken", "taken"],
      ganache: ["taken", "refused"],
    },
  },
  {
    row: "estimateFees",
    asks: "whether an estimate with a fee cap below the base fee runs",
    ask: async ({ ask, accounts: [from] }) => [
      isTaken(await ask("eth_estimateGas", { from, to: TO, gasPrice: "0x1" })),
      isTaken(await ask("eth_estimateGas", { from, to: TO, maxFeePerGas: "0x1" })),
    ],
    answers: {
      hindcast: ["refused", "refused"],
      anvil: ["taken", "taken"],
      hardhat: ["taken", "taken"],
      ganache: ["taken", "taken"],
    },
  },
  {
    row: "defaultSender",
    asks: "the caller of a call without from",
    ask: async ({ ask, setCode, accounts: [first] }) => {
      await setCode(TO, CALLER);
      const { result } = await ask("eth_call", { to: TO }, "latest");
      return String(result).endsWith(String(first).slice(2).toLowerCase()) ? "first" : BigInt(String(result));
    },
    answers: { hindcast: 0n, anvil: 0n, hardhat: "first", ganache: 0n },
  },
  {
    row: "looseParams",
    asks: "whether a value with a leading zero, a JSON number and a decimal text are taken",
    ask: async (node) => [
      isTaken(await send(node, { value: "0x01" })),
      isTaken(await send(node, { value: 10 })),
      isTaken(await send(node, { value: "10" })),
    ],
    answers: {
      hindcast: ["refused", "refused", "refused"],
      anvil: ["taken", "taken", "taken"],
      hardhat: ["taken", "taken", "taken"],
      ganache: ["taken", "taken", "taken"],
    },
    exceptions: {
      ganache: "it refuses decimal text; the dialect takes all forms, since no script depends on a refusal",
    },
  },
  {
    row: "looseParams",
    asks: "whether empty data and an empty value are taken",
    ask: async (node) => [isTaken(await send(node, { data: "" })), isTaken(await send(node, { value: "0x" }))],
    answers: {
      hindcast: ["refused", "refused"],
      anvil: ["taken", "taken"],
      hardhat: ["taken", "taken"],
      ganache: ["taken", "taken"],
    },
    exceptions: { ganache: "it refuses both; the dialect takes all forms, since no script depends on a refusal" },
  },
  {
    row: "poolAfterRevert",
    asks: "transactions sent before a snapshot and mined, sent and mined since, and sent since",
    ask: async (node) => {
      await node.setAutomine(false);
      const before = await send(node);
      const { result: id } = await node.ask("evm_snapshot");
      const mined = await send(node);
      await node.ask("evm_mine");
      const after = await send(node);
      await node.ask("evm_revert", id);
      return [await isWaiting(node, before), await isWaiting(node, mined), await isWaiting(node, after)];
    },
    answers: {
      hindcast: ["waits", "gone", "gone"],
      anvil: ["gone", "gone", "waits"],
      hardhat: ["waits", "gone", "gone"],
      ganache: ["gone", "gone", "gone"],
    },
    exceptions: {
      ganache: "it still finds mined transactions by hash, although its pool is empty",
    },
  },
  {
    row: "firstSnapshot",
    asks: "the ids of two snapshots",
    ask: async ({ ask }) => [(await ask("evm_snapshot")).result, (await ask("evm_snapshot")).result],
    answers: { hindcast: ["0x0", "0x1"], anvil: ["0x0", "0x1"], hardhat: ["0x1", "0x2"], ganache: ["0x1", "0x2"] },
  },
  {
    row: "minedInterval",
    asks: "seconds before each of three blocks with an interval, and before the block after them",
    ask: async (node) => {
      await node.ask("evm_mine");
      await node.ask("hardhat_mine", "0x3", "0x3c");
      await node.ask("evm_mine");
      const times = await Promise.all(["0x1", "0x2", "0x3", "0x4", "0x5"].map((id) => timeOf(node, id)));
      // A block is a second later than its parent, or as late as the clock is.
      return times.slice(1).map((time, index) => (time - (times[index] as number) >= 60 ? "interval" : "at once"));
    },
    answers: {
      hindcast: ["at once", "interval", "interval", "at once"],
      anvil: ["interval", "interval", "interval", "at once"],
      hardhat: ["at once", "interval", "interval", "at once"],
      ganache: ["at once", "interval", "interval", "at once"],
    },
    exceptions: { ganache: NO_METHOD },
  },
  {
    row: "setTimeUnit",
    asks: "the time that evm_setTime sets",
    ask: async (node) => {
      await node.ask("evm_setTime", 5_000_000_000);
      await node.ask("evm_mine");
      return (await timeOf(node, "latest")) >= 5_000_000_000;
    },
    answers: { hindcast: true, anvil: true, hardhat: true, ganache: false },
    exceptions: { "hardhat 3": NO_METHOD, "hardhat 2": NO_METHOD },
  },
  {
    row: "lowerNonce",
    asks: "whether a nonce can be lowered",
    ask: async (node) => {
      await node.ask("hardhat_setNonce", POOR, "0x5");
      return isTaken(await node.ask("hardhat_setNonce", POOR, "0x4"));
    },
    answers: { hindcast: "taken", anvil: "taken", hardhat: "refused", ganache: "taken" },
    exceptions: { ganache: NO_METHOD },
  },
  {
    row: "cheapTransactions",
    asks: "transactions below the base fee with automine off, after a block",
    ask: async (node) => {
      await node.setAutomine(false);
      const cap = await send(node, { maxFeePerGas: "0x2", maxPriorityFeePerGas: "0x1" });
      const price = await send(node, { nonce: "0x1", gasPrice: "0x0" });
      await node.ask("evm_mine");
      return [
        isTaken(cap) === "taken" ? await isWaiting(node, cap) : "refused",
        isTaken(price) === "taken" ? await isWaiting(node, price) : "refused",
      ];
    },
    answers: {
      hindcast: ["waits", "waits"],
      anvil: ["refused", "refused"],
      hardhat: ["waits", "waits"],
      ganache: ["waits", "waits"],
    },
  },
  {
    row: "nonceGaps",
    asks: "a transaction behind a missing nonce with automine on",
    ask: async (node) => {
      const answer = await send(node, { nonce: "0x5" });
      return isTaken(answer) === "taken" ? await isWaiting(node, answer) : "refused";
    },
    answers: { hindcast: "waits", anvil: "waits", hardhat: "refused", ganache: "waits" },
    exceptions: { ganache: "its answer waits for the transaction to be mined, which we answer at once" },
  },
  {
    row: "emptyCreations",
    asks: "a transaction with neither to nor data",
    ask: async ({ ask, accounts: [from] }) => isTaken(await ask("eth_sendTransaction", { from, gas: "0x186a0" })),
    answers: { hindcast: "refused", anvil: "taken", hardhat: "refused", ganache: "taken" },
  },
  {
    row: "defaultGas",
    asks: "the gas of a transaction that states none",
    ask: async (node) => {
      const { result } = await send(node, { gas: undefined });
      const { result: tx } = await node.ask("eth_getTransactionByHash", result);
      return (tx as { readonly gas: string }).gas === "0x15f90" ? "90,000" : "estimated";
    },
    answers: { hindcast: "estimated", anvil: "estimated", hardhat: "estimated", ganache: "90,000" },
  },
  {
    row: "logsBeyondHead",
    asks: "logs up to a block beyond the head",
    ask: async ({ ask }) => {
      const { result: filter } = await ask("eth_newFilter", { fromBlock: "0x0", toBlock: "0x9" });
      const answers = [
        await ask("eth_getLogs", { fromBlock: "0x0", toBlock: "0x1" }),
        await ask("eth_getFilterLogs", filter),
      ];
      return answers.map((answer) => answer.result ?? "refused");
    },
    answers: { hindcast: ["refused", "refused"], anvil: [[], []], hardhat: [[], []], ganache: [[], []] },
  },
  {
    row: "logsBeyondHead",
    asks: "logs of blocks that are all beyond the head",
    ask: async ({ ask }) => (await ask("eth_getLogs", { fromBlock: "0x5", toBlock: "0x9" })).result ?? "refused",
    answers: { hindcast: "refused", anvil: [], hardhat: [], ganache: [] },
    exceptions: { anvil: "it refuses such a range, although it answers one that begins before the head's end" },
  },
  {
    row: "failedTransactions",
    asks: "the answer to a transaction that fails when it is mined",
    ask: async (node) => {
      await node.setCode(TO, "0x60006000fd");
      return [isTaken(await send(node)), Number((await node.ask("eth_blockNumber")).result)];
    },
    answers: { hindcast: ["taken", 1], anvil: ["taken", 1], hardhat: ["refused", 1], ganache: ["taken", 1] },
  },
  {
    row: "doneAnswer",
    asks: "the answers of methods that set something",
    ask: async ({ ask }) => [
      (await ask("hardhat_setBalance", POOR, "0x1")).result,
      (await ask("hardhat_setCode", POOR, "0x00")).result,
      (await ask("hardhat_setNextBlockBaseFeePerGas", "0x10")).result,
      (await ask("hardhat_mine", "0x1")).result,
      (await ask("evm_setAutomine", true)).result,
      (await ask("hardhat_impersonateAccount", POOR)).result,
      (await ask("hardhat_stopImpersonatingAccount", POOR)).result,
      (await ask("hardhat_stopImpersonatingAccount", POOR)).result,
    ],
    answers: {
      hindcast: [null, null, null, null, null, null, null, null],
      anvil: [null, null, null, null, null, null, null, null],
      hardhat: [true, true, true, true, true, true, true, false],
      ganache: [null, null, null, null, null, null, null, null],
    },
    exceptions: { ganache: NO_METHOD },
  },
  {
    row: "timeAnswer",
    asks: "the kind of the answers of evm_increaseTime and evm_setNextBlockTimestamp",
    ask: async ({ ask }) => {
      const { result: added } = await ask("evm_increaseTime", 10);
      const { result: set } = await ask("evm_setNextBlockTimestamp", 5_000_000_000);
      return [typeof added, set];
    },
    answers: {
      hindcast: ["number", null],
      anvil: ["number", null],
      hardhat: ["string", "5000000000"],
      ganache: ["number", null],
    },
    exceptions: { ganache: "it has no evm_setNextBlockTimestamp" },
  },
  {
    row: "minedAnswer",
    asks: "the answer of evm_mine",
    ask: async ({ ask }) => (await ask("evm_mine")).result,
    answers: { hindcast: "0x0", anvil: "0x0", hardhat: "0", ganache: "0x0" },
  },
  {
    row: "poolSenders",
    asks: "whether the sender in txpool_content is in lower case",
    ask: async (node) => {
      await node.setAutomine(false);
      await send(node);
      const { result } = await node.ask("txpool_content");
      const [sender] = Object.keys((result as { readonly pending: object }).pending) as [string];
      return sender === sender.toLowerCase();
    },
    answers: { hindcast: false, anvil: true, hardhat: false, ganache: true },
    exceptions: { "hardhat 3": NO_METHOD, "hardhat 2": NO_METHOD },
  },
  {
    row: "clientName",
    asks: "the begin of the name",
    ask: async ({ ask }) => /^[a-z]+/i.exec(String((await ask("web3_clientVersion")).result))?.[0],
    answers: { hindcast: "anvil", anvil: "anvil", hardhat: "HardhatNetwork", ganache: "Ganache" },
  },
];

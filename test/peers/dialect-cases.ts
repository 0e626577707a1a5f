/**
 * Requests whose answers depend on the dialect, with the answer in each: `test/node/options/dialect-rows.sweep.test.ts` asks our
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

/** Ganache's names of what others call by Hardhat's. */
const GANACHE_NAMES: Readonly<Record<string, string>> = {
  hardhat_setCode: "evm_setAccountCode",
  hardhat_setBalance: "evm_setAccountBalance",
  hardhat_setNonce: "evm_setAccountNonce",
  hardhat_setStorageAt: "evm_setAccountStorageAt",
};

/** A node that is asked over any transport. */
export async function askedNode(dialect: Dialect, send: AskedNode["ask"]): Promise<AskedNode> {
  const ask: AskedNode["ask"] = (method, ...params) => {
    if (dialect !== "ganache") return send(method, ...params);
    if (method === "evm_setAutomine") return send(params[0] === true ? "miner_start" : "miner_stop");
    return send(GANACHE_NAMES[method] ?? method, ...params);
  };
  const [setCode, setBalance] = PREPARING[dialect];
  const { result } = await ask("eth_accounts");
  return {
    ask,
    accounts: result as string[],
    setCode: (address, code) => ask(setCode, address, code),
    setBalance: (address, balance) => ask(setBalance, address, balance),
    setAutomine: (enabled) => ask("evm_setAutomine", enabled),
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

/** The number and the text of an error. */
const words = ({ error, result }: Answer): unknown =>
  error === undefined ? { result } : [error.code, error.message.split("\n")[0]];
/** Init code that reverts with the data. */
const reverting = (data: string): string => {
  const length = (data.length / 2).toString(16).padStart(2, "0");
  return `0x60${length}600c60003960${length}6000fd${data}`;
};
const WORD = (value: string): string => value.padStart(64, "0");
const REASON = `08c379a0${WORD("20")}${WORD("4")}${"6e6f7065".padEnd(64, "0")}`;
const PANIC = `4e487b71${WORD("12")}`;
const HH_PANIC =
  "VM Exception while processing transaction: reverted with panic code 0x12 (Division or modulo division by zero)";
const HH_CUSTOM =
  "VM Exception while processing transaction: reverted with an unrecognized custom error (return data: 0xdeadbeef)";
const HH_2 = "Hardhat 2's number of a revert is -32603; the dialect has Hardhat 3's";
const NO_NUMBER = "in its process it gives no number with this error";

const HARDHAT_REVERTS = {
  "a reason": "VM Exception while processing transaction: reverted with reason string 'nope'",
  "no data": "Transaction reverted without a reason string",
  "a custom error": HH_CUSTOM,
  "a panic": HH_PANIC,
} as const;
const GETH_HALTS = {
  "out of gas": "out of gas",
  INVALID: "invalid opcode: INVALID",
  "a stack that is too short": "stack underflow (0 <=> 1)",
} as const;

/** Texts and numbers of errors. */
const ERRORS: readonly DialectCase[] = [
  ...(
    [
      ["a reason", reverting(REASON), "execution reverted: nope", "execution reverted: nope", "nope"],
      ["no data", "0x60006000fd", "execution reverted", "execution reverted", undefined],
      [
        "a custom error",
        reverting("deadbeef"),
        "execution reverted",
        "execution reverted: custom error 0xdeadbeef",
        undefined,
      ],
      [
        "a panic",
        reverting(PANIC),
        "execution reverted: division or modulo by zero",
        "execution reverted: panic: division or modulo by zero (0x12)",
        undefined,
      ],
    ] as const
  ).map(
    ([name, code, geth, anvil, reason]): DialectCase => ({
      row: "errorWords",
      asks: `a call that reverts with ${name}`,
      ask: async ({ ask, setCode, accounts: [from] }) => {
        await setCode(TO, code);
        return words(await ask("eth_call", { from, to: TO, gas: "0x186a0" }, "latest"));
      },
      answers: {
        hindcast: [3, geth],
        anvil: [3, anvil],
        hardhat: [3, HARDHAT_REVERTS[name]],
        ganache: [
          -32000,
          `VM Exception while processing transaction: revert${reason === undefined ? "" : ` ${reason}`}`,
        ],
      },
      exceptions: { "hardhat 2": HH_2 },
    }),
  ),
  ...(
    [
      ["out of gas", "0x5b600056", -32000, "Transaction ran out of gas", "EVM error OutOfGas", "out of gas"],
      [
        "INVALID",
        "0xfe",
        3,
        "VM Exception while processing transaction: invalid opcode",
        "EVM error InvalidFEOpcode",
        "invalid opcode",
      ],
      [
        "a stack that is too short",
        "0x50",
        3,
        "Transaction reverted without a reason string",
        "EVM error StackUnderflow",
        "stack underflow",
      ],
    ] as const
  ).map(
    ([name, code, number, hardhat, anvil, ganache]): DialectCase => ({
      row: "errorWords",
      asks: `a call that halts: ${name}`,
      ask: async ({ ask, setCode, accounts: [from] }) => {
        await setCode(TO, code);
        return words(await ask("eth_call", { from, to: TO, gas: "0x186a0" }, "latest"));
      },
      answers: {
        hindcast: [-32000, GETH_HALTS[name]],
        anvil: [-32603, anvil],
        hardhat: [number, hardhat],
        ganache: [-32000, `VM Exception while processing transaction: ${ganache}`],
      },
      exceptions: number === 3 ? { "hardhat 2": HH_2 } : {},
    }),
  ),
  {
    row: "errorWords",
    asks: "a transaction that its sender cannot pay",
    ask: async (node) => {
      const { result } = await node.ask("eth_getBalance", node.accounts[0], "latest");
      const [number, text] = words(await send(node, { value: result, gas: "0x5208", gasPrice: "0x77359400" })) as [
        number,
        string,
      ];
      return [number, text.slice(0, 40)];
    },
    answers: {
      hindcast: [-32000, "insufficient funds for gas * price + val"],
      anvil: [-32003, "Insufficient funds for gas * price + val"],
      hardhat: [-32000, "Sender doesn't have enough funds to send"],
      ganache: [-32003, "insufficient funds for gas * price + val"],
    },
  },
  {
    row: "errorWords",
    asks: "a nonce that was used",
    ask: async (node) => {
      await send(node);
      return words(await send(node, { nonce: "0x0" }));
    },
    answers: {
      hindcast: [
        -32000,
        'nonce too low: next nonce 1, tx nonce 0. Use the sender\'s next nonce: eth_getTransactionCount with "pending" gives it.',
      ],
      anvil: [-32003, "nonce too low"],
      hardhat: [
        -32000,
        "Nonce too low. Expected nonce to be 1 but got 0. Note that transactions can't be queued when automining.",
      ],
      ganache: [-32000, "the tx doesn't have the correct nonce. account has nonce of: 1 tx has nonce of: 0"],
    },
  },
  {
    row: "errorWords",
    asks: "a state after a block that there is not",
    ask: async ({ ask, accounts: [from] }) => words(await ask("eth_getBalance", from, "0x99")),
    answers: {
      hindcast: [-32000, "header not found"],
      anvil: [-32602, "BlockOutOfRangeError: block height is 0 but requested was 153"],
      hardhat: [-32000, "Received invalid block tag 153. Latest block number is 0"],
      ganache: [-32000, "header not found"],
    },
    exceptions: { ganache: NO_NUMBER },
  },
  {
    row: "errorWords",
    asks: "too little gas for what is paid before code runs",
    ask: async (node) => {
      const [number, text] = words(await send(node, { gas: "0x5207" })) as [number, string];
      return [number, text.slice(0, 21)];
    },
    answers: {
      hindcast: [-32000, "intrinsic gas too low"],
      anvil: [-32000, "intrinsic gas too low"],
      hardhat: [-32000, "Transaction requires "],
      ganache: [-32000, "intrinsic gas too low"],
    },
  },
  {
    row: "errorWords",
    asks: "a method that nobody has",
    ask: async ({ ask }) => {
      const [number, text] = words(await ask("eth_nope")) as [number, string];
      return [number, text.slice(0, 30)];
    },
    answers: {
      hindcast: [-32601, "the method eth_nope does not e"],
      anvil: [-32601, "Method not found"],
      hardhat: [-32004, "Method eth_nope is not support"],
      ganache: [-32601, "The method eth_nope does not e"],
    },
    exceptions: { ganache: NO_NUMBER },
  },
  {
    row: "errorWords",
    asks: "a timestamp before the head's",
    ask: async ({ ask }) => {
      const [number, text] = words(await ask("evm_setNextBlockTimestamp", 1)) as [number, string];
      return [number, text.slice(0, 31)];
    },
    answers: {
      hindcast: [-32602, "Timestamp 1 is not after the he"],
      anvil: [-32602, "Timestamp error: 1 is lower tha"],
      hardhat: [-32000, "Timestamp 1 is lower than the p"],
      ganache: [-32602, "Timestamp 1 is not after the he"],
    },
    exceptions: { ganache: NO_METHOD },
  },
];

/** In the order of the table's rows. */
export const CASES: readonly DialectCase[] = [
  ...(
    [
      ["out of gas", "0x5b600056"],
      ["INVALID", "0xfe"],
      ["a stack that is too short", "0x50"],
      ["a jump to nowhere", "0x600056"],
    ] as const
  ).map(
    ([name, code]): DialectCase => ({
      row: "haltData",
      asks: `the data of a call that halts: ${name}`,
      ask: async ({ ask, setCode, accounts: [from] }) => {
        await setCode(TO, code);
        const { error } = await ask("eth_call", { from, to: TO, gas: "0x186a0" }, "latest");
        const data = error?.data;
        // Hardhat has it beside a message.
        return (typeof data === "object" && data !== null ? (data as { readonly data?: unknown }).data : data) ?? null;
      },
      answers: { hindcast: null, anvil: null, hardhat: "0x", ganache: "0x" },
    }),
  ),
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
      return String(result).endsWith(String(first).slice(2).toLowerCase()) ? "first" : Number(BigInt(String(result)));
    },
    answers: { hindcast: 0, anvil: 0, hardhat: "first", ganache: 0 },
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
    row: "nonceEdits",
    asks: "whether a nonce can be lowered",
    ask: async (node) => {
      await node.ask("hardhat_setNonce", POOR, "0x5");
      return isTaken(await node.ask("hardhat_setNonce", POOR, "0x4"));
    },
    answers: { hindcast: "taken", anvil: "taken", hardhat: "refused", ganache: "taken" },
    exceptions: { ganache: NO_METHOD },
  },
  {
    row: "nonceEdits",
    asks: "whether a nonce is set while transactions wait",
    ask: async ({ ask, accounts, setAutomine, ...node }) => {
      await setAutomine(false);
      await send({ ask, accounts, setAutomine, ...node });
      return isTaken(await ask("hardhat_setNonce", POOR, "0x5"));
    },
    answers: { hindcast: "taken", anvil: "taken", hardhat: "refused", ganache: "taken" },
  },
  {
    row: "wordLength",
    asks: "whether a slot is set to a value of one byte",
    ask: async ({ ask }) => [
      isTaken(await ask("hardhat_setStorageAt", POOR, "0x0", "0x01")),
      isTaken(await ask("hardhat_setStorageAt", POOR, "0x0", `0x${"01".repeat(32)}`)),
    ],
    answers: {
      hindcast: ["taken", "taken"],
      anvil: ["taken", "taken"],
      hardhat: ["refused", "taken"],
      ganache: ["taken", "taken"],
    },
    exceptions: {
      anvil: "it takes 32 bytes only; its dialect takes less as well, since no script depends on a refusal",
      ganache: "its keys have 32 bytes, too",
    },
  },
  {
    row: "minedAtHead",
    asks: "the number of blocks after two at the same time",
    ask: async ({ ask }) => {
      await ask("evm_mine", 5_000_000_000);
      await ask("evm_mine", 5_000_000_000);
      return (await ask("eth_blockNumber")).result;
    },
    answers: { hindcast: "0x1", anvil: "0x2", hardhat: "0x2", ganache: "0x2" },
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
    exceptions: { ganache: "it drops them with the next block" },
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
    row: "defaultGas",
    asks: "the blocks after a transaction that states no gas and fails",
    ask: async (node) => {
      await node.setCode(TO, "0x60006000fd");
      const before = Number((await node.ask("eth_blockNumber")).result);
      await send(node, { gas: undefined });
      return Number((await node.ask("eth_blockNumber")).result) - before;
    },
    answers: { hindcast: 0, anvil: 1, hardhat: 0, ganache: 1 },
    exceptions: { "hardhat 2": "its requests have the gas of a block, and so the transaction is mined" },
  },
  {
    row: "feeHistoryLength",
    asks: "fees of no block, and of 1,025",
    ask: async ({ ask }) => [
      isTaken(await ask("eth_feeHistory", "0x0", "latest", [])),
      isTaken(await ask("eth_feeHistory", "0x401", "latest", [])),
    ],
    answers: {
      hindcast: ["taken", "taken"],
      anvil: ["taken", "taken"],
      hardhat: ["refused", "refused"],
      ganache: ["taken", "taken"],
    },
  },
  {
    row: "blobCalls",
    asks: "whether a call with blobs runs, and one with their hashes alone",
    ask: async ({ ask, accounts: [from] }) => {
      const hashes = { from, to: TO, blobVersionedHashes: [`0x01${"00".repeat(31)}`] };
      const blobs = { from, to: TO, blobs: [`0x${"00".repeat(131_072)}`] };
      return [isTaken(await ask("eth_call", blobs, "latest")), isTaken(await ask("eth_call", hashes, "latest"))];
    },
    answers: {
      hindcast: ["taken", "taken"],
      anvil: ["taken", "taken"],
      hardhat: ["refused", "taken"],
      ganache: ["taken", "taken"],
    },
  },
  {
    row: "emptyCalls",
    asks: "whether a call and an estimate with neither to nor data run",
    ask: async ({ ask }) => [
      isTaken(await ask("eth_call", {}, "latest")),
      isTaken(await ask("eth_estimateGas", {}, "latest")),
    ],
    answers: {
      hindcast: ["taken", "taken"],
      anvil: ["taken", "taken"],
      hardhat: ["refused", "refused"],
      ganache: ["taken", "taken"],
    },
  },
  {
    row: "fullTransactions",
    asks: "the transactions of a block where the request does not say whether they are whole",
    ask: async (node) => {
      await send(node);
      const { result } = await node.ask("eth_getBlockByNumber", "latest");
      return result === undefined ? "refused" : typeof (result as { transactions: unknown[] }).transactions[0];
    },
    answers: { hindcast: "refused", anvil: "refused", hardhat: "refused", ganache: "string" },
  },
  {
    row: "automineIsMining",
    asks: "whether it mines, with automine on and off",
    ask: async ({ ask, setAutomine }) => {
      const { result } = await ask("eth_mining");
      await setAutomine(false);
      return [result, (await ask("eth_mining")).result];
    },
    answers: { hindcast: [true, false], anvil: [true, false], hardhat: [false, false], ganache: [true, false] },
    exceptions: { anvil: NO_METHOD, "hardhat 3": NO_METHOD },
  },
  {
    row: "addedAccounts",
    asks: "whether an added account sends, before and after it was unlocked, and after it was removed",
    ask: async ({ ask, setBalance }) => {
      await setBalance(POOR, "0xde0b6b3a7640000");
      const sends = async () => isTaken(await ask("eth_sendTransaction", { from: POOR, to: TO, gas: "0x5208" }));
      const added = (await ask("evm_addAccount", POOR, "words")).result;
      const locked = await sends();
      const wrong = isTaken(await ask("personal_unlockAccount", POOR, "others", 0));
      await ask("personal_unlockAccount", POOR, "words", 0);
      const unlocked = await sends();
      const removed = (await ask("evm_removeAccount", POOR, "words")).result;
      return [added, locked, wrong, unlocked, removed, await sends()];
    },
    answers: {
      hindcast: [true, "taken", "refused", "taken", true, "refused"],
      anvil: [true, "taken", "refused", "taken", true, "refused"],
      hardhat: [true, "taken", "refused", "taken", true, "refused"],
      ganache: [true, "refused", "refused", "taken", true, "refused"],
    },
    exceptions: { anvil: NO_METHOD, "hardhat 2": NO_METHOD, "hardhat 3": NO_METHOD },
  },
  {
    row: "addedAccounts",
    asks: "whether an account of the mnemonic sends after it was removed",
    ask: async (node) => [
      (await node.ask("evm_removeAccount", node.accounts[0], "")).result,
      isTaken(await send(node)),
    ],
    answers: {
      hindcast: [false, "taken"],
      anvil: [false, "taken"],
      hardhat: [false, "taken"],
      ganache: [true, "refused"],
    },
    exceptions: { anvil: NO_METHOD, "hardhat 2": NO_METHOD, "hardhat 3": NO_METHOD },
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
      const before = Number((await node.ask("eth_blockNumber")).result);
      return [isTaken(await send(node)), Number((await node.ask("eth_blockNumber")).result) - before];
    },
    answers: { hindcast: ["taken", 1], anvil: ["taken", 1], hardhat: ["refused", 1], ganache: ["taken", 1] },
  },
  ...ERRORS,
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
      ganache: [true, true, true, true, true, true, true, false],
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
      ganache: ["number", true],
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

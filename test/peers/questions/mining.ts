/** Mining, time, snapshots and the settings of later blocks. */
import type { AskedNode } from "../dialect-cases.ts";
import { after, FIRST, type Question, request, TO, told } from "./question.ts";

const numberOf = async ({ ask }: AskedNode): Promise<unknown> => (await ask("eth_blockNumber")).result;
const member = async ({ ask }: AskedNode, name: string): Promise<unknown> =>
  ((await ask("eth_getBlockByNumber", "latest", false)).result as Record<string, unknown>)[name];
const kind = (value: unknown): string => typeof value;
const send = (members: object = {}) =>
  ["eth_sendTransaction", { from: FIRST, to: TO, gas: "0x5208", ...members }] as const;

async function blocksAfter(
  node: AskedNode,
  ...requests: readonly (readonly [string, ...unknown[]])[]
): Promise<unknown> {
  const answers: unknown[] = [];
  for (const request of requests) answers.push(told(await node.ask(...request)));
  return [...answers, await numberOf(node)];
}
const blocks = (asks: string, ...requests: readonly (readonly [string, ...unknown[]])[]): Question => ({
  asks,
  ask: (node) => blocksAfter(node, ...requests),
});

export const MINING: readonly Question[] = [
  blocks("evm_mine", ["evm_mine"]),
  blocks("evm_mine with a time", ["evm_mine", 5_000_000_000]),
  blocks("evm_mine with a time in hex", ["evm_mine", "0x12a05f200"]),
  blocks("evm_mine with a time in decimal text", ["evm_mine", "5000000000"]),
  blocks("evm_mine with an earlier time", ["evm_mine", 1]),
  blocks("evm_mine with no number", ["evm_mine", "nope"]),
  blocks("evm_mine with a time twice", ["evm_mine", 5_000_000_000], ["evm_mine", 5_000_000_000]),
  blocks("evm_mine with a fraction", ["evm_mine", 5_000_000_000.5]),
  blocks("evm_mine with a negative time", ["evm_mine", -1]),
  blocks("evm_mine with options", ["evm_mine", { blocks: 3 }]),
  blocks("hardhat_mine", ["hardhat_mine"]),
  blocks("hardhat_mine of no block", ["hardhat_mine", "0x0"]),
  blocks("hardhat_mine of three", ["hardhat_mine", "0x3"]),
  blocks("hardhat_mine of a number", ["hardhat_mine", 3]),
  blocks("hardhat_mine of a text", ["hardhat_mine", "3"]),
  blocks("hardhat_mine of nope", ["hardhat_mine", "nope"]),
  blocks("hardhat_mine with an interval of zero", ["hardhat_mine", "0x3", "0x0"]),
  blocks("hardhat_mine with an interval that is nope", ["hardhat_mine", "0x3", "nope"]),
  blocks("hardhat_mine with a fraction", ["hardhat_mine", 1.5]),
  blocks("hardhat_mine with a negative number", ["hardhat_mine", -1]),
  blocks("hardhat_mine with leading zeros", ["hardhat_mine", "0x03"]),
  blocks("hardhat_mine of a thousand", ["hardhat_mine", "0x3e8"]),
  {
    asks: "hardhat_mine mines what waits",
    ask: async (node) => {
      await node.setAutomine(false);
      await node.ask(...send());
      await node.ask("hardhat_mine", "0x3");
      return (await node.ask("eth_getBlockTransactionCountByNumber", "0x1")).result;
    },
  },
  {
    asks: "the base fee after many empty blocks",
    ask: async (node) => {
      await node.ask("hardhat_mine", "0x64");
      return member(node, "baseFeePerGas");
    },
  },
  {
    asks: "a base fee that is set",
    ask: async (node) => {
      await node.ask("hardhat_setNextBlockBaseFeePerGas", "0x64");
      await node.ask("evm_mine");
      return member(node, "baseFeePerGas");
    },
  },
  {
    asks: "a base fee that is set, for several blocks",
    ask: async (node) => {
      await node.ask("hardhat_setNextBlockBaseFeePerGas", "0x0");
      await node.ask("hardhat_mine", "0x3");
      return member(node, "baseFeePerGas");
    },
  },
  request("a base fee that is no number", "hardhat_setNextBlockBaseFeePerGas", "nope"),
  request("a base fee that is a JSON number", "hardhat_setNextBlockBaseFeePerGas", 5),
  request("a base fee below zero", "hardhat_setNextBlockBaseFeePerGas", -5),
  request("a least gas price", "hardhat_setMinGasPrice", "0x1"),
  request("a prevRandao", "hardhat_setPrevRandao", `0x${"01".repeat(32)}`),
  request("a prevRandao of one byte", "hardhat_setPrevRandao", "0x1"),
  request("a prevRandao of 33 bytes", "hardhat_setPrevRandao", `0x${"01".repeat(33)}`),
  request("a prevRandao that is no hex", "hardhat_setPrevRandao", "nope"),
  {
    asks: "a prevRandao that is set",
    ask: async (node) => {
      await node.ask("hardhat_setPrevRandao", `0x${"01".repeat(32)}`);
      await node.ask("evm_mine");
      return member(node, "mixHash");
    },
  },
  request("a coinbase of a short address", "hardhat_setCoinbase", "0x1234"),
  request("a coinbase", "hardhat_setCoinbase", TO),
  after("the coinbase after it was set", ["hardhat_setCoinbase", TO], ["eth_coinbase"]),
  {
    asks: "a coinbase that is set",
    ask: async (node) => {
      await node.ask("hardhat_setCoinbase", TO);
      await node.ask("evm_mine");
      return member(node, "miner");
    },
  },
  request("a block's gas limit of zero", "evm_setBlockGasLimit", "0x0"),
  request("a block's gas limit", "evm_setBlockGasLimit", "0xf4240"),
  request("a block's gas limit that is a number", "evm_setBlockGasLimit", 1_000_000),
  request("a block's gas limit that is nope", "evm_setBlockGasLimit", "nope"),
  {
    asks: "a block's gas limit that is set",
    ask: async (node) => {
      await node.ask("evm_setBlockGasLimit", "0xf4240");
      await node.ask("evm_mine");
      return member(node, "gasLimit");
    },
  },
  after(
    "a transaction above a block's lowered gas limit",
    ["evm_setBlockGasLimit", "0xf4240"],
    send({ gas: "0xf4241" }),
  ),
  request("automine of a text", "evm_setAutomine", "true"),
  request("automine of nothing", "evm_setAutomine"),
  request("automine", "evm_setAutomine", true),
  after("whether automine is on", ["evm_setAutomine", false], ["hardhat_getAutomine"]),
  request("whether automine is on at the beginning", "hardhat_getAutomine"),
  request("an interval below zero", "evm_setIntervalMining", -1),
  request("an interval of zero", "evm_setIntervalMining", 0),
  request("an interval that is a text", "evm_setIntervalMining", "1000000"),
  request("an interval with two ends", "evm_setIntervalMining", [1_000_000, 2_000_000]),
  request("an interval whose ends descend", "evm_setIntervalMining", [2_000_000, 1_000_000]),
  request("an interval with three ends", "evm_setIntervalMining", [1, 2, 3]),
  blocks("a block of interval mining on request", ["hardhat_intervalMine"]),
  {
    asks: "time that is added",
    ask: async (node) => [kind((await node.ask("evm_increaseTime", 100)).result), told(await node.ask("evm_mine"))],
  },
  ...(
    [
      ["hex", "0x64"],
      ["decimal text", "100"],
      ["a fraction", 1.5],
      ["a negative number", -100],
      ["nope", "nope"],
      ["nothing", undefined],
      ["null", null],
    ] as const
  ).map(
    ([name, value]): Question => ({
      asks: `time that is added: ${name}`,
      ask: async ({ ask }) => {
        const answer = await ask("evm_increaseTime", ...(value === undefined ? [] : [value]));
        return answer.error === undefined ? kind(answer.result) : told(answer);
      },
    }),
  ),
  {
    asks: "time that is added adds up",
    ask: async ({ ask }) => {
      await ask("evm_increaseTime", 100);
      return Number((await ask("evm_increaseTime", 50)).result) >= 150;
    },
  },
  {
    asks: "whether a block after added time is later by it",
    ask: async (node) => {
      const before = Number(await member(node, "timestamp"));
      await node.ask("evm_increaseTime", 10_000);
      await node.ask("evm_mine");
      const later = Number(await member(node, "timestamp")) - before;
      return later >= 10_000 && later < 10_100;
    },
  },
  request("the next time", "evm_setNextBlockTimestamp", 5_000_000_000),
  request("the next time in hex", "evm_setNextBlockTimestamp", "0x12a05f200"),
  request("the next time in decimal text", "evm_setNextBlockTimestamp", "5000000000"),
  request("the next time before the head's", "evm_setNextBlockTimestamp", 1),
  request("the next time that is nope", "evm_setNextBlockTimestamp", "nope"),
  request("the next time below zero", "evm_setNextBlockTimestamp", -1),
  request("the next time of nothing", "evm_setNextBlockTimestamp"),
  after("the next time that is the head's", ["evm_mine", 5_000_000_000], ["evm_setNextBlockTimestamp", 5_000_000_000]),
  {
    asks: "the time of a block that was set, and of the one after it",
    ask: async (node) => {
      await node.ask("evm_setNextBlockTimestamp", 5_000_000_000);
      await node.ask("evm_mine");
      const first = await member(node, "timestamp");
      await node.ask("evm_mine");
      return [first, Number(await member(node, "timestamp")) - Number(first) <= 5];
    },
  },
  {
    asks: "the time of a pending block after it was set",
    ask: async ({ ask }) => {
      await ask("evm_setNextBlockTimestamp", 5_000_000_000);
      return ((await ask("eth_getBlockByNumber", "pending", false)).result as { timestamp: string }).timestamp;
    },
  },
  {
    asks: "the time of a block after a call with the next time",
    ask: async (node) => {
      await node.ask("evm_setNextBlockTimestamp", 5_000_000_000);
      await node.ask("eth_call", { from: FIRST, to: TO }, "pending");
      await node.ask(...send());
      return member(node, "timestamp");
    },
  },
  {
    asks: "added time after the next time was set",
    ask: async (node) => {
      await node.ask("evm_setNextBlockTimestamp", 5_000_000_000);
      await node.ask("evm_increaseTime", 1_000);
      await node.ask("evm_mine");
      return member(node, "timestamp");
    },
  },
  request("a snapshot", "evm_snapshot"),
  request("a snapshot with a param", "evm_snapshot", "0x1"),
  request("a revert to what was not taken", "evm_revert", "0x64"),
  request("a revert to zero", "evm_revert", "0x0"),
  request("a revert to nope", "evm_revert", "nope"),
  request("a revert to nothing", "evm_revert"),
  request("a revert to a number", "evm_revert", 100),
  request("a revert to a snapshot by decimal text", "evm_revert", "1"),
  {
    asks: "a revert, twice",
    ask: async ({ ask }) => {
      const { result } = await ask("evm_snapshot");
      await ask("evm_mine");
      const first = told(await ask("evm_revert", result));
      return [first, told(await ask("evm_revert", result)), (await ask("eth_blockNumber")).result];
    },
  },
  {
    asks: "a revert to the first of two",
    ask: async ({ ask }) => {
      const { result: first } = await ask("evm_snapshot");
      await ask("evm_mine");
      const { result: second } = await ask("evm_snapshot");
      return [
        told(await ask("evm_revert", first)),
        told(await ask("evm_revert", second)),
        (await ask("evm_snapshot")).result,
      ];
    },
  },
  {
    asks: "settings after a revert",
    ask: async (node) => {
      const { ask } = node;
      const { result } = await ask("evm_snapshot");
      await ask("evm_setBlockGasLimit", "0xf4240");
      await ask("hardhat_setCoinbase", TO);
      await ask("evm_setAutomine", false);
      await ask("hardhat_setNextBlockBaseFeePerGas", "0x5");
      await ask("evm_revert", result);
      const isAutomine = (await ask("hardhat_getAutomine")).result;
      await ask("evm_mine");
      return [
        isAutomine,
        await member(node, "gasLimit"),
        await member(node, "miner"),
        await member(node, "baseFeePerGas"),
      ];
    },
  },
  {
    asks: "an impersonated account after a revert",
    ask: async ({ ask }) => {
      const account = `0x${"ab".repeat(20)}`;
      await ask("hardhat_setBalance", account, "0xde0b6b3a7640000");
      const { result } = await ask("evm_snapshot");
      await ask("hardhat_impersonateAccount", account);
      await ask("evm_revert", result);
      const { error } = await ask("eth_sendTransaction", { from: account, to: TO, gas: "0x5208" });
      return error === undefined ? "taken" : "refused";
    },
  },
  {
    asks: "the time after a revert",
    ask: async (node) => {
      const before = Number(await member(node, "timestamp"));
      const { result } = await node.ask("evm_snapshot");
      await node.ask("evm_increaseTime", 100_000);
      await node.ask("evm_mine");
      await node.ask("evm_revert", result);
      await node.ask("evm_mine");
      return Number(await member(node, "timestamp")) - before < 1_000;
    },
  },
  request("a reset", "hardhat_reset"),
  request("a reset with an empty object", "hardhat_reset", {}),
  request("a reset with an unknown member", "hardhat_reset", { nope: 1 }),
  request("a reset with an address that is a number", "hardhat_reset", { forking: { jsonRpcUrl: 123 } }),
  {
    asks: "the chain after a reset",
    ask: async (node) => {
      await node.ask("evm_mine");
      await node.ask("hardhat_setBalance", TO, "0x1");
      await node.ask("hardhat_reset");
      return [await numberOf(node), (await node.ask("eth_getBalance", TO, "latest")).result];
    },
  },
  request("logging", "hardhat_setLoggingEnabled", true),
  request("logging of a text", "hardhat_setLoggingEnabled", "true"),
];

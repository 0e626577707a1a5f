/**
 * anvil_*, hardhat_*, ganache_*, evm_*, miner_*: mining on demand, mining modes, and header members of later blocks.
 */
import type { BlockView } from "../../../chain/block-views.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { blockSchema, encodeBlockJson } from "../../encode/blocks/block.ts";
import { mined } from "../../encode/dev-answers.ts";
import { asIs, list, nothing } from "../../encode/shape.ts";
import { MINING, NEW_BLOCKS } from "../../errors.ts";
import { aliasedMethod, inEveryMode, method, optional, required } from "../../method.ts";
import { arrayOf, BOOLEAN, NULL, orNull } from "../../openrpc/json-schema.ts";
import { HASH } from "../../openrpc/primitives.ts";
import { count, enabled, mineParam, miningInterval, storedWord } from "../../schema/control-params.ts";
import { address, amount, countOrDecimal, data } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const mine = aliasedMethod({
  names: inEveryMode("mine"),
  summary: "Mines blocks, by default one, with an interval in seconds between them.",
  writes: true,
  params: [optional("blocks", count, 1), optional("interval", countOrDecimal)],
  result: NULL,
  errors: [NEW_BLOCKS, MINING],
  example: { params: ["0x2", "0xc"] },
  run: ({ control }, [blocks, interval]) =>
    control.mining.mine({ blocks, ...(interval === undefined ? {} : { interval }) }),
  encode: nothing,
});

export const evmMine = method({
  name: "evm_mine",
  summary: 'Mines a block, at a timestamp if one is given. Answers "0x0", as Anvil does.',
  writes: true,
  params: [optional("options", mineParam, {})],
  result: { type: "string", enum: ["0x0"] },
  errors: [NEW_BLOCKS, MINING],
  example: { params: [] },
  run: ({ control }, [options]) => control.mining.mine(options),
  encode: mined,
});

export const increaseBlocks = method({
  name: "evm_increaseBlocks",
  summary: "Mines a number of blocks. Answers the hash of the last (Tenderly).",
  writes: true,
  params: [required("blocks", count)],
  result: HASH,
  errors: [NEW_BLOCKS, MINING],
  example: { params: ["0x2"] },
  run: async ({ control, blocks }, [number]) => (await control.mining.mine({ blocks: number })).at(-1) ?? blocks.head,
  encode: ({ hash }) => encodeData(hash),
});

export const mineDetailed = aliasedMethod({
  names: ["anvil_mine_detailed", "evm_mine_detailed"],
  summary: "Mines like `evm_mine` and answers the new blocks with their transactions.",
  writes: true,
  params: [optional("options", mineParam, {})],
  result: arrayOf(blockSchema),
  errors: [NEW_BLOCKS, MINING],
  example: { params: [{}] },
  run: async ({ control, blocks }, [options]) => blocks.viewsOf(await control.mining.mine(options)),
  encode: list((view: BlockView, shape) => encodeBlockJson(view, true, shape)),
});

export const getAutomine = aliasedMethod({
  names: inEveryMode("getAutomine"),
  summary: "Whether automine is on: each transaction is mined at once.",
  answeredBy: "writer",
  params: [],
  result: BOOLEAN,
  example: { params: [] },
  run: ({ control }) => control.mining.isAutomine,
  encode: asIs,
});

export const isMining = method({
  name: "eth_mining",
  summary: "Whether the node mines without being asked: by transaction or by interval.",
  answeredBy: "writer",
  params: [],
  result: BOOLEAN,
  example: { params: [] },
  run: ({ control }) => control.mining.isMining,
  encode: asIs,
});

export const setAutomine = aliasedMethod({
  names: ["evm_setAutomine", ...inEveryMode("setAutomine")],
  summary: "Switches automine on or off.",
  writes: true,
  params: [required("enabled", enabled)],
  result: NULL,
  errors: MINING,
  example: { params: [false] },
  run: ({ control }, [value]) => control.mining.setAutomine(value),
  encode: nothing,
});

export const minerStart = method({
  name: "miner_start",
  summary: "Switches automine on and mines the waiting transactions (Ganache).",
  writes: true,
  params: [optional("threads", count)],
  result: BOOLEAN,
  errors: MINING,
  example: { params: [] },
  run: async ({ control }) => {
    await control.mining.start();
    return true;
  },
  encode: asIs,
});

export const minerStop = method({
  name: "miner_stop",
  summary: "Switches automine and interval mining off (Ganache).",
  writes: true,
  params: [],
  result: BOOLEAN,
  example: { params: [] },
  run: ({ control }) => {
    control.mining.stop();
    return true;
  },
  encode: asIs,
});

export const getIntervalMining = aliasedMethod({
  names: inEveryMode("getIntervalMining"),
  summary: "Seconds between blocks; null unless the node mines by interval.",
  answeredBy: "writer",
  params: [],
  result: orNull({ type: "number" }),
  example: { params: [] },
  run: ({ control }) => control.mining.intervalSeconds ?? null,
  encode: asIs,
});

export const setIntervalMining = aliasedMethod({
  names: ["evm_setIntervalMining", "anvil_setIntervalMining", "ganache_setIntervalMining"],
  summary: "Mines by interval, in seconds as in Anvil; zero mines on request only.",
  writes: true,
  params: [required("seconds", miningInterval)],
  result: NULL,
  errors: MINING,
  example: { params: [0] },
  run: ({ control }, [interval]) => control.mining.setInterval(interval),
  encode: nothing,
});

export const hardhatSetIntervalMining = method({
  name: "hardhat_setIntervalMining",
  summary: "Mines by interval, in milliseconds as in Hardhat; zero mines on request only.",
  writes: true,
  params: [required("milliseconds", miningInterval)],
  result: NULL,
  errors: MINING,
  example: { params: [0] },
  run: ({ control }, [milliseconds]) => control.mining.setIntervalMs(milliseconds),
  encode: nothing,
});

export const setCoinbase = aliasedMethod({
  names: inEveryMode("setCoinbase"),
  summary: "Sets the recipient of fees and rewards of later blocks.",
  writes: true,
  params: [required("address", address)],
  result: NULL,
  example: { params: [EXAMPLE.other] },
  run: ({ control }, [coinbase]) => control.mining.setCoinbase(coinbase),
  encode: nothing,
});

export const minerSetEtherbase = method({
  name: "miner_setEtherbase",
  summary: "Sets the recipient of fees and rewards of later blocks (Ganache).",
  writes: true,
  params: [required("address", address)],
  result: BOOLEAN,
  example: { params: [EXAMPLE.other] },
  run: ({ control }, [coinbase]) => {
    control.mining.setCoinbase(coinbase);
    return true;
  },
  encode: asIs,
});

export const minerSetExtra = method({
  name: "miner_setExtra",
  summary: "Sets the extraData of later blocks, at most 32 bytes.",
  writes: true,
  params: [required("extraData", data)],
  result: BOOLEAN,
  example: { params: ["0x68656c6c6f"] },
  run: ({ control }, [extraData]) => {
    control.mining.setExtraData(extraData);
    return true;
  },
  encode: asIs,
});

export const setBlockGasLimit = aliasedMethod({
  names: ["evm_setBlockGasLimit", ...inEveryMode("setBlockGasLimit"), "miner_setGasLimit"],
  summary: "Sets the gas limit of later blocks.",
  writes: true,
  params: [required("gasLimit", countOrDecimal)],
  result: BOOLEAN,
  example: { params: ["0x1c9c380"] },
  run: ({ control }, [gasLimit]) => {
    control.mining.setBlockGasLimit(gasLimit);
    return true;
  },
  encode: asIs,
});

export const setNextBlockBaseFeePerGas = aliasedMethod({
  names: inEveryMode("setNextBlockBaseFeePerGas"),
  summary: "Sets the base fee of the next block, in wei per gas, from London on.",
  writes: true,
  params: [required("baseFeePerGas", amount)],
  result: NULL,
  errors: ["NOT_IN_THIS_HARDFORK"],
  example: { params: ["0x3b9aca00"] },
  run: ({ control }, [baseFee]) => control.mining.setNextBlockBaseFee(baseFee),
  encode: nothing,
});

export const setMinGasPrice = aliasedMethod({
  names: inEveryMode("setMinGasPrice"),
  summary: "Sets the minimum and suggested gas price, in wei; before London only.",
  writes: true,
  params: [required("gasPrice", amount)],
  result: NULL,
  errors: ["NOT_IN_THIS_HARDFORK"],
  example: { hardfork: "berlin", params: ["0x1"] },
  run: ({ control }, [price]) => control.mining.setMinGasPrice(price),
  encode: nothing,
});

export const minerSetGasPrice = method({
  name: "miner_setGasPrice",
  summary: "Sets the minimum and suggested gas price, in wei; before London only (Ganache).",
  writes: true,
  params: [required("gasPrice", amount)],
  result: BOOLEAN,
  errors: ["NOT_IN_THIS_HARDFORK"],
  example: { hardfork: "berlin", params: ["0x1"] },
  run: ({ control }, [price]) => {
    control.mining.setMinGasPrice(price);
    return true;
  },
  encode: asIs,
});

export const setPrevRandao = aliasedMethod({
  names: [...inEveryMode("setPrevRandao"), "anvil_setNextBlockPrevRandao"],
  summary: "Sets PREVRANDAO of the next block, after the Merge.",
  writes: true,
  params: [storedWord("prevRandao")],
  result: NULL,
  errors: ["NOT_IN_THIS_HARDFORK"],
  example: { params: [EXAMPLE.word] },
  run: ({ control }, [value]) => control.mining.setPrevRandao(value),
  encode: nothing,
});

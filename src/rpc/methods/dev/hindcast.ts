/** hindcast_*: development methods that other nodes do not have. */
import type { Block } from "../../../chainspec/header/block.ts";
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import { encodeHindcastNodeInfo, hindcastNodeInfoSchema } from "../../encode/node-info.ts";
import { list } from "../../encode/shape.ts";
import { MINING, NEW_BLOCKS } from "../../errors.ts";
import { method, optional } from "../../method.ts";
import { arrayOf } from "../../openrpc/json-schema.ts";
import { HASH } from "../../openrpc/primitives.ts";
import { hindcastMineParam, sideBlockParam } from "../../schema/control-params.ts";

const encodeBlockHash = ({ hash }: Block): Hex => encodeData(hash);

export const hindcastNodeInfo = method({
  name: "hindcast_nodeInfo",
  summary:
    "The dialect that the node follows, its name, the hardfork of the next block, and the limits of requests: those that options " +
    "set, and those that are fixed, by their names in SECURITY.md.",
  params: [],
  result: hindcastNodeInfoSchema,
  example: { params: [] },
  run: async ({ control, dialect, clientVersion, limits }) => {
    const { FIXED_LIMITS: fixedLimits } = await import("../../fixed-limits.ts");
    return { ...control.description.info(), dialect, clientVersion, limits, fixedLimits };
  },
  encode: encodeHindcastNodeInfo,
});

export const hindcastMine = method({
  name: "hindcast_mine",
  summary: "Mines blocks with a timestamp, an interval, and uncles of the first block by hash. Answers their hashes.",
  writes: true,
  params: [optional("options", hindcastMineParam, {})],
  result: arrayOf(HASH),
  errors: [NEW_BLOCKS, MINING],
  example: { params: [{ blocks: 1 }] },
  run: ({ control }, [{ uncles, blocks, timestamp, interval }]) =>
    control.mining.mineWithUncles(uncles ?? [], {
      ...(blocks == null ? {} : { blocks }),
      ...(timestamp == null ? {} : { timestamp }),
      ...(interval == null ? {} : { interval }),
    }),
  encode: list(encodeBlockHash),
});

export const hindcastMineSideBlock = method({
  name: "hindcast_mineSideBlock",
  summary: "Mines a side block, which can become an uncle; before the Merge only. Answers its hash.",
  writes: true,
  params: [optional("options", sideBlockParam, {})],
  result: HASH,
  errors: [NEW_BLOCKS, MINING],
  example: { hardfork: "berlin", params: [{}] },
  run: ({ control }, [{ parent, timestamp, coinbase, extraData }]) =>
    control.mining.mineSideBlock({
      ...(parent == null ? {} : { parent }),
      ...(timestamp == null ? {} : { timestamp }),
      ...(coinbase == null ? {} : { coinbase }),
      ...(extraData == null ? {} : { extraData }),
    }),
  encode: encodeBlockHash,
});

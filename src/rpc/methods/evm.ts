/** evm_*: what Ganache began and everybody has. */
import { z } from "zod";
import type { MineOptions } from "../../miner/miner.ts";
import { method, optional } from "../method.ts";
import { integerOrQuantity } from "../schema/primitives.ts";

/** Nothing, a timestamp in seconds, or Ganache's `{ timestamp, blocks }`. */
const mineParam = z.union(
  [
    integerOrQuantity.transform((timestamp): MineOptions => ({ timestamp: BigInt(timestamp) })),
    z.strictObject({ timestamp: integerOrQuantity.nullish(), blocks: integerOrQuantity.nullish() }).transform(
      ({ timestamp, blocks }): MineOptions => ({
        ...(timestamp == null ? {} : { timestamp: BigInt(timestamp) }),
        ...(blocks == null ? {} : { blocks }),
      }),
    ),
  ],
  { error: "expected a timestamp in seconds or an object with timestamp and blocks" },
);

export const evmMine = method({
  name: "evm_mine",
  summary: 'Mines a block, at a timestamp if one is given. Answers "0x0", as Anvil does.',
  params: [optional("options", mineParam, {})],
  run: async ({ control }, [options]) => {
    await control.mining.mine(options);
    return "0x0" as const;
  },
  encode: (answer) => answer,
});

/** The results of `hindcast_compareHardforks`, whose gas is given as JSON numbers, and of `hindcast_estimateGas`. */
import { anyOf, arrayOf, BOOLEAN, INTEGER, type JsonSchema, object, orNull, ref, TEXT } from "../json-schema.ts";
import { ADDRESS } from "./primitives.ts";

const GAS = object({
  total: INTEGER,
  intrinsic: INTEGER,
  execution: INTEGER,
  state: INTEGER,
  floor: INTEGER,
  refund: INTEGER,
  beforeRefund: INTEGER,
});
const LOG = object({ address: ADDRESS, topics: arrayOf(ref("Hash")), data: ref("Data") });
const pairOf = (items: JsonSchema): JsonSchema => ({ ...arrayOf(items), minItems: 2, maxItems: 2 });

/** Schemas by name. */
export const HARDFORK_COMPARISON: Readonly<Record<string, JsonSchema>> = {
  HardforkRun: object({
    status: { type: "string", enum: ["succeeded", "reverted", "failed", "refused"] },
    reason: orNull(TEXT),
    output: ref("Data"),
    gas: orNull(GAS),
  }),
  HardforkComparison: object({
    hardforks: pairOf(TEXT),
    runs: arrayOf(
      object({
        transactionHash: orNull(ref("Hash")),
        isSame: BOOLEAN,
        runs: pairOf(ref("HardforkRun")),
        logs: pairOf(arrayOf(LOG)),
        writes: arrayOf(
          object({
            address: ADDRESS,
            member: { type: "string", enum: ["balance", "nonce", "code", "storage"] },
            slot: orNull(ref("Hash")),
            values: pairOf(anyOf(ref("Data"), ref("Quantity"))),
          }),
        ),
      }),
    ),
    blockGas: pairOf(INTEGER),
  }),
  GasEstimate: object({
    gas: ref("Quantity"),
    executionGas: ref("Quantity"),
    stateGas: ref("Quantity"),
    binds: { type: "string", enum: ["execution", "state", "floor"] },
  }),
};

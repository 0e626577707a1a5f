/** A comparison of two hardforks in JSON. Gas is given as JSON numbers, because it may be negative. */
import { hardforkName } from "../../../chainspec/hardforks/hardforks.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { Log } from "../../../primitives/rlp/log-list.ts";
import type { HardforkComparison } from "../../../services/simulate/compare/compare-hardforks.ts";
import type { Pair, WriteDifference } from "../../../services/simulate/compare/differences.ts";
import { type GasByCause, type HardforkRun, reasonText } from "../../../services/simulate/compare/hardfork-side.ts";
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  type JsonSchema,
  named,
  object,
  orNull,
  TEXT,
} from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, HASH, QUANTITY } from "../../openrpc/primitives.ts";
import type {
  HardforkComparison as HardforkComparisonJson,
  HardforkRun as HardforkRunJson,
} from "../../wire-types.generated.ts";

const GAS = object({
  total: INTEGER,
  intrinsic: INTEGER,
  execution: INTEGER,
  state: INTEGER,
  floor: INTEGER,
  refund: INTEGER,
  beforeRefund: INTEGER,
});

const LOG = object({ address: ADDRESS, topics: arrayOf(HASH), data: DATA });

const pairOf = (items: JsonSchema): JsonSchema => ({ ...arrayOf(items), minItems: 2, maxItems: 2 });

export const hardforkRunSchema = named("HardforkRun", () =>
  object({
    status: { type: "string", enum: ["succeeded", "reverted", "failed", "refused"] },
    reason: orNull(TEXT),
    output: DATA,
    gas: orNull(GAS),
  }),
);

export const hardforkComparisonSchema = named("HardforkComparison", () =>
  object({
    hardforks: pairOf(TEXT),
    runs: arrayOf(
      object({
        transactionHash: orNull(HASH),
        isSame: BOOLEAN,
        runs: pairOf(hardforkRunSchema),
        logs: pairOf(arrayOf(LOG)),
        writes: arrayOf(
          object({
            address: ADDRESS,
            member: { type: "string", enum: ["balance", "nonce", "code", "storage"] },
            slot: orNull(HASH),
            values: pairOf(anyOf(DATA, QUANTITY)),
          }),
        ),
      }),
    ),
    blockGas: pairOf(INTEGER),
  }),
);

/** Every list of two has the order of `hardforks`. */
export function encodeHardforkComparison({ hardforks, runs, blockGas }: HardforkComparison): HardforkComparisonJson {
  return {
    hardforks: hardforks.map(hardforkName),
    runs: runs.map((compared) => ({
      transactionHash: compared.txHash === undefined ? null : encodeData(compared.txHash),
      isSame: compared.isSame,
      runs: compared.runs.map(encodeRun),
      logs: compared.logs.map((logs) => logs.map(encodeComparedLog)),
      writes: compared.writes.map(encodeWrite),
    })),
    blockGas: blockGas.map(Number),
  };
}

function encodeRun(run: HardforkRun): HardforkRunJson {
  const { status, output, gas } = run;
  return {
    status,
    reason: reasonText(run) ?? null,
    output: encodeData(output),
    gas: gas === undefined ? null : numbersOf(gas),
  };
}

function numbersOf(gas: GasByCause): { readonly [cause in keyof GasByCause]: number } {
  const { total, intrinsic, execution, state, floor, refund, beforeRefund } = gas;
  return {
    total: Number(total),
    intrinsic: Number(intrinsic),
    execution: Number(execution),
    state: Number(state),
    floor: Number(floor),
    refund: Number(refund),
    beforeRefund: Number(beforeRefund),
  };
}

function encodeComparedLog({
  address,
  topics,
  data,
}: Log): HardforkComparisonJson["runs"][number]["logs"][number][number] {
  return { address: encodeData(address), topics: topics.map(encodeData), data: encodeData(data) };
}

function encodeWrite(difference: WriteDifference): HardforkComparisonJson["runs"][number]["writes"][number] {
  const { address, member } = difference;
  const slot = member === "storage" ? encodeData(difference.slot) : null;
  const values = member === "code" ? difference.values.map(encodeData) : quantities(difference.values);
  return { address: encodeData(address), member, slot, values };
}

function quantities(values: Pair<bigint>): Hex[] {
  return values.map(encodeQuantity);
}

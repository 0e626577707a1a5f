/** Gas of transactions and calls in two dimensions as JSON. */
import type { GasDimensions } from "../../chainspec/transaction/receipt.ts";
import { encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { GasEstimate } from "../../services/simulate/call/estimate.ts";
import type { GasDimensionsJson } from "../geth-trace-json.ts";
import { named, object } from "../openrpc/json-schema.ts";
import { QUANTITY } from "../openrpc/primitives.ts";

/** Gas of a transaction in two dimensions, from Amsterdam on. */
export const GAS_DIMENSIONS = { executionGasUsed: QUANTITY, stateGasUsed: QUANTITY, gasRefund: QUANTITY };

export const gasEstimateSchema = named("GasEstimate", () =>
  object({
    gas: QUANTITY,
    executionGas: QUANTITY,
    stateGas: QUANTITY,
    binds: { type: "string", enum: ["execution", "state", "floor"] },
  }),
);

/** In the words of execution-apis#852. */
export function encodeGasDimensions({
  executionGasUsed,
  stateGasUsed,
  gasRefund,
}: GasDimensions): GasDimensionsJson<Hex> {
  return {
    executionGasUsed: encodeQuantity(executionGasUsed),
    stateGasUsed: encodeQuantity(stateGasUsed),
    gasRefund: encodeQuantity(gasRefund),
  };
}

/** Members that are absent before Amsterdam. */
export function encodeShownDimensions(dimensions: GasDimensions | undefined): Partial<GasDimensionsJson<Hex>> {
  return dimensions === undefined ? {} : encodeGasDimensions(dimensions);
}

/** The answer of `hindcast_estimateGas`. */
export interface GasEstimateJson {
  readonly gas: Hex;
  readonly executionGas: Hex;
  readonly stateGas: Hex;
  readonly binds: GasEstimate["binds"];
}

/** An estimate in JSON. */
export function encodeGasEstimate({ gas, executionGas, stateGas, binds }: GasEstimate): GasEstimateJson {
  return {
    gas: encodeQuantity(gas),
    executionGas: encodeQuantity(executionGas),
    stateGas: encodeQuantity(stateGas),
    binds,
  };
}

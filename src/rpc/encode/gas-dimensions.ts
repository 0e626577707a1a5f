/** Gas of transactions and calls in two dimensions as JSON. */
import type { GasDimensions } from "../../chainspec/transaction/receipt.ts";
import { encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { GasDimensionsJson } from "../geth-trace-json.ts";

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

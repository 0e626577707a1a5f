/** The answer of eth_feeHistory as JSON. */
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { FeeHistory } from "../../../services/query/fee-history.ts";
import { arrayOf, named, object } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import type { FeeHistory as FeeHistoryJson } from "../../wire-types.generated.ts";

const RATIOS = arrayOf({ type: "number", minimum: 0, maximum: 1 });

export const feeHistorySchema = named("FeeHistory", () =>
  object(
    {
      oldestBlock: QUANTITY,
      baseFeePerGas: arrayOf(QUANTITY),
      gasUsedRatio: RATIOS,
      baseFeePerBlobGas: arrayOf(QUANTITY),
      blobGasUsedRatio: RATIOS,
    },
    { reward: arrayOf(arrayOf(QUANTITY)) },
  ),
);

/** `reward` is absent unless percentiles were asked for. */
export function encodeFeeHistory(history: FeeHistory): FeeHistoryJson {
  return {
    oldestBlock: encodeQuantity(history.oldestBlock),
    ...(history.reward === undefined ? {} : { reward: history.reward.map((tips) => tips.map(encodeQuantity)) }),
    baseFeePerGas: history.baseFeePerGas.map(encodeQuantity),
    gasUsedRatio: [...history.gasUsedRatio],
    baseFeePerBlobGas: history.baseFeePerBlobGas.map(encodeQuantity),
    blobGasUsedRatio: [...history.blobGasUsedRatio],
  };
}

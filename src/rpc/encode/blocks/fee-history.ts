/** The answer of eth_feeHistory as JSON. */
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { FeeHistory } from "../../../services/query/fee-history.ts";
import type { FeeHistory as FeeHistoryJson } from "../../wire-types.ts";

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

/** Sizes of transaction members. */
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import type { TransactionFields } from "./transaction-fields.ts";
import { undecodable } from "./undecodable.ts";

type Sized = Omit<TransactionFields, "sender">;

const OF_64_BITS = ["nonce", "gasLimit"] as const;
const OF_256_BITS = ["value", "maxFeePerGas", "maxPriorityFeePerGas", "maxFeePerBlobGas"] as const;

/**
 * Returns the fields after checking that each fits its size.
 *
 * @throws {InvalidParamsError} `UNDECODABLE_TRANSACTION`
 */
export function checkRanges<Fields extends Sized>(fields: Fields): Fields {
  for (const name of OF_64_BITS) if (fields[name] > MAX_UINT64) throw undecodable(`its ${name} is not below 2^64`);
  for (const name of OF_256_BITS) if (fields[name] > MAX_UINT256) throw undecodable(`its ${name} is not below 2^256`);
  return fields;
}

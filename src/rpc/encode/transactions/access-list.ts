/** The answer of eth_createAccessList. */
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { CreatedAccessList } from "../../../services/simulate/call/access-list.ts";
import type { AccessListResult } from "../../wire-types.ts";
import { encodeAccessList } from "./transaction.ts";

/** `gasUsed` is that of the call with the list; `error` is there if the call failed. */
export function encodeCreatedAccessList({ accessList, error, gasUsed }: CreatedAccessList): AccessListResult {
  return {
    accessList: encodeAccessList(accessList),
    ...(error === undefined ? {} : { error }),
    gasUsed: encodeQuantity(gasUsed),
  };
}

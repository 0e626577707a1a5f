/** The answer of eth_createAccessList. */
import { encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import type { CreatedAccessList } from "../../../services/simulate/call/access-list.ts";
import { type AccessListEntryJson, encodeAccessList } from "./transaction.ts";

/** The answer of `eth_createAccessList`. */
export interface AccessListJson {
  accessList: AccessListEntryJson[];
  error?: string;
  gasUsed: Hex;
}

/** `gasUsed` is that of the call with the list; `error` is there if the call failed. */
export function encodeCreatedAccessList({ accessList, error, gasUsed }: CreatedAccessList): AccessListJson {
  return {
    accessList: encodeAccessList(accessList),
    ...(error === undefined ? {} : { error }),
    gasUsed: encodeQuantity(gasUsed),
  };
}

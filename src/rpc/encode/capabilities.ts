/** The answer of eth_capabilities as JSON: this node keeps everything from the first block on. */
import type { Block } from "../../chainspec/header/block.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { BOOLEAN, named, object } from "../openrpc/json-schema.ts";
import { HASH, QUANTITY } from "../openrpc/primitives.ts";
import type { Capabilities } from "../wire-types.generated.ts";

const RESOURCE = object({ disabled: BOOLEAN, oldestBlock: QUANTITY });

export const capabilitiesSchema = named("Capabilities", () =>
  object({
    head: object({ number: QUANTITY, hash: HASH }),
    state: RESOURCE,
    tx: RESOURCE,
    logs: RESOURCE,
    receipts: RESOURCE,
    blocks: RESOURCE,
    stateproofs: RESOURCE,
  }),
);

/** Everything is available from block 0 on. */
export function encodeCapabilities(head: Block): Capabilities {
  const complete = (): Capabilities["state"] => ({ disabled: false, oldestBlock: "0x0" });
  return {
    head: { number: encodeQuantity(head.header.number), hash: encodeData(head.hash) },
    state: complete(),
    tx: complete(),
    logs: complete(),
    receipts: complete(),
    blocks: complete(),
    stateproofs: complete(),
  };
}

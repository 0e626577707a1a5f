/** The answer of eth_capabilities as JSON: this node keeps everything from the first block on. */
import type { Block } from "../../chainspec/header/block.ts";
import { encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";

/** The oldest block of a kind of data. */
export interface ResourceJson {
  disabled: boolean;
  oldestBlock: Hex;
}

/** The answer of `eth_capabilities`. */
export interface CapabilitiesJson {
  head: { number: Hex; hash: Hex };
  state: ResourceJson;
  tx: ResourceJson;
  logs: ResourceJson;
  receipts: ResourceJson;
  blocks: ResourceJson;
  stateproofs: ResourceJson;
}

/** Everything is available from block 0 on. */
export function encodeCapabilities(head: Block): CapabilitiesJson {
  const complete = (): ResourceJson => ({ disabled: false, oldestBlock: "0x0" });
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

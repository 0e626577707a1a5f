/** Parameters of eth_call, which estimates, explanations and simulations of calls take too. */
import type { BlockId } from "../../chain/blocks/block-id.ts";
import { optional, required } from "../method.ts";
import { callObject } from "../schema/call-object.ts";
import { blockOverrides, stateOverrides } from "../schema/overrides.ts";
import { blockId } from "../schema/primitives.ts";

/** The call, and the state on which it runs: by default that after `block`. */
export function callParams(block: BlockId) {
  return [required("call", callObject), ...stateParams(block)] as const;
}

/** A block, by default `block`, and what differs from its state and its header. */
export function stateParams(block: BlockId) {
  return [
    optional("block", blockId, block),
    optional("stateOverrides", stateOverrides),
    optional("blockOverrides", blockOverrides),
  ] as const;
}

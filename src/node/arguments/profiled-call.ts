/** A call that is run for its gas profile or its estimate. */
import type { BlockId } from "../../chain/blocks/block-id.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { once } from "../../primitives/once.ts";
import { isObject, membersOf, shape } from "../../primitives/validation/shape.ts";
import { blockId, call, overrides } from "../../services/simulate/argument-shapes.ts";
import type { Overrides } from "../../services/simulate/call/overridden-view.ts";
import { isHash } from "./require-hash.ts";

/** A call for `node.gasProfile()`, in place of a transaction's hash, and for `node.estimateGas()`. */
export interface ProfiledCall {
  readonly call: CallRequest;
  /** The block after which it runs; default latest, for estimates pending. */
  readonly block?: BlockId | undefined;
  readonly overrides?: Overrides | undefined;
}

const EXAMPLE = "{ call: { to, data }, block, overrides }";

/** Its shape; other members are refused. */
export const profiledCall = once(() =>
  shape(`a call such as ${EXAMPLE}`, hasCall).pipe(
    membersOf<ProfiledCall>({ call: call(), block: blockId().optional(), overrides: overrides().optional() }),
  ),
);

/** True for an object with a member `call`, whatever that is. */
export function hasCall(value: unknown): value is ProfiledCall {
  return isObject(value) && value.call !== undefined;
}

/** The shape of a transaction's hash, where a call may be given as well. */
export const hashOrCall = once(() =>
  shape(`the hash of a transaction, 32 bytes in a Uint8Array or as DATA, or a call such as ${EXAMPLE}`, isHash),
);

/** A call that is run for its gas profile or its estimate. */
import type { BlockId } from "../../chain/archive/block-id.ts";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import { once } from "../../primitives/once.ts";
import { membersOf, shape } from "../../primitives/shapes/shape.ts";
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

/** Its shape; other members are refused. */
export const profiledCall = once(() =>
  membersOf<ProfiledCall>({ call: call(), block: blockId().optional(), overrides: overrides().optional() }),
);

/** True for anything but what may be a hash. */
export function isProfiledCall(value: unknown): value is ProfiledCall {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

/** Describes the expected value in an error, if neither was given. */
export const callOrHash = once(() => shape("{ call }, or 32 bytes in a Uint8Array or as DATA", isHash));

/** A call or creation that runs here and not in EthereumJS: what a frame, and whoever watches, have to know of it. */
import type { Address } from "@ethereumjs/util";
import type { Bytes } from "../primitives/bytes.ts";
import type { FrameMessage } from "./evm-environment.ts";

export interface CallMessage extends FrameMessage {
  readonly to: Address;
  /** What the frame runs: of a creation, its init code. */
  readonly code: Bytes;
  readonly isCreate: boolean;
  /**
   * Accounts to destroy with their beneficiaries, and accounts created, in this transaction, as EthereumJS has them. The
   * caller's own, which would take longer to copy than most calls: what a call adds is taken back if it fails.
   */
  readonly selfdestruct: NonNullable<FrameMessage["selfdestruct"]>;
  readonly createdAddresses: NonNullable<FrameMessage["createdAddresses"]>;
  /** How many of each there were before the call. */
  readonly destroyedBefore: number;
  readonly createdBefore: number;
  /** Value is inherited, not moved. */
  readonly isDelegate: boolean;
}

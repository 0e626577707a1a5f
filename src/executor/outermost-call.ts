/** The outermost message of a transaction, where it is a call that runs here and not in EthereumJS. */
import { Address } from "@ethereumjs/util";
import { encodeData } from "../primitives/hex.ts";
import type { FrameSurroundings, OpenCall } from "./evm-frame.ts";
import { MAX_BALANCE } from "./evm-transfer.ts";
import { findCalled } from "./opcode-calls.ts";
import type { EvmMessage } from "./types.ts";

/** The call that an outermost message is; undefined for what EthereumJS has to run, as in `opcode-calls.ts`. */
export function outermostCall(
  message: EvmMessage,
  caller: Address,
  surroundings: FrameSurroundings,
): OpenCall | undefined {
  const { to, value, data, gasLimit } = message;
  const called = to && findCalled(to, surroundings);
  const sender = surroundings.view.getAccount(message.from);
  if (to === undefined || called === undefined || called.precompile || sender instanceof Promise) return undefined;
  if ((sender?.balance ?? 0n) < value || (called.account?.balance ?? 0n) + value > MAX_BALANCE) return undefined;
  const address = new Address(to);
  return {
    message: {
      caller,
      to: address,
      codeAddress: address,
      code: called.code,
      value,
      data,
      gasLimit,
      gasRefund: 0n,
      depth: 0,
      isStatic: false,
      isDelegate: false,
      selfdestruct: new Map(),
      createdAddresses: new Set(),
      destroyedBefore: 0,
      createdBefore: 0,
      blobVersionedHashes: message.blobVersionedHashes.map(encodeData),
    },
    caller: undefined,
    outOffset: 0,
    outLength: 0,
  };
}

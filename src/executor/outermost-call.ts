/** The outermost message of a transaction, where it is a call or creation that runs here and not in EthereumJS. */
import { Address } from "@ethereumjs/util";
import { createAddress } from "../primitives/address.ts";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import { encodeData } from "../primitives/hex.ts";
import type { CallMessage } from "./call-message.ts";
import type { OpenCall } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import { MAX_BALANCE } from "./evm-transfer.ts";
import { findCalled } from "./opcode-calls.ts";
import { canBecomeContract } from "./opcode-creates.ts";
import type { EvmMessage } from "./types.ts";

/** What an outermost message is; undefined for what EthereumJS has to run, as in `opcode-calls.ts` and `opcode-creates.ts`. */
export function outermostCall(message: EvmMessage, caller: Address, host: FrameHost): OpenCall | undefined {
  const sender = host.view.getAccount(message.from);
  if (sender instanceof Promise || (sender?.balance ?? 0n) < message.value) return undefined;
  // Counted before the message begins.
  const running = message.to === undefined ? created(message, (sender?.nonce ?? 1n) - 1n, host) : called(message, host);
  if (running === undefined) return undefined;
  return {
    message: {
      ...running,
      caller,
      codeAddress: running.to,
      value: message.value,
      gasLimit: message.gasLimit,
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

/** What runs where, on what. */
type Running = Pick<CallMessage, "to" | "code" | "data" | "isCreate">;

function called({ to, value, data }: EvmMessage, host: FrameHost): Running | undefined {
  const found = to && findCalled(to, host, host.common.isActivatedEIP(7702));
  if (to === undefined || found === undefined || found.precompile) return undefined;
  if ((found.account?.balance ?? 0n) + value > MAX_BALANCE) return undefined;
  if (found.delegate !== undefined) host.accesses.addWarmedAddress(found.delegate);
  return { to: new Address(to), code: found.code, data, isCreate: false };
}

function created({ from, value, data }: EvmMessage, nonce: bigint, { common, view }: FrameHost): Running | undefined {
  if (!common.isActivatedEIP(2929)) return undefined;
  if (common.isActivatedEIP(3860) && data.length > common.param("maxInitCodeSize")) return undefined;
  const address = createAddress(from, nonce);
  if (!canBecomeContract(address, value, view)) return undefined;
  return { to: new Address(address), code: data, data: EMPTY_BYTES, isCreate: true };
}

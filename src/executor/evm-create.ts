/** Creations that need not wait for anything, from the creator's side. What is said of calls holds here: see `evm-call.ts`. */
import { Address } from "@ethereumjs/util";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import type { AccountState } from "../state/view.ts";
import type { CallMessage } from "./call-message.ts";
import { chargeForFrame } from "./evm-call.ts";
import type { Frame } from "./evm-frame.ts";
import type { FrameHost } from "./evm-host.ts";
import type { CreatePlan } from "./opcode-creates.ts";
import type { OpcodeEntry } from "./opcode-table.ts";

/**
 * Begins a creation.
 *
 * @returns the frame of its init code. Undefined, with nothing changed, where EthereumJS has to run it
 */
export function beginCreation(frame: Frame, host: FrameHost, entry: OpcodeEntry): Frame | undefined {
  const opcode = entry.creation;
  if (opcode === undefined || frame.stackHeight < entry.minHeight) return undefined;
  const plan = opcode.plan(frame);
  if (plan === undefined) return undefined;
  chargeForFrame(frame, host, entry, plan);
  host.accesses.addWarmedAddress(frame.address);
  frame.stackHeight -= opcode.pops;
  countCreation(frame);
  return host.openFrame({ message: messageOf(frame, plan), caller: frame, outOffset: 0, outLength: 0 });
}

/** The creator's nonce counts the creation even if it fails. */
function countCreation({ address, env, surroundings }: Frame): void {
  const { view } = surroundings;
  const { nonce, balance, storageRoot, codeHash } = view.getAccount(address) as AccountState;
  view.putAccount(address, { nonce: nonce + 1n, balance, storageRoot, codeHash });
  env.forgetContract();
}

function messageOf({ state, env }: Frame, plan: CreatePlan): CallMessage {
  const { selfdestruct, createdAddresses = new Set() } = state.interpreter._result;
  const created = new Address(plan.address);
  return {
    caller: env.address,
    to: created,
    codeAddress: created,
    code: plan.initCode,
    value: plan.value,
    data: EMPTY_BYTES,
    gasLimit: plan.gasLimit,
    gasRefund: state.gasRefund,
    depth: env.depth + 1,
    isStatic: false,
    isDelegate: false,
    isCreate: true,
    selfdestruct,
    createdAddresses,
    destroyedBefore: selfdestruct.size,
    createdBefore: createdAddresses.size,
    blobVersionedHashes: env.blobVersionedHashes,
  };
}

/**
 * What the system contracts do when the chain calls them, without an EVM: an empty block is little else, and interpreting
 * them took a fifth of the time of mining it.
 *
 * Only for the code that the EIPs give, told by its hash, and only where their effect is plain; everything else runs in
 * the EVM. The property test compares both.
 */
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  SYSTEM_CONTRACTS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import {
  type Bytes,
  bigIntToBytes,
  bigIntToFixedBytes,
  EMPTY_BYTES,
  equalBytes,
  stripLeadingZeros,
} from "../primitives/bytes.ts";
import { keccak256 } from "../primitives/hash.ts";
import type { StateReader, WorkingStateView } from "../state/view.ts";
import type { BlockContext } from "./types.ts";

/** Length of both ring buffers (EIP-2935, EIP-4788). */
const HISTORY_LENGTH = 8191n;
/** Excess, count, head and tail of the queues of requests (EIP-7002, EIP-7251). */
const QUEUE_SLOTS: readonly Bytes[] = [0n, 1n, 2n, 3n].map((slot) => bigIntToFixedBytes(slot, 32));

/** A call of the chain to one of its contracts. */
export interface SystemCallRequest {
  readonly state: WorkingStateView;
  readonly block: Pick<BlockContext, "number" | "timestamp">;
  readonly contract: Bytes;
  readonly codeHash: Bytes;
  readonly data: Bytes;
}

/** The call's return data, its effects applied to the state; undefined when only an EVM can tell. */
export function shortSystemCall(request: SystemCallRequest): Bytes | undefined {
  const { state, contract } = request;
  const writes = systemCallWrites(request);
  if (writes === undefined) return undefined;
  for (const { slot, value } of writes) state.putStorage(contract, slot, value);
  return EMPTY_BYTES;
}

/** A slot and its value, 32 bytes and without leading zeros. */
export interface SlotWrite {
  readonly slot: Bytes;
  readonly value: Bytes;
}

/** What a call of the chain that returns nothing writes into the contract's storage; undefined when only an EVM can tell. */
export function systemCallWrites(
  request: Omit<SystemCallRequest, "state"> & { readonly state: StateReader },
): readonly SlotWrite[] | undefined {
  const { state, block, contract, codeHash, data } = request;
  const known = KNOWN.find(({ address }) => equalBytes(address, contract));
  if (known === undefined || !equalBytes(known.codeHash, codeHash)) return undefined;
  if (equalBytes(contract, WITHDRAWAL_REQUESTS_ADDRESS) || equalBytes(contract, CONSOLIDATION_REQUESTS_ADDRESS)) {
    return isIdleQueue(state, contract) ? [] : undefined;
  }
  if (data.length !== 32) return undefined;
  if (equalBytes(contract, BLOCK_HASH_HISTORY_ADDRESS)) {
    if (block.number === 0n) return undefined;
    return [{ slot: slotAt(Number((block.number - 1n) % HISTORY_LENGTH)), value: stripLeadingZeros(data) }];
  }
  if (!equalBytes(contract, BEACON_ROOTS_ADDRESS)) return undefined;
  const place = Number(block.timestamp % HISTORY_LENGTH);
  const time = { slot: slotAt(place), value: bigIntToBytes(block.timestamp) };
  const root = { slot: slotAt(place + Number(HISTORY_LENGTH)), value: stripLeadingZeros(data) };
  if (root.value.length > 0) return [time, root];
  // Only a zero is compared with what stands there: most zeros stand already, other values are new with each block.
  const before = state.getStorage(contract, root.slot);
  if (before instanceof Promise) return undefined;
  return before.length === 0 ? [time] : [time, root];
}

/** The contracts that a development chain begins with, under the hash of their code. */
const KNOWN = SYSTEM_CONTRACTS.map(({ address, code }) => ({ address, codeHash: keccak256(code) }));

function slotAt(place: number): Bytes {
  const slot = new Uint8Array(32);
  slot[30] = place >> 8;
  slot[31] = place & 255;
  return slot;
}

/** True when nobody has asked for anything: the call then finds zeros and leaves zeros. */
function isIdleQueue(state: StateReader, contract: Bytes): boolean {
  return QUEUE_SLOTS.every((slot) => {
    const value = state.getStorage(contract, slot);
    return !(value instanceof Promise) && value.length === 0;
  });
}

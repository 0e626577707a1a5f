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
import { type Bytes, bigIntToBytes, bigIntToFixedBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import { keccak256 } from "../primitives/hash.ts";
import type { WorkingStateView } from "../state/view.ts";
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
export function shortSystemCall({ state, block, contract, codeHash, data }: SystemCallRequest): Bytes | undefined {
  const known = KNOWN.find(({ address }) => equalBytes(address, contract));
  if (known === undefined || !equalBytes(known.codeHash, codeHash)) return undefined;
  if (equalBytes(contract, WITHDRAWAL_REQUESTS_ADDRESS) || equalBytes(contract, CONSOLIDATION_REQUESTS_ADDRESS)) {
    return isIdleQueue(state, contract) ? EMPTY_BYTES : undefined;
  }
  if (data.length !== 32) return undefined;
  if (equalBytes(contract, BLOCK_HASH_HISTORY_ADDRESS)) {
    if (block.number === 0n) return undefined;
    return store(state, contract, (block.number - 1n) % HISTORY_LENGTH, withoutZeros(data));
  }
  if (!equalBytes(contract, BEACON_ROOTS_ADDRESS)) return undefined;
  const place = block.timestamp % HISTORY_LENGTH;
  return (
    store(state, contract, place, bigIntToBytes(block.timestamp)) &&
    store(state, contract, place + HISTORY_LENGTH, withoutZeros(data))
  );
}

/** The contracts that a development chain begins with, under the hash of their code. */
const KNOWN = SYSTEM_CONTRACTS.map(({ address, code }) => ({ address, codeHash: keccak256(code) }));

/** Only a zero is compared with what stands there: most zeros stand already, other values are new with each block. */
function store(state: WorkingStateView, contract: Bytes, place: bigint, value: Bytes): Bytes | undefined {
  const slot = bigIntToFixedBytes(place, 32);
  const before = value.length === 0 ? state.getStorage(contract, slot) : undefined;
  if (before instanceof Promise) return undefined;
  if (before?.length !== 0) state.putStorage(contract, slot, value);
  return EMPTY_BYTES;
}

/** True when nobody has asked for anything: the call then finds zeros and leaves zeros. */
function isIdleQueue(state: WorkingStateView, contract: Bytes): boolean {
  return QUEUE_SLOTS.every((slot) => {
    const value = state.getStorage(contract, slot);
    return !(value instanceof Promise) && value.length === 0;
  });
}

function withoutZeros(word: Bytes): Bytes {
  let start = 0;
  while (start < word.length && word[start] === 0) start++;
  return word.subarray(start);
}

/**
 * The slots that the first system calls of a block overwrite. Their values before do not matter, so that a fork without
 * its upstream node can mine: which slots these are depends on the time.
 */
import { BEACON_ROOTS_ADDRESS, BLOCK_HASH_HISTORY_ADDRESS, SYSTEM_CONTRACTS } from "../chainspec/system-contracts.ts";
import { RemoteError } from "../errors/hindcast-error.ts";
import type { BlockContext, TransactionEffects } from "../evm/engine.ts";
import type { EvmAccount, StateReader } from "../evm/state-port.ts";
import { type Bytes, bigIntToFixedBytes, bytesKey, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { once } from "../primitives/once.ts";

/** Length of the ring buffers of both contracts (EIP-2935, EIP-4788). */
const RING = 8_191n;

/** The slots that the system call to a contract overwrites in a block. */
function overwrittenBy(contract: Bytes, { number, timestamp }: BlockContext): readonly bigint[] {
  if (equalBytes(contract, BEACON_ROOTS_ADDRESS)) return [timestamp % RING, (timestamp % RING) + RING];
  return equalBytes(contract, BLOCK_HASH_HISTORY_ADDRESS) ? [(number - 1n) % RING] : [];
}

/** Hashes of the codes that are known to overwrite these slots; a chain may have others at the addresses. */
const overwritingCodes = once(() => new Set(SYSTEM_CONTRACTS.map(({ code }) => bytesKey(keccak256(code)))));

/** The state that a block changes. */
interface ChangingState extends StateReader {
  /** True on a fork, where a slot may be unreadable. */
  readonly isOnFork?: boolean;
  /** True if the state root is computed from the values before. */
  readonly hasProofs?: boolean;
  apply(effects: Pick<TransactionEffects, "writes">): void;
}

/** A contract that is about to be called by the system. */
export interface SystemCallee {
  readonly address: Bytes;
  readonly account: EvmAccount;
  /** True if the block lists which slots have new values (EIP-7928). */
  readonly isListed: boolean;
}

/**
 * Sets them to zero on a fork, so that they need not be fetched. If their values before matter for the state root or the
 * block's access list, only those that cannot be read.
 */
export async function clearOverwritten(state: ChangingState, block: BlockContext, callee: SystemCallee): Promise<void> {
  if (state.isOnFork !== true) return;
  const { address, account, isListed } = callee;
  const slots = overwrittenBy(address, block).map((slot) => bigIntToFixedBytes(slot, 32));
  const matters = isListed || state.hasProofs === true || !overwritingCodes().has(bytesKey(account.codeHash));
  const isReadable = await Promise.all(slots.map((slot) => matters && canRead(state, address, slot)));
  const cleared = slots.filter((_, index) => isReadable[index] === false).map((slot) => ({ slot, value: EMPTY_BYTES }));
  if (cleared.length === 0) return;
  const unchanged = { isDeleted: false, wipesStorage: false, code: undefined };
  state.apply({ writes: [{ ...account, ...unchanged, address, slots: cleared }] });
}

/** False if the fork that the state is of has no upstream node that answers, and the slot is not in its cache. */
async function canRead(state: StateReader, address: Bytes, slot: Bytes): Promise<boolean> {
  try {
    const value = state.getStorage(address, slot);
    if (value instanceof Promise) await value;
    return true;
  } catch (error) {
    if (error instanceof RemoteError && error.isUnanswered) return false;
    throw error;
  }
}

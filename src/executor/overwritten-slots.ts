/**
 * The slots that the first system calls of a block overwrite. Their values before do not matter, so that a fork without
 * its upstream node can mine: which slots these are depends on the time.
 */
import { BEACON_ROOTS_ADDRESS, BLOCK_HASH_HISTORY_ADDRESS } from "../chainspec/system-contracts.ts";
import { RemoteError } from "../errors/hindcast-error.ts";
import type { BlockContext, TransactionEffects } from "../evm/engine.ts";
import type { EvmAccount, StateReader } from "../evm/state-port.ts";
import { type Bytes, bigIntToFixedBytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes/bytes.ts";

/** Length of the ring buffers of both contracts (EIP-2935, EIP-4788). */
const RING = 8_191n;

/** The slots that the system call to a contract overwrites in a block. */
function overwrittenBy(contract: Bytes, { number, timestamp }: BlockContext): readonly bigint[] {
  if (equalBytes(contract, BEACON_ROOTS_ADDRESS)) return [timestamp % RING, (timestamp % RING) + RING];
  return equalBytes(contract, BLOCK_HASH_HISTORY_ADDRESS) ? [(number - 1n) % RING] : [];
}

/** The state that a block changes. */
interface ChangingState extends StateReader {
  /** True on a fork, where a slot may be unreadable. */
  readonly isOnFork?: boolean;
  apply(effects: Pick<TransactionEffects, "writes">): void;
}

/** Sets those that cannot be read to zero: of an offline fork, whose cache does not have them. */
export async function clearUnreadable(
  state: ChangingState,
  block: BlockContext,
  address: Bytes,
  account: EvmAccount,
): Promise<void> {
  if (state.isOnFork !== true) return;
  const slots = overwrittenBy(address, block).map((slot) => bigIntToFixedBytes(slot, 32));
  const isReadable = await Promise.all(slots.map((slot) => canRead(state, address, slot)));
  const cleared = slots.filter((_, index) => !isReadable[index]).map((slot) => ({ slot, value: EMPTY_BYTES }));
  if (cleared.length === 0) return;
  const unchanged = { isDeleted: false, wipesStorage: false, code: undefined };
  state.apply({ writes: [{ ...account, ...unchanged, address, slots: cleared }] });
}

/** False if the fork that the state is of is offline, and the slot is not in its cache. */
async function canRead(state: StateReader, address: Bytes, slot: Bytes): Promise<boolean> {
  try {
    const value = state.getStorage(address, slot);
    if (value instanceof Promise) await value;
    return true;
  } catch (error) {
    if (error instanceof RemoteError && error.code === "REMOTE_OFFLINE") return false;
    throw error;
  }
}

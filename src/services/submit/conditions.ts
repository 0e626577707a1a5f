/** Conditions that a sender sets on the chain for a transaction (`eth_sendRawTransactionConditional`, EIP-7796). */
import type { ChainBlocks, ChainStates } from "../../chain/readable-chain.ts";
import { TransactionRejectedError } from "../../errors/hindcast-error.ts";
import type { Clock } from "../../miner/clock.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, equalBytes, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import type { WorkingState } from "../../state/working/working-state.ts";

/** An account as a sender expects it: the root of its storage, or values of some of its slots. 32 bytes each. */
export interface KnownAccount {
  readonly address: Bytes;
  readonly storage: Bytes | readonly { readonly slot: Bytes; readonly value: Bytes }[];
}

/** Bounds of the block that includes a transaction, and the accounts that it builds on. Times are in seconds. */
export interface SendConditions {
  readonly blockNumberMin?: bigint | undefined;
  readonly blockNumberMax?: bigint | undefined;
  readonly timestampMin?: bigint | undefined;
  readonly timestampMax?: bigint | undefined;
  readonly knownAccounts?: readonly KnownAccount[] | undefined;
}

/**
 * Checks conditions against the next block and the state that it builds on.
 *
 * @throws {TransactionRejectedError} `CONDITION_NOT_MET`
 * @throws {UnsupportedError} `STATE_NOT_PROVABLE` for a storage root on a fork whose tries are not known
 */
export async function checkConditions(
  { chain, clock }: { readonly chain: ChainBlocks & ChainStates; readonly clock: Clock },
  conditions: SendConditions,
): Promise<void> {
  const { number, timestamp } = chain.head.header;
  const { blockNumberMin, blockNumberMax, timestampMin, timestampMax, knownAccounts = [] } = conditions;
  checkRange("the next block's number", number + 1n, blockNumberMin, blockNumberMax);
  checkRange("the next block's timestamp", clock.timestampAfter(timestamp), timestampMin, timestampMax);
  const state = chain.states.working(chain.headStateId);
  for (const known of knownAccounts) await checkAccount(chain, state, known);
}

function checkRange(subject: string, actual: bigint, least: bigint | undefined, most: bigint | undefined): void {
  if (least !== undefined && actual < least)
    throw notMet(`${subject} is ${actual}, and at least ${least} is asked for`);
  if (most !== undefined && actual > most) throw notMet(`${subject} is ${actual}, and at most ${most} is asked for`);
}

async function checkAccount(
  chain: ChainBlocks & ChainStates,
  state: WorkingState,
  { address, storage }: KnownAccount,
): Promise<void> {
  if (storage instanceof Uint8Array) {
    const { account } = await chain.states.prove(state, { address, slots: [] });
    const root = account?.storageRoot ?? EMPTY_TRIE_ROOT;
    if (equalBytes(root, storage)) return;
    throw notMet(`the storage root of ${checksumAddress(address)} is ${encodeData(root)}, not ${encodeData(storage)}`);
  }
  // All at once, so that reads from an upstream node share one request.
  const values = await Promise.all(storage.map(({ slot }) => state.getStorage(address, slot)));
  for (const [index, { slot, value }] of storage.entries()) {
    const actual = padBytesLeft(values[index] as Bytes, 32);
    if (equalBytes(actual, value)) continue;
    const place = `slot ${encodeData(slot)} of ${checksumAddress(address)}`;
    throw notMet(`${place} is ${encodeData(actual)}, not ${encodeData(value)}`);
  }
}

function notMet(reason: string): TransactionRejectedError {
  return new TransactionRejectedError({ code: "CONDITION_NOT_MET", what: `transaction condition not met: ${reason}` });
}

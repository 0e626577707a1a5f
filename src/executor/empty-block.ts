/** What a block without transactions, uncles and withdrawals writes, told without an EVM. */
import type { ChainSpec } from "../chainspec/chain-spec.ts";
import type { Rules } from "../chainspec/hardforks.ts";
import { blockReward } from "../chainspec/rewards.ts";
import {
  BEACON_ROOTS_ADDRESS,
  BLOCK_HASH_HISTORY_ADDRESS,
  CONSOLIDATION_REQUESTS_ADDRESS,
  WITHDRAWAL_REQUESTS_ADDRESS,
} from "../chainspec/system-contracts.ts";
import { type Bytes, EMPTY_BYTES, equalBytes } from "../primitives/bytes.ts";
import { EMPTY_CODE_HASH } from "../primitives/hash.ts";
import type { AccountState, StateReader, StateWrite } from "../state/view.ts";
import { systemCallWrites } from "./system-calls.ts";

export interface EmptyBlock {
  readonly rules: Rules;
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly coinbase: Bytes;
  readonly parentHash: Bytes;
  /** From Cancun on. */
  readonly parentBeaconBlockRoot: Bytes | undefined;
}

/** The part of a {@link StateReader} whose answers are always immediate. */
export interface ReadyState extends StateReader {
  getAccount(address: Bytes): AccountState | undefined;
}

/**
 * The writes of an empty block, in their order; undefined when only an EVM can tell.
 *
 * @param state - at the end of the parent, but for what empty blocks have written since; system contracts are read in it
 * @param coinbase - account of the block's coinbase at the end of the parent
 */
export function emptyBlockWrites(
  block: EmptyBlock,
  spec: ChainSpec,
  state: ReadyState,
  coinbase: AccountState | undefined,
): readonly StateWrite[] | undefined {
  const { rules, number, parentHash, parentBeaconBlockRoot } = block;
  if (spec.schedule.daoForkSupport && spec.schedule.daoForkBlock === number) return undefined;
  const writes: StateWrite[] = [];
  const isPlain = (contract: Bytes, data: Bytes): boolean => {
    const codeHash = state.getAccount(contract)?.codeHash ?? EMPTY_CODE_HASH;
    if (equalBytes(codeHash, EMPTY_CODE_HASH)) return true;
    const slots = systemCallWrites({ state, block, contract, codeHash, data });
    for (const { slot, value } of slots ?? []) writes.push({ address: contract, slot, value });
    return slots !== undefined;
  };
  if (rules.isCancun && parentBeaconBlockRoot !== undefined && number > 0n) {
    if (!isPlain(BEACON_ROOTS_ADDRESS, parentBeaconBlockRoot)) return undefined;
  }
  if (rules.isPrague && number > 0n && !isPlain(BLOCK_HASH_HISTORY_ADDRESS, parentHash)) return undefined;
  if (!rules.isMerged) {
    const balance = (coinbase?.balance ?? 0n) + blockReward(rules, 0);
    writes.push({ address: block.coinbase, balance });
  }
  if (rules.isPrague) {
    if (!isPlain(WITHDRAWAL_REQUESTS_ADDRESS, EMPTY_BYTES)) return undefined;
    if (!isPlain(CONSOLIDATION_REQUESTS_ADDRESS, EMPTY_BYTES)) return undefined;
  }
  return writes;
}

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

interface SystemCall {
  readonly contract: Bytes;
  readonly codeHash: Bytes;
  readonly data: Bytes;
}

/** Tells what empty blocks in a row write. */
export class EmptyBlockWrites {
  readonly #spec: ChainSpec;
  readonly #state: ReadyState;
  readonly #beaconRoots: Bytes | undefined;
  readonly #history: Bytes | undefined;
  #areQueuesIdle: boolean | undefined;

  /** @param state - before the first of them; in none of them does a system contract get other code or a request */
  constructor(spec: ChainSpec, state: ReadyState) {
    this.#spec = spec;
    this.#state = state;
    this.#beaconRoots = codeHashOf(state, BEACON_ROOTS_ADDRESS);
    this.#history = codeHashOf(state, BLOCK_HASH_HISTORY_ADDRESS);
  }

  /**
   * The writes of the next block, in their order; undefined when only an EVM can tell.
   *
   * @param coinbase - account of the block's coinbase at the end of the parent
   */
  of(block: EmptyBlock, coinbase: AccountState | undefined): readonly StateWrite[] | undefined {
    const { rules, number, parentHash, parentBeaconBlockRoot } = block;
    const { daoForkSupport, daoForkBlock } = this.#spec.schedule;
    if (daoForkSupport && daoForkBlock === number) return undefined;
    if (rules.isPrague) this.#areQueuesIdle ??= this.#hasIdleQueues();
    if (rules.isPrague && this.#areQueuesIdle === false) return undefined;
    const writes: StateWrite[] = [];
    if (number > 0n && rules.isCancun && parentBeaconBlockRoot !== undefined && this.#beaconRoots !== undefined) {
      if (
        !this.#call(
          { contract: BEACON_ROOTS_ADDRESS, codeHash: this.#beaconRoots, data: parentBeaconBlockRoot },
          block,
          writes,
        )
      )
        return undefined;
    }
    if (number > 0n && rules.isPrague && this.#history !== undefined) {
      if (
        !this.#call({ contract: BLOCK_HASH_HISTORY_ADDRESS, codeHash: this.#history, data: parentHash }, block, writes)
      )
        return undefined;
    }
    if (!rules.isMerged) {
      const balance = (coinbase?.balance ?? 0n) + blockReward(rules, 0);
      writes.push({ address: block.coinbase, balance });
    }
    return writes;
  }

  /** Adds what a call of a system contract writes; false when only an EVM can tell. */
  #call({ contract, codeHash, data }: SystemCall, block: EmptyBlock, writes: StateWrite[]): boolean {
    const slots = systemCallWrites({ state: this.#state, block, contract, codeHash, data });
    if (slots === undefined) return false;
    for (const { slot, value } of slots) writes.push({ address: contract, slot, value });
    return true;
  }

  #hasIdleQueues(): boolean {
    const block = { number: 1n, timestamp: 0n };
    return [WITHDRAWAL_REQUESTS_ADDRESS, CONSOLIDATION_REQUESTS_ADDRESS].every((contract) => {
      const codeHash = codeHashOf(this.#state, contract);
      const request = { state: this.#state, block, contract, data: EMPTY_BYTES };
      return codeHash === undefined || systemCallWrites({ ...request, codeHash })?.length === 0;
    });
  }
}

/** undefined for a contract that is not there: the chain does not call it. */
function codeHashOf(state: ReadyState, contract: Bytes): Bytes | undefined {
  const codeHash = state.getAccount(contract)?.codeHash;
  return codeHash === undefined || equalBytes(codeHash, EMPTY_CODE_HASH) ? undefined : codeHash;
}

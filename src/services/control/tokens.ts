/**
 * Sets balances and allowances of ERC-20 tokens by writing the token's storage slot.
 *
 * The slot is found by the same method as in Anvil: each slot that `balanceOf` reads is given another value in a
 * simulated call, until the token returns that value.
 */
import { NotFoundError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes, equalBytes, padBytesLeft } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { AccountControl } from "./accounts.ts";

/** A storage slot of an account; 32 bytes. */
export interface Slot {
  readonly address: Bytes;
  readonly slot: Bytes;
}

/** Simulated calls on the state at the head. */
export interface ContractProbe {
  /** Slots of all contracts that a call reads or writes. */
  slotsOf(to: Bytes, data: Bytes): Promise<readonly Slot[]>;
  /** Return data of a call in which one slot has another value; undefined if the call fails. */
  call(to: Bytes, data: Bytes, assumed: Slot & { readonly value: Bytes }): Promise<Bytes | undefined>;
}

/** Selectors of `balanceOf(address)` and `allowance(address,address)` (EIP-20). */
const BALANCE_OF = Uint8Array.of(0x70, 0xa0, 0x82, 0x31);
const ALLOWANCE = Uint8Array.of(0xdd, 0x62, 0xed, 0x3e);

/** Serves `anvil_dealERC20` and `anvil_setERC20Allowance`. */
export class TokenControl {
  readonly #accounts: AccountControl;
  readonly #probe: ContractProbe;

  constructor(accounts: AccountControl, probe: ContractProbe) {
    this.#accounts = accounts;
    this.#probe = probe;
  }

  /**
   * Sets the result of `balanceOf(owner)`. The total supply does not change.
   *
   * @throws {NotFoundError} `TOKEN_SLOT_NOT_FOUND`
   */
  setBalance(token: Bytes, owner: Bytes, amount: bigint): Promise<void> {
    return this.#set(token, concatBytes(BALANCE_OF, padBytesLeft(owner, 32)), amount);
  }

  /**
   * Sets the result of `allowance(owner, spender)`.
   *
   * @throws {NotFoundError} `TOKEN_SLOT_NOT_FOUND`
   */
  setAllowance(token: Bytes, owner: Bytes, spender: Bytes, amount: bigint): Promise<void> {
    return this.#set(token, concatBytes(ALLOWANCE, padBytesLeft(owner, 32), padBytesLeft(spender, 32)), amount);
  }

  async #set(token: Bytes, data: Bytes, amount: bigint): Promise<void> {
    const value = bigIntToFixedBytes(amount, 32);
    for (const { address, slot } of await this.#probe.slotsOf(token, data)) {
      const answer = await this.#probe.call(token, data, { address, slot, value });
      if (answer !== undefined && equalBytes(answer, value) && (await this.#follows(token, data, { address, slot }))) {
        return this.#accounts.setStorageAt(address, slot, value);
      }
    }
    throw new NotFoundError({
      code: "TOKEN_SLOT_NOT_FOUND",
      what: `No storage slot of ${encodeData(token)} holds the balance or allowance as it is.`,
      fix: "Check that the address is an ERC-20 token; one that computes its balances has to be set by its own functions.",
    });
  }

  /** An unrelated slot may hold the wanted value by chance, so the result must follow a second value too. */
  async #follows(token: Bytes, data: Bytes, slot: Slot): Promise<boolean> {
    const other = bigIntToFixedBytes(PROBE_VALUE, 32);
    const answer = await this.#probe.call(token, data, { ...slot, value: other });
    return answer !== undefined && equalBytes(answer, other);
  }
}

/** Below 2^96, so that tokens that pack other data beside the amount return it unchanged. */
const PROBE_VALUE = 0x5eed_1234_5678n;

/** A state whose answers have to be waited for, and that notes what it was asked, and what together. */
import type { BlockContext } from "../../../src/evm/engine.ts";
import type { EngineState, EvmAccount } from "../../../src/evm/state-port.ts";
import type { Bytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import type { MaybePromise } from "../../../src/primitives/maybe-promise.ts";

export class AskedState implements EngineState {
  /** Reads in order; those made before any of them was answered are grouped. */
  readonly rounds: string[][] = [];
  readonly #state: EngineState;
  readonly #turn: () => Promise<unknown>;
  #round: string[] | undefined;

  /**
   * @param turn - settles when a question may be answered; by default in the next turn of the event loop
   */
  constructor(
    state: EngineState,
    turn: () => Promise<unknown> = () => new Promise((resolve) => setImmediate(resolve)),
  ) {
    this.#state = state;
    this.#turn = turn;
  }

  getAccount(address: Bytes): Promise<EvmAccount | undefined> {
    return this.#later(`account ${short(address)}`, () => this.#state.getAccount(address));
  }

  getStorage(address: Bytes, slot: Bytes): Promise<Bytes> {
    return this.#later(`slot ${short(address)} ${BigInt(encodeData(slot))}`, () =>
      this.#state.getStorage(address, slot),
    );
  }

  getCode(codeHash: Bytes): Promise<Bytes> {
    return this.#later("code", () => this.#state.getCode(codeHash));
  }

  hasStorage(address: Bytes): Promise<boolean> {
    return this.#later(`storage ${short(address)}`, () => this.#state.hasStorage(address));
  }

  /** The same of a block: its ancestors' hashes come later, too. */
  blockHash({ blockHash }: BlockContext): BlockContext["blockHash"] {
    return (number) => this.#later(`hash ${number}`, () => blockHash(number));
  }

  async #later<T>(question: string, answer: () => MaybePromise<T>): Promise<T> {
    if (this.#round === undefined) {
      this.#round = [];
      this.rounds.push(this.#round);
    }
    this.#round.push(question);
    await this.#turn();
    this.#round = undefined;
    return answer();
  }
}

/** The first byte of an address, as digits: those of tests have one byte repeated. */
function short(address: Bytes): string {
  return encodeData(address).slice(2, 4);
}

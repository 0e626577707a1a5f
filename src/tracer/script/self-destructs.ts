/**
 * What SELFDESTRUCT earns before London (EIP-3529): geth's counter has it when the operation begins, ours when it is over.
 * An account earns it once, unless the frame that destroyed it fails.
 */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";

export class SelfDestructs {
  readonly #refund: number;
  /** Accounts that are destroyed as things stand. */
  readonly #destroyed: string[] = [];
  /** How many there were when each open frame began. */
  readonly #before: number[] = [];

  /** @param refund - gas; 0 from London on */
  constructor(refund: number) {
    this.#refund = refund;
  }

  enterFrame(): void {
    this.#before.push(this.#destroyed.length);
  }

  exitFrame(isFailed: boolean): void {
    const before = this.#before.pop() ?? 0;
    if (isFailed) this.#destroyed.length = before;
  }

  note(account: Bytes): void {
    if (this.#refund > 0) this.#destroyed.push(bytesKey(account));
  }

  /** What an account's SELFDESTRUCT is about to earn, in gas. */
  refundOf(account: Bytes): number {
    return this.#refund === 0 || this.#destroyed.includes(bytesKey(account)) ? 0 : this.#refund;
  }
}

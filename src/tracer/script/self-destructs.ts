/**
 * Computes the refund of SELFDESTRUCT before London (EIP-3529). geth's refund counter includes it when the operation
 * begins, the engine's only after the operation.
 *
 * An account earns the refund once, unless the frame that destroyed it fails.
 */
import { type Bytes, bytesKey } from "../../primitives/bytes/bytes.ts";

/** Counts the refunds for SELFDESTRUCT in one transaction. */
export class SelfDestructs {
  readonly #refund: number;
  /** Accounts destroyed so far, without reverted frames. */
  readonly #destroyed: string[] = [];
  /** Number of destroyed accounts when each open frame began. */
  readonly #before: number[] = [];

  /** @param refund - gas; 0 since London */
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

  /** Refund that a SELFDESTRUCT of this account will earn, in gas. */
  refundOf(account: Bytes): number {
    return this.#refund === 0 || this.#destroyed.includes(bytesKey(account)) ? 0 : this.#refund;
  }
}

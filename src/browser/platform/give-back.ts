/** Browsers let nobody collect garbage. Counterpart of `primitives/platform/give-back.ts`. */

import { once } from "../../primitives/once.ts";

/** Does nothing. */
export class GiveBack {
  /** Whether this platform lets a program collect garbage. */
  readonly isEffective = false;

  note(): void {}

  growSparingly(): void {}

  hold(): () => void {
    return () => undefined;
  }
}

/** That of this thread. */
export const giveBackOfThread: () => GiveBack = once(() => new GiveBack());

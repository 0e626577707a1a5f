/** Browsers let nobody collect garbage. Counterpart of `primitives/platform/give-back.ts`. */

/** Does nothing. */
export class GiveBack {
  /** Whether this platform lets a program collect garbage. */
  readonly isEffective = false;

  note(): void {}
}

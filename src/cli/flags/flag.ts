/** What an option is, whatever its group. */
import type { TextShape } from "./option-values.ts";

/** How an option is written and read. Without a shape it is a switch. */
export interface Flag<T = unknown> {
  /** As commander wants it; `[value]` may be left out. */
  readonly flags: string;
  readonly help: string;
  readonly shape?: TextShape<T>;
  /** Its text is a name, a path or words: a number is a mistake, although it could be read. */
  readonly isText?: boolean;
  /** May be given several times; the values add up. */
  readonly isList?: boolean;
  /** Other long flags that mean the same: Anvil's, and Anvil's own aliases. */
  readonly aliases?: readonly string[];
}

/** A flag for each value, by the name that the value has in the configuration file. */
export type FlagsOf<Values> = { readonly [Key in keyof Values]: Flag<Values[Key]> };

/** The form of an option. */
import type { TextShape } from "./option-values.ts";

/** An option's names, reader and help. Without a reader it is a switch. */
export interface Flag<T = unknown> {
  /** In commander's form; `[value]` is optional. */
  readonly flags: string;
  readonly help: string;
  readonly shape?: TextShape<T>;
  /** Its value is a name, a path or words. A number in the configuration file is refused. */
  readonly isText?: boolean;
  /** Can be given several times; the values are joined. */
  readonly isList?: boolean;
  /** Other long flags with the same meaning: those of Anvil, and Anvil's own aliases. */
  readonly aliases?: readonly string[];
}

/** A flag for each value, under the value's name in the configuration file. */
export type FlagsOf<Values> = { readonly [Key in keyof Values]: Flag<Values[Key]> };

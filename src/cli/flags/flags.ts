/**
 * All options of the command: each as a flag, a `HINDCAST_` environment variable, and a member of the configuration
 * file. All three use the same reader.
 *
 * Flags that Anvil has too have Anvil's names. Defaults are the library's; a test compares them with those in the help.
 */

import { CHAIN_FLAGS, type ChainValues } from "./development-chain.ts";
import { FILE_FLAGS, type FileValues } from "./files.ts";
import type { FlagsOf } from "./flag.ts";
import { FORK_FLAGS, type ForkValues } from "./fork.ts";
import { LIMIT_FLAGS, type LimitValues } from "./limits.ts";
import { MINING_FLAGS, type MiningValues } from "./mining.ts";
import { OUTPUT_FLAGS, type OutputValues } from "./output.ts";
import { SERVER_FLAGS, type ServerValues } from "./server.ts";
import { SHARING_FLAGS, type SharingValues } from "./sharing.ts";

/** Parsed values of options, by their names in the configuration file; all optional. */
type Values = ServerValues &
  ChainValues &
  ForkValues &
  SharingValues &
  MiningValues &
  LimitValues &
  FileValues &
  OutputValues;

/** The name of an option in camel case, as in the configuration file. */
export type Name = keyof Values;

/** Values from one source. False switches an option off that a weaker source switches on. */
export type GivenValues = { readonly [Key in Name]?: Values[Key] };

/** All groups, in the order of the help. */
export const FLAGS: FlagsOf<Values> = {
  ...SERVER_FLAGS,
  ...CHAIN_FLAGS,
  ...FORK_FLAGS,
  ...SHARING_FLAGS,
  ...MINING_FLAGS,
  ...LIMIT_FLAGS,
  ...FILE_FLAGS,
  ...OUTPUT_FLAGS,
};

/** The names of all options, in the order of the help. */
export const NAMES: readonly Name[] = Object.keys(FLAGS) as Name[];

/** Heading of an option in the help. */
export function groupOf(name: Name): string {
  if (name in SERVER_FLAGS) return "Server";
  if (name in CHAIN_FLAGS) return "Development chain";
  if (name in FORK_FLAGS) return "Fork";
  if (name in SHARING_FLAGS) return "Shared chain";
  if (name in MINING_FLAGS) return "Mining";
  if (name in LIMIT_FLAGS) return "Limits";
  return name in FILE_FLAGS ? "Files" : "Output and configuration";
}

/** The long flag of an option, such as `--port`. */
export function longFlag(name: Name): string {
  return /--[\w-]+/.exec(FLAGS[name].flags)?.[0] ?? name;
}

/**
 * Every option of the command, once: as a flag, as a `HINDCAST_` environment variable, and as a member of the
 * configuration file. All three are read by the same schema.
 *
 * Flags carry Anvil's names where Anvil has them. Defaults are the library's; those that the help names are tested
 * against it.
 */

import { CHAIN_FLAGS, type ChainValues } from "./development-chain.ts";
import { FILE_FLAGS, type FileValues } from "./files.ts";
import type { FlagsOf } from "./flag.ts";
import { FORK_FLAGS, type ForkValues } from "./fork.ts";
import { MINING_FLAGS, type MiningValues } from "./mining.ts";
import { OUTPUT_FLAGS, type OutputValues } from "./output.ts";
import { SERVER_FLAGS, type ServerValues } from "./server.ts";

/** Values of options as they are read; each may be missing. Their names are those of the configuration file. */
type Values = ServerValues & ChainValues & ForkValues & MiningValues & FileValues & OutputValues;

export type Name = keyof Values;

/** What one source gave. False says that a switch is off, whatever weaker sources say. */
export type GivenValues = { readonly [Key in Name]?: Values[Key] };

export const FLAGS: FlagsOf<Values> = {
  ...SERVER_FLAGS,
  ...CHAIN_FLAGS,
  ...FORK_FLAGS,
  ...MINING_FLAGS,
  ...FILE_FLAGS,
  ...OUTPUT_FLAGS,
};

/** In the order of the help. */
export const NAMES: readonly Name[] = Object.keys(FLAGS) as Name[];

/** The heading under which the help shows an option. */
export function groupOf(name: Name): string {
  if (name in SERVER_FLAGS) return "Server";
  if (name in CHAIN_FLAGS) return "Development chain";
  if (name in FORK_FLAGS) return "Fork";
  if (name in MINING_FLAGS) return "Mining";
  return name in FILE_FLAGS ? "Files" : "Output and configuration";
}

/** The long flag of an option, such as `--port`. */
export function longFlag(name: Name): string {
  return /--[\w-]+/.exec(FLAGS[name].flags)?.[0] ?? name;
}

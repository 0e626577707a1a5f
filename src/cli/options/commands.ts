/** The commands that the first argument can name; without one a node is started. */

/** The summary of each command, for the help. */
const COMMANDS: Readonly<Record<string, string>> = {
  cache: "list what is stored of forked chains; hindcast cache clean deletes it",
  check: "look for damage in a data folder; --repair restores what can be computed again",
  completion: "print a script that completes flags: for bash, zsh or fish",
  debug: "step through a mined transaction of a node in its source, for editors",
  "hardfork-report": "show what the next hardfork breaks in a folder of artifacts: deployments and hard-coded gas",
  jobs: "trace or search ranges of blocks by several nodes of a chain in PostgreSQL, into files or a table",
  "trace-check": "compare the trace_* methods of any node with a client's, and with each other",
};

/** Their names, in the order of the help. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

const WIDTH = Math.max(...COMMAND_NAMES.map((name) => name.length)) + 2;

/** The part of the help that lists them. */
export const COMMANDS_HELP = [
  "Commands, the first argument; hindcast help <command> says more, hindcast help limits what no flag limits:",
  ...COMMAND_NAMES.map((name) => `  ${name.padEnd(WIDTH)}${COMMANDS[name]}`),
].join("\n");

/** Arguments without the command `help`, which is the flag in front: `help check` is `check --help`. */
export function withoutHelp(argv: readonly string[]): readonly string[] {
  const [first, named] = argv;
  if (first !== "help") return argv;
  if (named === undefined) return ["--help"];
  return COMMAND_NAMES.includes(named) ? [named, "--help"] : argv.slice(1);
}

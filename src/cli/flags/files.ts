/** Options for files that the chain is read from or written to. */
import type { FlagsOf } from "./flag.ts";
import { seconds, words } from "./option-values.ts";

/** Values by option. Paths are relative to the working folder. */
export interface FileValues {
  readonly genesis: string;
  readonly import: string;
  readonly export: string;
  readonly dataDir: string;
  readonly loadState: string;
  readonly dumpState: string;
  readonly state: string;
  /** milliseconds */
  readonly stateInterval: number;
}

/** The options of this group, in the order of the help. */
export const FILE_FLAGS: FlagsOf<FileValues> = {
  genesis: {
    flags: "--genesis <file>",
    help: "start from a genesis.json of geth; also --init (default: a development chain)",
    shape: words,
    isText: true,
    aliases: ["--init"],
  },
  import: {
    flags: "--import <file>",
    help: "import blocks in RLP, also gzipped, before listening",
    shape: words,
    isText: true,
  },
  export: {
    flags: "--export <file>",
    help: "write the chain in RLP after start-up and again on exit",
    shape: words,
    isText: true,
  },
  dataDir: {
    flags: "--data-dir <folder>",
    help: "store the chain on disk (default: in memory)",
    shape: words,
    isText: true,
  },
  loadState: {
    flags: "--load-state <file>",
    help: "start from a --dump-state file, ours or Anvil's",
    shape: words,
    isText: true,
  },
  dumpState: {
    flags: "--dump-state <file>",
    help: "write the whole chain on exit",
    shape: words,
    isText: true,
  },
  state: {
    flags: "--state <file>",
    help: "load the file if it exists, and write it on exit",
    shape: words,
    isText: true,
  },
  stateInterval: {
    flags: "-s, --state-interval <seconds>",
    help: "also write it at this interval (default: off)",
    shape: seconds,
  },
};

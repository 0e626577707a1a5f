/** Options for addresses, allowed clients and request limits. */
import { ENGINE_NAMES, type EngineName } from "../../evm/engine.ts";
import { DIALECTS, type Dialect } from "../../node/options/dialect.ts";
import { TRACE_CLIENTS, type TraceClient } from "../../services/simulate/trace/client.ts";
import type { FlagsOf } from "./flag.ts";
import { hostNames, oneOf, origins, wholeNumber, words } from "./option-values.ts";

/** Only programs on this machine reach it. */
export const DEFAULT_HOST = "127.0.0.1";
/** The port of geth, Anvil and Hardhat. */
export const DEFAULT_PORT = 8545;
const MEBIBYTE = 1024 * 1024;

/** Values by option. */
export interface ServerValues {
  readonly port: number;
  readonly host: string;
  readonly ipc: string | boolean;
  readonly allowOrigin: readonly string[];
  readonly noCors: boolean;
  readonly allowHost: readonly string[];
  readonly maxBodyBytes: number;
  readonly noRequestSizeLimit: boolean;
  readonly maxCacheBytes: number;
  readonly maxBatchLength: number;
  readonly maxRequestValues: number;
  readonly traceClient: TraceClient;
  readonly dialect: Dialect;
  readonly engine: EngineName;
  readonly clientVersion: string;
  readonly noExplorer: boolean;
  readonly explorerReadOnly: boolean;
  readonly noSourcify: boolean;
  readonly open: boolean;
}

/** The options of this group, in the order of the help. */
export const SERVER_FLAGS: FlagsOf<ServerValues> = {
  port: {
    flags: "-p, --port <number>",
    help: `port; 0 takes a free port (default: ${DEFAULT_PORT})`,
    shape: wholeNumber(0, 65_535),
  },
  host: {
    flags: "--host <address>",
    help: `address to bind (default: ${DEFAULT_HOST}; env: also ANVIL_IP_ADDR)`,
    shape: words,
    isText: true,
  },
  ipc: {
    flags: "--ipc [path]",
    help: "serve a socket file (default: off; path: hindcast.ipc in the temporary folder)",
    shape: words,
    isText: true,
    aliases: ["--ipcpath"],
  },
  allowOrigin: {
    flags: "--allow-origin <origins>",
    help: "allowed browser origins; * for all (default: those on localhost)",
    shape: origins,
    isText: true,
    isList: true,
  },
  noCors: {
    flags: "--no-cors",
    help: "allow no browser origin, not even localhost (default: off)",
  },
  allowHost: {
    flags: "--allow-host <names>",
    help: "allowed Host names; * for all (default: localhost and the bound address)",
    shape: hostNames,
    isText: true,
    isList: true,
  },
  maxBodyBytes: {
    flags: "--max-body-bytes <number>",
    help: `largest request (default: ${10 * MEBIBYTE})`,
    shape: wholeNumber(1, 1024 * MEBIBYTE),
  },
  noRequestSizeLimit: {
    flags: "--no-request-size-limit",
    help: "no limit on the size of a request (default: off)",
  },
  maxCacheBytes: {
    flags: "--max-cache-bytes <number>",
    help: `memory for caches of state, blocks, traces and recordings (default: ${384 * MEBIBYTE})`,
    shape: wholeNumber(MEBIBYTE, 1024 * 1024 * MEBIBYTE),
  },
  maxBatchLength: {
    flags: "--max-batch-length <number>",
    help: "most requests in one batch (default: 1000)",
    shape: wholeNumber(1, 1_000_000),
  },
  maxRequestValues: {
    flags: "--max-request-values <number>",
    help: "most values in the params of one request (default: 10000)",
    shape: wholeNumber(1, 500_000),
  },
  traceClient: {
    flags: "--trace-client <name>",
    help: `trace_* as in ${TRACE_CLIENTS.join(", ")} (default: hindcast)`,
    shape: oneOf(TRACE_CLIENTS),
    isText: true,
  },
  dialect: {
    flags: "--dialect <name>",
    help: `behaviour of ${DIALECTS.join(", ")} (default: hindcast)`,
    shape: oneOf(DIALECTS),
    isText: true,
  },
  engine: {
    flags: "--engine <name>",
    help: `EVM engine: ${ENGINE_NAMES.join(", ")} (the reference, slower) (default: wasm)`,
    shape: oneOf(ENGINE_NAMES),
    isText: true,
  },
  clientVersion: {
    flags: "--client-version <text>",
    help: "answer of web3_clientVersion (default: anvil/hindcast/ and the version)",
    shape: words,
    isText: true,
  },
  noExplorer: {
    flags: "--no-explorer",
    help: "show browsers the list of methods instead of the explorer (default: off)",
  },
  explorerReadOnly: {
    flags: "--explorer-read-only",
    help: "the explorer has no controls that change the chain (default: off)",
  },
  noSourcify: {
    flags: "--no-sourcify",
    help: "do not serve the sources of known contracts at /sourcify/ (default: off)",
  },
  open: {
    flags: "--open",
    help: "open the explorer in a browser (default: off)",
  },
};

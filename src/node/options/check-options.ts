/** Checks the options of a node before anything is made of them, so that a slip is told where it stands. */
import { MAXIMUM_GAS_LIMIT, MINIMUM_GAS_LIMIT } from "../../chainspec/header/gas-limit.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { ENGINE_NAMES, type EngineLimits } from "../../evm/engine.ts";
import { isMiningMode, MINING_MODE_SHAPE } from "../../miner/mining-mode.ts";
import { isData } from "../../primitives/bytes/hex.ts";
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import { nearestName } from "../../primitives/shapes/nearest-name.ts";
import { showValue } from "../../primitives/shapes/show-value.ts";
import type { SimulationLimits } from "../../services/simulate/call/simulation.ts";
import { TRACE_CLIENTS } from "../../services/simulate/trace/client.ts";
import type { TxPoolLimits } from "../../txpool/tx-pool.ts";
import type { ForkOptions } from "./fork-options.ts";
import type { ListenIpcOptions, ListenOptions, NodeOptions } from "./options.ts";

/** What an option must be, in words. */
interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** Of an option that is an object: its members, each of which may be left out. */
  readonly members?: Readonly<Record<string, Rule>>;
}

const MAX_ACCOUNTS = 2 ** 31;
/** Bytes: what an engine needs to begin with, and what 32 bits can point to. */
const MIN_EXECUTION_MEMORY = 2 ** 24;
const MAX_EXECUTION_MEMORY = 2 ** 32;

/** Bytes that one array can have on every Node from 20 on. */
const MAX_STATE_FILE_BYTES = 2 ** 32;

const isSafe = (value: unknown): value is number => Number.isSafeInteger(value);
const within = (value: unknown, least: bigint, most: bigint): boolean =>
  (typeof value === "bigint" || isSafe(value)) && BigInt(value) >= least && BigInt(value) <= most;

const text: Rule = { expected: "a string", holds: (value) => typeof value === "string" };
const filledText: Rule = {
  expected: "a string that is not empty",
  holds: (value) => typeof value === "string" && value !== "",
};
const isText = (value: unknown): value is string => typeof value === "string";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const positive: Rule = {
  expected: "a positive whole number below 2^256, as a bigint from 2^53 on",
  holds: (value) => within(value, 1n, MAX_UINT256),
};
const hash: Rule = {
  expected: "a hash: 0x and 64 hex digits",
  holds: (value) => isText(value) && value.length === 66 && isData(value),
};
const flag: Rule = { expected: "true or false", holds: (value) => typeof value === "boolean" };
const listener: Rule = { expected: "a function", holds: (value) => typeof value === "function" };
const wei: Rule = {
  expected: "wei as a bigint below 2^256, such as 10n ** 18n",
  holds: (value) => typeof value === "bigint" && within(value, 0n, MAX_UINT256),
};
const oneOf = (...names: readonly string[]): Rule => ({
  expected: `one of ${names.map((name) => JSON.stringify(name)).join(", ")}`,
  holds: (value) => names.includes(value as string),
});
const integer = (least: number, most = Number.MAX_SAFE_INTEGER): Rule => ({
  expected: `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`,
  holds: (value) => isSafe(value) && value >= least && value <= most,
});
const count: Rule = {
  expected: "a whole number from 0, or Infinity",
  holds: (value) => integer(0).holds(value) || value === Number.POSITIVE_INFINITY,
};
const milliseconds: Rule = {
  expected: "milliseconds as a number from 0",
  holds: (value) => typeof value === "number" && value >= 0,
};
const membersOf = <T>(members: Readonly<Record<keyof T & string, Rule>>): Rule => ({
  expected: `an object with some of ${Object.keys(members).join(", ")}`,
  holds: isObject,
  members,
});

/** Neither a list nor what holds its values otherwise, such as a Map, or the promise of an object. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

const RULES: Readonly<Record<keyof NodeOptions, Rule>> = {
  dataDir: filledText,
  genesis: {
    expected: "geth's genesis.json, as text or parsed",
    holds: (value) => typeof value === "string" || isObject(value),
  },
  fork: membersOf<ForkOptions>({
    url: filledText,
    urls: { expected: "a list of URLs", holds: (value) => Array.isArray(value) && value.every(filledText.holds) },
    provider: {
      expected: "an EIP-1193 provider: an object with a function `request`",
      holds: (value) => typeof (value as { readonly request?: unknown } | null)?.request === "function",
    },
    blockNumber: {
      expected: 'a whole number, negative to count back from the newest block, or "latest"',
      holds: (value) => value === "latest" || within(value, -MAX_UINT64, MAX_UINT64),
    },
    blockHash: hash,
    transactionHash: hash,
    chainId: positive,
    headers: {
      expected: "an object of texts",
      holds: (value) => isObject(value) && Object.values(value).every(isText),
    },
    cache: {
      expected: "true, false, or an object with folder and maxBytes",
      holds: (value) => isFlag(value) || isObject(value),
    },
    verify: flag,
    offline: flag,
    timeoutMs: milliseconds,
    retries: integer(0),
    retryBackoffMs: milliseconds,
    computeUnitsPerSecond: integer(1),
  }),
  hardfork: text,
  chainId: positive,
  accounts: integer(0, MAX_ACCOUNTS),
  balance: wei,
  mnemonic: text,
  derivationPath: {
    expected: "a path such as m/44'/60'/0'/0/",
    holds: (value) => typeof value === "string" && /^m(\/\d{1,9}'?)*\/?$/.test(value),
  },
  gasLimit: {
    expected: `gas as a whole number from ${MINIMUM_GAS_LIMIT} to ${MAXIMUM_GAS_LIMIT}`,
    holds: (value) => within(value, MINIMUM_GAS_LIMIT, MAXIMUM_GAS_LIMIT),
  },
  baseFeePerGas: wei,
  gasPrice: wei,
  priorityFeePerGas: wei,
  coinbase: {
    expected: "an address: 0x and 40 hex digits",
    holds: (value) => typeof value === "string" && value.length === 42 && isData(value),
  },
  mining: { expected: MINING_MODE_SHAPE, holds: isMiningMode },
  timestamp: { expected: "seconds as a whole number below 2^64", holds: (value) => within(value, 0n, MAX_UINT64) },
  clock: { expected: "a function that gives seconds", holds: (value) => typeof value === "function" },
  create2Deployer: flag,
  slotsInAnEpoch: { expected: "a whole number from 0", holds: (value) => within(value, 0n, MAX_UINT64) },
  responseShape: oneOf("standard", "parity"),
  traceClient: oneOf(...TRACE_CLIENTS),
  engine: oneOf(...ENGINE_NAMES),
  clientVersion: filledText,
  transactionOrder: oneOf("fees", "fifo"),
  autoImpersonate: flag,
  solidityStack: flag,
  codeSizeLimit: integer(0),
  transactionGasCap: flag,
  maxTransactions: integer(1),
  poolBalanceChecks: flag,
  poolLimits: membersOf<TxPoolLimits>({ maxTransactions: count, maxPerSender: count, maxBlobs: count }),
  limits: membersOf<SimulationLimits & EngineLimits>({
    callGasLimit: {
      expected: "gas as a bigint from 0",
      holds: (value) => typeof value === "bigint" && value >= 0n,
    },
    callTimeoutMs: milliseconds,
    traceTimeoutMs: milliseconds,
    traceFilterBlocks: count,
    minedBlocks: count,
    waitTimeoutMs: milliseconds,
    stateFileBytes: integer(0, MAX_STATE_FILE_BYTES),
    stateFileValues: count,
    executionMemory: integer(MIN_EXECUTION_MEMORY, MAX_EXECUTION_MEMORY),
    concurrentExecutions: {
      expected: "a whole number from 1, or Infinity",
      holds: (value) => count.holds(value) && value !== 0,
    },
    queuedExecutions: count,
  }),
  maxBatchLength: integer(1),
  onRequest: listener,
  onSlowRequest: listener,
  onMiningProgress: listener,
  onRefused: listener,
  onError: listener,
};

/** What a genesis settles, so that it cannot be said beside it. */
const OF_A_DEVELOPMENT_CHAIN = [
  "hardfork",
  "chainId",
  "balance",
  "gasLimit",
  "baseFeePerGas",
  "timestamp",
  "create2Deployer",
] as const satisfies readonly (keyof NodeOptions)[];

const names: Rule = {
  expected: "a list of strings",
  holds: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

const LISTEN_RULES: Readonly<Record<keyof ListenOptions, Rule>> = {
  port: integer(0, 65_535),
  host: filledText,
  allowedHosts: names,
  allowedOrigins: names,
  allowsLocalOrigins: flag,
  maxBodyBytes: integer(1),
  explorer: flag,
};

const LISTEN_IPC_RULES: Readonly<Record<keyof ListenIpcOptions, Rule>> = {
  path: filledText,
  maxRequestBytes: integer(1),
};

/** @throws {InvalidParamsError} `INVALID_OPTION` naming the option, what it should be and what it is */
export function checkOptions(options: NodeOptions): void {
  checkEach(options, RULES);
  if (options.genesis === undefined) return;
  const settled = OF_A_DEVELOPMENT_CHAIN.find((name) => options[name] !== undefined);
  if (settled === undefined) return;
  throw invalid(`The option ${settled} is for development chains; a genesis settles it.`, "Leave one of the two out.");
}

/** @throws {InvalidParamsError} `INVALID_OPTION`, as {@link checkOptions} */
export function checkListenOptions(options: ListenOptions): void {
  checkEach(options, LISTEN_RULES);
}

/** @throws {InvalidParamsError} `INVALID_OPTION`, as {@link checkOptions}; also without a path */
export function checkListenIpcOptions(options: ListenIpcOptions): void {
  checkEach(options, LISTEN_IPC_RULES);
  if (options.path === undefined) throw invalid("The option path is missing.", `It must be ${filledText.expected}.`);
}

/** @param within - the option that these are members of, and a dot */
function checkEach(options: object, rules: Readonly<Record<string, Rule>>, within = ""): void {
  if (!isObject(options)) throw invalid(`Options are an object, not ${showValue(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      throw invalid(`There is no option ${within}${name}.`, hint(name, Object.keys(rules)));
    }
    if (value === undefined) continue;
    if (!rule.holds(value)) {
      throw invalid(`The option ${within}${name} is not valid: ${showValue(value)}.`, `It must be ${rule.expected}.`);
    }
    if (rule.members !== undefined) checkEach(value as object, rule.members, `${name}.`);
  }
}

/** The name that was probably meant, or all names. */
function hint(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  return near === undefined ? `Use some of: ${names.join(", ")}.` : `Did you mean ${near}?`;
}

/**
 * Seconds that a clock of the user's gives.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for what are no whole seconds
 */
export function secondsOf(clock: () => bigint | number): bigint {
  const seconds = clock();
  if (within(seconds, 0n, MAX_UINT64)) return BigInt(seconds);
  throw invalid(
    `The option clock gave ${showValue(seconds)}.`,
    "It must give whole seconds, such as Math.floor(Date.now() / 1000).",
  );
}

function invalid(what: string, fix?: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what, ...(fix === undefined ? {} : { fix }) });
}

/**
 * Checks the options of a node before they are used. Errors name the option.
 *
 * It has over 300 lines, because it has a check for each option.
 */
import { z } from "zod";
import { PREDEPLOY_NAMES } from "../../chainspec/genesis/predeploys/predeploys.ts";
import { MAXIMUM_GAS_LIMIT, MINIMUM_GAS_LIMIT } from "../../chainspec/header/gas-limit.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { ENGINE_NAMES, type EngineLimits } from "../../evm/engine.ts";
import { MAX_ACCOUNTS } from "../../keyring/dev-accounts.ts";
import { isMiningMode, MINING_MODE_SHAPE } from "../../miner/mining-mode.ts";
import { isData } from "../../primitives/bytes/hex.ts";
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import { once } from "../../primitives/once.ts";
import { nameHint } from "../../primitives/validation/nearest-name.ts";
import { placeOf } from "../../primitives/validation/schema-issue.ts";
import {
  filledText,
  isMilliseconds,
  isObject,
  issueOf,
  listener,
  milliseconds,
  type ShapesOf,
  shape,
  someOf,
} from "../../primitives/validation/shape.ts";
import { showValue } from "../../primitives/validation/show-value.ts";
import type { RemoteCacheOptions } from "../../remote/upstream.ts";
import type { SimulationLimits } from "../../services/simulate/call/simulation.ts";
import { TRACE_CLIENTS } from "../../services/simulate/trace/client.ts";
import type { TxPoolLimits } from "../../txpool/tx-pool.ts";
import { DIALECTS } from "./dialect.ts";
import { contradictionOf } from "./fork-contradictions.ts";
import type { ForkOptions } from "./fork-options.ts";
import {
  MAX_EXECUTION_MEMORY,
  MAX_STATE_FILE_BYTES,
  MIN_EXECUTION_MEMORY,
  MIN_RECORDING_MEMORY,
} from "./limit-bounds.ts";
import type { ListenIpcOptions, ListenOptions, NodeOptions, ShareOptions } from "./options.ts";
import { sharingContradictionOf } from "./sharing-contradictions.ts";

/** A schema for each option, made when the option is first given, because most programs give few. */
export type OptionShapes<T> = { readonly [Name in keyof T]-?: () => z.ZodType };

const MIN_CACHE_BYTES = 2 ** 20;

const isSafe = (value: unknown): value is number => Number.isSafeInteger(value);
const within = (value: unknown, least: bigint, most: bigint): boolean =>
  (typeof value === "bigint" || isSafe(value)) && BigInt(value) >= least && BigInt(value) <= most;
const isText = (value: unknown): value is string => typeof value === "string";

/** @param expected - completes a sentence that begins with "It must be" */
const option = (expected: string, holds: (value: unknown) => boolean) => once(() => shape(expected, holds));

const text = once(() => z.string());
const texts = once(() => z.array(z.string(), "expected a list of strings"));
const flag = once(() => z.boolean());
const oneOf = (names: readonly string[]) => once(() => z.enum(names));
const address = option(
  "an address: 0x and 40 hex digits",
  (value) => isText(value) && value.length === 42 && isData(value),
);
const hash = option("a hash: 0x and 64 hex digits", (value) => isText(value) && value.length === 66 && isData(value));
const positive = option("a positive whole number below 2^256, as a bigint from 2^53 on", (value) =>
  within(value, 1n, MAX_UINT256),
);
const wei = option(
  "wei as a bigint below 2^256, such as 10n ** 18n",
  (value) => typeof value === "bigint" && within(value, 0n, MAX_UINT256),
);
/** A key as 32 bytes of DATA, and perhaps a balance in wei. */
const isAccount = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).every((name) => name === "privateKey" || name === "balance") &&
  issueOf(hash(), value.privateKey) === undefined &&
  (value.balance === undefined || issueOf(wei(), value.balance) === undefined);
/** 20 bytes as DATA, and perhaps a balance in wei. */
const isFundedAccount = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).every((name) => name === "address" || name === "balance") &&
  issueOf(address(), value.address) === undefined &&
  (value.balance === undefined || issueOf(wei(), value.balance) === undefined);
const countOrMore = (least: number) =>
  option(
    `a whole number from ${least}, or Infinity`,
    (value) => (isSafe(value) && value >= least) || value === Number.POSITIVE_INFINITY,
  );
const count = countOrMore(0);
const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  option(
    `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`,
    (value) => isSafe(value) && value >= least && value <= most,
  );
const optionsOf = <T>(shapes: OptionShapes<T>) =>
  once(() =>
    someOf<T>(
      Object.fromEntries(Object.entries<() => z.ZodType>(shapes).map(([name, make]) => [name, make()])) as ShapesOf<T>,
    ),
  );

const FORK_SHAPES: OptionShapes<ForkOptions> = {
  url: filledText,
  urls: once(() => z.array(filledText(), "expected a list of URLs")),
  provider: option(
    "an EIP-1193 provider: an object with a function `request`",
    (value) => typeof (value as { readonly request?: unknown } | null)?.request === "function",
  ),
  blockNumber: option(
    'a whole number, negative to count back from the newest block, or "latest"',
    (value) => value === "latest" || within(value, -MAX_UINT64, MAX_UINT64),
  ),
  blockHash: hash,
  transactionHash: hash,
  chainId: positive,
  headers: once(() => z.record(z.string(), z.string(), "expected an object of texts")),
  cache: once(() =>
    z.union([z.boolean(), someOf<RemoteCacheOptions>({ folder: filledText(), maxBytes: count() })], {
      error: "expected true, false, or an object with folder and maxBytes",
    }),
  ),
  verify: flag,
  offline: flag,
  timeoutMs: milliseconds,
  retries: integer(0),
  retryBackoffMs: milliseconds,
  computeUnitsPerSecond: integer(1),
  traceUpstream: flag,
  onProgress: listener,
};

const LIMIT_SHAPES: OptionShapes<SimulationLimits & EngineLimits> = {
  callGasLimit: option("gas as a bigint from 0", (value) => typeof value === "bigint" && value >= 0n),
  callTimeoutMs: milliseconds,
  traceTimeoutMs: milliseconds,
  traceFilterBlocks: count,
  minedBlocks: count,
  waitTimeoutMs: milliseconds,
  stateFileBytes: integer(0, MAX_STATE_FILE_BYTES),
  stateFileValues: count,
  recordingMemory: countOrMore(MIN_RECORDING_MEMORY),
  executionMemory: integer(MIN_EXECUTION_MEMORY, MAX_EXECUTION_MEMORY),
  importMemory: integer(MIN_EXECUTION_MEMORY, MAX_EXECUTION_MEMORY),
  concurrentExecutions: countOrMore(1),
  queuedExecutions: count,
};

const SHORTEST_TOKEN = 16;
const shareToken = option(
  `a text of at least ${SHORTEST_TOKEN} characters`,
  (value) => isText(value) && value.length >= SHORTEST_TOKEN,
);

/** The URL of a node, with a token: its password, or another one. */
function isWriter(url: unknown, token?: unknown): boolean {
  if (!isText(url) || !URL.canParse(url)) return false;
  const { protocol, password } = new URL(url);
  return /^(?:http|ws)s?:$/.test(protocol) && (token === undefined ? password !== "" : isText(token) && token !== "");
}

const NODE_SHAPES: OptionShapes<NodeOptions> = {
  dataDir: filledText,
  genesis: option("geth's genesis.json, as text or parsed", (value) => isText(value) || isObject(value)),
  fork: optionsOf(FORK_SHAPES),
  share: optionsOf<ShareOptions>({ token: shareToken }),
  follow: option(
    "the URL of a node that shares its chain, with its token as password, or { url, token }",
    (value) => isWriter(value) || (isObject(value) && isWriter(value.url, value.token)),
  ),
  // Its members are checked where it is used, which is in no page.
  shared: option("an object with url, role and chain", isObject),
  hardfork: text,
  hardforkAt: option(
    "an object of hardforks, each with the block number or the seconds of its beginning, such as { amsterdam: 1000 }",
    (value) => isObject(value) && Object.values(value).every((start) => within(start, 0n, MAX_UINT64)),
  ),
  chainId: positive,
  networkId: positive,
  accounts: option(
    `a whole number from 0 to ${MAX_ACCOUNTS}, or a list of { privateKey, balance }, with 32 bytes as DATA and wei as a bigint`,
    (value) =>
      (isSafe(value) && value >= 0 && value <= MAX_ACCOUNTS) || (Array.isArray(value) && value.every(isAccount)),
  ),
  balance: wei,
  fundedAccounts: option(
    "a list of { address, balance }, with 20 bytes as DATA and wei as a bigint",
    (value) => Array.isArray(value) && value.every(isFundedAccount),
  ),
  mnemonic: text,
  derivationPath: option(
    "a path such as m/44'/60'/0'/0/",
    (value) => isText(value) && /^m(\/\d{1,9}'?)*\/?$/.test(value),
  ),
  gasLimit: option(`gas as a whole number from ${MINIMUM_GAS_LIMIT} to ${MAXIMUM_GAS_LIMIT}`, (value) =>
    within(value, MINIMUM_GAS_LIMIT, MAXIMUM_GAS_LIMIT),
  ),
  baseFeePerGas: wei,
  gasPrice: wei,
  priorityFeePerGas: wei,
  coinbase: address,
  mining: option(MINING_MODE_SHAPE, isMiningMode),
  timestamp: option("seconds as a whole number below 2^64, not milliseconds", isTime),
  genesisNumber: option("a whole number below 2^53", (value) => within(value, 0n, BigInt(Number.MAX_SAFE_INTEGER))),
  clock: option("a function that gives seconds", (value) => typeof value === "function"),
  predeploy: once(() => z.array(z.enum(PREDEPLOY_NAMES))),
  create2Deployer: flag,
  slotsInAnEpoch: option("a whole number from 0", (value) => within(value, 0n, MAX_UINT64)),
  responseShape: oneOf(["standard", "parity"]),
  traceClient: oneOf(TRACE_CLIENTS),
  dialect: oneOf(DIALECTS),
  engine: oneOf(ENGINE_NAMES),
  clientVersion: filledText,
  transactionOrder: oneOf(["fees", "fifo"]),
  autoImpersonate: flag,
  throwOnTransactionFailures: flag,
  allowBlocksWithSameTimestamp: flag,
  artifacts: once(() => z.union([filledText(), z.array(filledText())])),
  sources: option(
    "the http(s) URL of a server of sources, a list of them, or { urls, timeoutMs }; without a query",
    areSources,
  ),
  solidityStack: flag,
  codeSizeLimit: integer(0),
  transactionGasCap: flag,
  maxTransactions: integer(1),
  poolBalanceChecks: flag,
  poolLimits: optionsOf<TxPoolLimits>({ maxTransactions: count, maxPerSender: count, maxBlobs: count }),
  limits: optionsOf(LIMIT_SHAPES),
  maxCacheBytes: integer(MIN_CACHE_BYTES),
  maxBatchLength: integer(1),
  maxRequestValues: integer(1),
  onRequest: listener,
  onSlowRequest: listener,
  onMiningProgress: listener,
  onNotice: listener,
  onError: listener,
};

/** Addresses are made of the URL, so that it has neither a query nor a fragment. */
function isServer(value: unknown): value is string {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, search, hash: fragment } = new URL(value);
  return /^https?:$/.test(protocol) && search === "" && fragment === "";
}

function areSources(value: unknown): boolean {
  if (!isObject(value)) return [value].flat().length > 0 && [value].flat().every(isServer);
  const { urls, timeoutMs, ...others } = value;
  const isTimed = timeoutMs === undefined || issueOf(milliseconds(), timeoutMs) === undefined;
  return !isObject(urls) && areSources(urls) && isTimed && Object.keys(others).length === 0;
}

const explorerMode = option(
  'true, false, or "read-only"',
  (value) => typeof value === "boolean" || value === "read-only",
);

const LISTEN_SHAPES: OptionShapes<ListenOptions> = {
  port: integer(0, 65_535),
  host: filledText,
  allowedHosts: texts,
  allowedOrigins: texts,
  allowsLocalOrigins: flag,
  maxBodyBytes: integer(1),
  explorer: explorerMode,
  sourcify: flag,
};

const LISTEN_IPC_SHAPES: OptionShapes<ListenIpcOptions> = { path: filledText, maxRequestBytes: integer(1) };

/** Options that a genesis determines, so that they cannot be given beside it. */
const OF_A_DEVELOPMENT_CHAIN = [
  "hardfork",
  "hardforkAt",
  "chainId",
  "balance",
  "fundedAccounts",
  "gasLimit",
  "baseFeePerGas",
  "timestamp",
  "genesisNumber",
  "create2Deployer",
  "predeploy",
] as const satisfies readonly (keyof NodeOptions)[];

/**
 * @param others - schemas of options that a caller has beside those of the node
 * @throws {InvalidParamsError} `INVALID_OPTION` with the option, the expected value and the given one
 */
export function checkOptions<Others extends object>(
  options: NodeOptions & Others,
  others?: OptionShapes<Others>,
): void {
  checkEach<object>(options, { ...NODE_SHAPES, ...others });
  const contradiction = contradictionOf(options) ?? sharingContradictionOf(options);
  if (contradiction !== undefined) throw invalid(...contradiction);
  // On a fork a genesis gives the hardfork schedule only.
  if (options.genesis === undefined || options.fork !== undefined) return;
  const settled = OF_A_DEVELOPMENT_CHAIN.find((name) => options[name] !== undefined);
  if (settled === undefined) return;
  throw invalid(`The option ${settled} is for development chains; a genesis settles it.`, "Leave one of the two out.");
}

/** @throws {InvalidParamsError} `INVALID_OPTION`, as {@link checkOptions} */
export function checkListenOptions(options: ListenOptions): void {
  checkEach(options, LISTEN_SHAPES);
}

/** @throws {InvalidParamsError} `INVALID_OPTION`, as {@link checkOptions}; also without a path */
export function checkListenIpcOptions(options: ListenIpcOptions): void {
  checkEach(options, LISTEN_IPC_SHAPES);
  if (options.path === undefined)
    throw invalid("The option path is missing.", "It must be a string that is not empty.");
}

function checkEach<T extends object>(options: T, shapes: OptionShapes<T>): void {
  if (!isObject(options)) throw invalid(`Options are an object, not ${showValue(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(shapes, name)) throw invalid(`There is no option ${name}.`, nameHint(name, Object.keys(shapes)));
    if (value === undefined) continue;
    const issue = issueOf(shapes[name as keyof T](), value);
    if (issue === undefined) continue;
    const { path, shown } = placeOf(issue, value);
    if (issue.code === "unrecognized_keys") {
      throw invalid(`There is no option ${name}${path}.${issue.keys[0]}.`, issue.message);
    }
    const fix = `It must be ${issue.message.replace(/^expected /, "")}.`;
    throw invalid(`The option ${name}${path} is not valid: ${shown}.`, fix);
  }
}

/** A bigint is taken as it is: a chain whose time was moved that far can be opened again. */
function isTime(value: unknown): value is bigint | number {
  return within(value, 0n, MAX_UINT64) && !(typeof value === "number" && isMilliseconds(value));
}

/**
 * Seconds of a user's clock.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` unless they are whole seconds
 */
export function secondsOf(clock: () => bigint | number): bigint {
  const seconds = clock();
  if (isTime(seconds)) return BigInt(seconds);
  throw invalid(
    `The option clock gave ${showValue(seconds)}.`,
    "It must give whole seconds, such as Math.floor(Date.now() / 1000).",
  );
}

function invalid(what: string, fix?: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what, ...(fix === undefined ? {} : { fix }) });
}

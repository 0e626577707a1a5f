/**
 * The hardfork schedule of a forked chain: from the user, its node, our tables, or the members of the pinned header, in
 * that order. A schedule that the pinned header contradicts is not used, unless it is the user's.
 */
import { ChainSpec } from "../../chainspec/chain-spec.ts";
import { devGenesis } from "../../chainspec/genesis/dev-genesis.ts";
import { foreignHistory } from "../../chainspec/genesis/foreign-history.ts";
import { type ForkSchedule, type Genesis, parseGenesis } from "../../chainspec/genesis/genesis.ts";
import { publicChain, TABLES_READ_AT } from "../../chainspec/genesis/public-chains.ts";
import {
  DEFAULT_BLOB_SCHEDULES,
  HARDFORKS,
  type Hardfork,
  hardforkName,
  isAtLeast,
  isBlobParameterOnly,
} from "../../chainspec/hardforks/hardforks.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { L1BlockNumber } from "../../chainspec/header/l1-block-number.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import { quantity } from "../../remote/decode/members.ts";
import type { RemoteChain } from "../../remote/upstream.ts";
import { readQuantity } from "../../remote/wire.ts";
import type { ScheduleSource } from "../../services/control/fork.ts";
import { isPlausible, readEthConfig, type StatedHardfork } from "./eth-config.ts";
import { type ShownHardforks, shownBy } from "./shown-hardforks.ts";

/** The rules of a forked chain. */
export interface ForkRules {
  /** Without accounts, which are read from the forked chain. */
  readonly genesis: Genesis;
  readonly source: ScheduleSource;
  /** Undefined if the node does not tell it. */
  readonly networkId: bigint | undefined;
  /** Only of chains of Arbitrum. */
  readonly l1BlockNumber: L1BlockNumber | undefined;
  /** A warning about the schedule in whole sentences; undefined unless it had to be guessed. */
  readonly warning: string | undefined;
}

/** Our table of the chain, unless the pinned header contradicts it. */
interface Table {
  readonly table: ForkSchedule | undefined;
}

interface Found {
  readonly schedule: ForkSchedule;
  readonly source: ScheduleSource;
  readonly warning?: string | undefined;
}

/**
 * The rules for a fork of the chain.
 *
 * @param given - a genesis of the user, whose schedule takes precedence
 * @throws {InvalidParamsError} `INVALID_GENESIS`
 * @throws {RemoteError} `REMOTE_BAD_ANSWER`
 */
export async function forkRules(remote: RemoteChain, pin: Header, given: unknown): Promise<ForkRules> {
  const { chainId } = remote;
  const shown = shownBy(pin, chainId);
  const [{ schedule, source, warning }, networkId] = await Promise.all([
    find(remote, { pin, shown }, given),
    stated(remote, "net_version", readNetworkId),
  ]);
  const { header } = genesisAt(shown.likely, chainId);
  return {
    genesis: { schedule: { ...schedule, chainId }, header, alloc: [] },
    source,
    networkId,
    l1BlockNumber: l1BlockNumberOf(remote),
    warning,
  };
}

/** The pinned block, and the hardforks whose headers have its form. */
interface Pin {
  readonly pin: Header;
  readonly shown: ShownHardforks;
}

async function find(remote: RemoteChain, pinned: Pin, given: unknown): Promise<Found> {
  if (given !== undefined) return { schedule: parseGenesis(given).schedule, source: "genesis" };
  const { chainId } = remote;
  const known = allowed(publicChain(chainId)?.schedule, pinned);
  // A public chain has the members of its hardfork; a node may tell of a chain that leaves some out.
  const isOlder = known !== undefined && !isAtLeast(pinned.shown.newest, hardforkAt(known, pinned.pin));
  const table = isOlder ? undefined : known;
  const usable = (schedule: ForkSchedule | undefined): ForkSchedule | undefined =>
    lacksHardforks(schedule, { ...pinned, table }) ? undefined : allowed(schedule, pinned);
  const [config, hardforks] = await Promise.all([
    stated(remote, "debug_chainConfig", (answer) => usable(readChainConfig(answer))),
    stated(remote, "eth_config", (answer) =>
      usable(scheduleOf(readEthConfig(answer, chainId), { ...pinned, table }, chainId)),
    ),
  ]);
  if (config !== undefined) return { schedule: config, source: "debug_chainConfig" };
  if (hardforks !== undefined) return { schedule: hardforks, source: "eth_config" };
  if (table !== undefined) return ofTable(remote, table, pinned);
  const { likely, isSure } = pinned.shown;
  const { schedule } = genesisAt(likely, chainId);
  if (isSure) return { schedule, source: "header" };
  return { schedule, source: "assumption", warning: warningOf(remote, likely, "its blocks do not show it") };
}

/** Our table counts up to the time for which it was read. */
function ofTable(remote: RemoteChain, schedule: ForkSchedule, { pin, shown }: Pin): Found {
  if (pin.timestamp <= TABLES_READ_AT || shown.isSure) return { schedule, source: "table" };
  const day = new Date(Number(TABLES_READ_AT) * 1000).toISOString().slice(0, 10);
  const reason = `the table of this version ends on ${day}, before the block`;
  return { schedule, source: "table", warning: warningOf(remote, hardforkAt(schedule, pin), reason) };
}

/** The schedule, unless the pinned header has members that the hardfork of its block does not have. */
function allowed(schedule: ForkSchedule | undefined, { pin, shown }: Pin): ForkSchedule | undefined {
  if (schedule === undefined) return undefined;
  return isAtLeast(hardforkAt(schedule, pin), shown.oldest) ? schedule : undefined;
}

/**
 * True if a node leaves out hardforks that our table of a chain with rules of its own has. Nodes of Arbitrum and Polygon
 * have them under other names: versions of ArbOS, and block numbers from Shanghai on.
 */
function lacksHardforks(schedule: ForkSchedule | undefined, { pin, table }: Pin & Table): boolean {
  if (schedule === undefined || table === undefined || foreignHistory(table.chainId) === undefined) return false;
  return !isAtLeast(hardforkAt(schedule, pin), hardforkAt(table, pin));
}

/** Later than all hardforks by number. */
const LATE_NUMBER = 1n << 63n;

function hardforkAt(
  schedule: ForkSchedule,
  { number, timestamp, difficulty }: Pick<Header, "number" | "timestamp" | "difficulty">,
): Hardfork {
  const { header } = genesisAt("chainstart", schedule.chainId);
  const parentTotalDifficulty = difficulty === 0n && number > 0n ? (schedule.terminalTotalDifficulty ?? 0n) : 0n;
  return new ChainSpec({ schedule, header, alloc: [] }).hardforkAt({ number, timestamp, parentTotalDifficulty });
}

/** The node's answer to a method; undefined if it lacks the method, or the answer is not usable. */
async function stated<T>(remote: RemoteChain, method: string, read: (answer: unknown) => T): Promise<T | undefined> {
  try {
    const answer = await remote.history(method, [], { mayBeMissing: true });
    return answer === null ? undefined : read(answer);
  } catch (error) {
    if (error instanceof HindcastError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** A decimal text; some nodes give a QUANTITY or a JSON number. */
function readNetworkId(answer: unknown): bigint {
  const isDecimal = /^[0-9]{1,78}$/.test(String(answer));
  return isDecimal ? BigInt(String(answer)) : readQuantity(answer);
}

function readChainConfig(config: unknown): ForkSchedule {
  const { schedule } = parseGenesis({ config });
  if (!Object.values(schedule.blobSchedules).every(isPlausible)) throw new TypeError("expected plausible blob limits");
  return schedule;
}

/**
 * The schedule with these hardforks, and before them our table, if it agrees with them; else the hardfork that the pinned
 * header shows, or the one that precedes them.
 */
function scheduleOf(
  hardforks: readonly StatedHardfork[],
  { pin, shown, table }: Pin & Table,
  chainId: bigint,
): ForkSchedule | undefined {
  const [first] = hardforks;
  if (first === undefined) return undefined;
  const active = hardforks.findLast(({ activationTime }) => activationTime <= pin.timestamp);
  const before = hardforkBefore(first.hardfork);
  const earlier = active === undefined && !isAtLeast(shown.newest, before) ? shown.likely : before;
  const isAgreed =
    table !== undefined &&
    (active === undefined
      ? hardforkAt(table, { number: LATE_NUMBER, timestamp: first.activationTime - 1n, difficulty: 0n }) === before
      : hardforkAt(table, pin) === active.hardfork);
  const schedule = isAgreed ? table : genesisAt(earlier, chainId).schedule;
  const times = hardforks.map(({ hardfork, activationTime }) => [hardfork, activationTime]);
  const limits = hardforks.flatMap(({ hardfork, blobSchedule }) =>
    blobSchedule === undefined ? [] : [[hardfork, blobSchedule]],
  );
  return {
    ...schedule,
    times: { ...schedule.times, ...Object.fromEntries(times) },
    blobSchedules: { ...schedule.blobSchedules, ...Object.fromEntries(limits) },
    depositContract:
      hardforks.findLast(({ depositContract }) => depositContract !== undefined)?.depositContract ??
      schedule.depositContract,
  };
}

/** The hardfork before another one; changes of blob limits only as far as mainnet has had them. */
function hardforkBefore(hardfork: Hardfork): Hardfork {
  const isKnown = (name: Hardfork): boolean => !isBlobParameterOnly(name) || DEFAULT_BLOB_SCHEDULES[name] !== undefined;
  return HARDFORKS.slice(0, HARDFORKS.indexOf(hardfork)).findLast(isKnown) as Hardfork;
}

function genesisAt(hardfork: Hardfork, chainId: bigint): Genesis {
  const nothing = { accounts: [], balance: 0n, timestamp: 0n, create2Deployer: false };
  return devGenesis({ hardfork, chainId, ...nothing });
}

/** Nodes of Arbitrum's chains show it in each block. */
function l1BlockNumberOf({ pin: { number, json } }: RemoteChain): L1BlockNumber | undefined {
  return json.l1BlockNumber === undefined ? undefined : { number, l1BlockNumber: quantity(json, "l1BlockNumber") };
}

function warningOf({ chainId, upstream }: RemoteChain, assumed: Hardfork, reason: string): string {
  return (
    `The hardforks of chain ${chainId} are not known: ${upstream.label} reports them by neither debug_chainConfig nor eth_config, ` +
    `and ${reason}. ${hardforkName(assumed)} is assumed, the newest that they allow. ` +
    "The option hardfork names another for new blocks, and genesis gives the whole schedule."
  );
}

/**
 * The hardfork schedule of a forked chain: from the user, our tables, its node, or the members of the pinned header, in
 * that order.
 */
import { devGenesis } from "../../chainspec/genesis/dev-genesis.ts";
import { type ForkSchedule, type Genesis, parseGenesis } from "../../chainspec/genesis/genesis.ts";
import { publicChain } from "../../chainspec/genesis/public-chains.ts";
import { HARDFORKS, type Hardfork, hardforkName, isAtLeast } from "../../chainspec/hardforks/hardforks.ts";
import type { Header } from "../../chainspec/header/header.ts";
import type { L1BlockNumber } from "../../chainspec/header/l1-block-number.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import { quantity } from "../../remote/decode/members.ts";
import type { RemoteChain } from "../../remote/upstream.ts";
import type { ScheduleSource } from "../../services/control/fork.ts";
import { isPlausible, readEthConfig, type ToldHardfork } from "./eth-config.ts";
import { type ShownHardforks, shownBy } from "./shown-hardforks.ts";

/** The rules of a forked chain. */
export interface ForkRules {
  /** Without accounts, which are read from the forked chain. */
  readonly genesis: Genesis;
  readonly source: ScheduleSource;
  /** Only of chains of Arbitrum. */
  readonly l1BlockNumber: L1BlockNumber | undefined;
  /** A warning about the schedule in whole sentences; undefined unless it had to be guessed. */
  readonly warning: string | undefined;
}

interface Found {
  readonly schedule: ForkSchedule;
  readonly source: ScheduleSource;
  /** The hardfork that was taken as the newest of several that the chain may have. */
  readonly assumed?: Hardfork | undefined;
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
  const { schedule, source, assumed } = await find(remote, { pin, shown }, given);
  const { header } = genesisAt(shown.newest, chainId);
  return {
    genesis: { schedule: { ...schedule, chainId }, header, alloc: [] },
    source,
    l1BlockNumber: l1BlockNumberOf(remote),
    warning: assumed === undefined ? undefined : warningOf(remote, assumed),
  };
}

/** The pinned block, and the hardforks whose headers have its form. */
interface Pin {
  readonly pin: Header;
  readonly shown: ShownHardforks;
}

async function find(remote: RemoteChain, pinned: Pin, given: unknown): Promise<Found> {
  if (given !== undefined) return { schedule: parseGenesis(given).schedule, source: "genesis" };
  const known = publicChain(remote.chainId)?.schedule;
  if (known !== undefined) return { schedule: known, source: "table" };
  const [config, hardforks] = await Promise.all([
    told(remote, "debug_chainConfig", readChainConfig),
    told(remote, "eth_config", (answer) => scheduleOf(readEthConfig(answer, remote.chainId), pinned, remote.chainId)),
  ]);
  if (config !== undefined) return { schedule: config, source: "debug_chainConfig" };
  if (hardforks !== undefined) return { schedule: hardforks, source: "eth_config" };
  const { oldest, newest } = pinned.shown;
  const { schedule } = genesisAt(newest, remote.chainId);
  return oldest === newest ? { schedule, source: "header" } : { schedule, source: "assumption", assumed: newest };
}

/** The node's answer to a method; undefined if it lacks the method, or the answer is not usable. */
async function told<T>(remote: RemoteChain, method: string, read: (answer: unknown) => T): Promise<T | undefined> {
  try {
    const answer = await remote.history(method, [], { mayBeMissing: true });
    return answer === null ? undefined : read(answer);
  } catch (error) {
    if (error instanceof HindcastError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function readChainConfig(config: unknown): ForkSchedule {
  const { schedule } = parseGenesis({ config });
  if (!Object.values(schedule.blobSchedules).every(isPlausible)) throw new TypeError("expected plausible blob limits");
  return schedule;
}

/**
 * The schedule with these hardforks, and before them the one that the pinned header shows, or the one that precedes
 * them.
 *
 * @throws {TypeError} if the pinned header is newer than they say
 */
function scheduleOf(
  hardforks: readonly ToldHardfork[],
  { pin, shown }: Pin,
  chainId: bigint,
): ForkSchedule | undefined {
  const [first] = hardforks;
  if (first === undefined) return undefined;
  const active = hardforks.findLast(({ activationTime }) => activationTime <= pin.timestamp);
  const before = HARDFORKS[HARDFORKS.indexOf(first.hardfork) - 1] as Hardfork;
  const earlier = active === undefined && isAtLeast(before, shown.newest) ? shown.newest : before;
  if (!isAtLeast(active?.hardfork ?? earlier, shown.oldest)) throw new TypeError("expected newer hardforks");
  const { schedule } = genesisAt(earlier, chainId);
  return {
    ...schedule,
    times: {
      ...schedule.times,
      ...Object.fromEntries(hardforks.map(({ hardfork, activationTime }) => [hardfork, activationTime])),
    },
    blobSchedules: Object.fromEntries(
      hardforks.flatMap(({ hardfork, blobSchedule }) => (blobSchedule === undefined ? [] : [[hardfork, blobSchedule]])),
    ),
    depositContract: hardforks.findLast(({ depositContract }) => depositContract !== undefined)?.depositContract,
  };
}

function genesisAt(hardfork: Hardfork, chainId: bigint): Genesis {
  const nothing = { accounts: [], balance: 0n, timestamp: 0n, create2Deployer: false };
  return devGenesis({ hardfork, chainId, ...nothing });
}

/** Nodes of Arbitrum's chains show it in each block. */
function l1BlockNumberOf({ pin: { number, json } }: RemoteChain): L1BlockNumber | undefined {
  return json.l1BlockNumber === undefined ? undefined : { number, l1BlockNumber: quantity(json, "l1BlockNumber") };
}

function warningOf({ chainId, upstream }: RemoteChain, assumed: Hardfork): string {
  return (
    `The hardforks of chain ${chainId} are not known: ${upstream.label} answers neither debug_chainConfig nor eth_config, ` +
    `and its blocks do not tell. ${hardforkName(assumed)} is assumed, the newest that they allow. ` +
    "The option hardfork names another for new blocks, and genesis gives the whole schedule."
  );
}

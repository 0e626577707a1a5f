/**
 * The hardfork schedule of a forked chain: from our tables, else from its node, else from the form of the pinned
 * header.
 */
import { devGenesis } from "../../chainspec/genesis/dev-genesis.ts";
import { type ForkSchedule, type Genesis, parseGenesis } from "../../chainspec/genesis/genesis.ts";
import { publicChain } from "../../chainspec/genesis/public-chains.ts";
import type { Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import type { Header } from "../../chainspec/header/header.ts";
import { HindcastError } from "../../errors/hindcast-error.ts";
import type { RemoteChain } from "../../remote/upstream.ts";

/**
 * A genesis for a fork of the chain, without accounts, which are read from the forked chain.
 *
 * @param given - a genesis of the user, whose schedule takes precedence
 * @throws {InvalidParamsError} `INVALID_GENESIS`
 */
export async function forkGenesis(remote: RemoteChain, pin: Header, given: unknown): Promise<Genesis> {
  const schedule = given === undefined ? await scheduleOf(remote, pin) : parseGenesis(given).schedule;
  const { header } = genesisAt(hardforkShownBy(pin), remote.chainId);
  return { schedule: { ...schedule, chainId: remote.chainId }, header, alloc: [] };
}

async function scheduleOf(remote: RemoteChain, pin: Header): Promise<ForkSchedule> {
  const known = publicChain(remote.chainId)?.schedule ?? (await toldSchedule(remote));
  return known ?? genesisAt(hardforkShownBy(pin), remote.chainId).schedule;
}

/** The schedule that the node gives in `debug_chainConfig`; undefined if it does not have that method. */
async function toldSchedule(remote: RemoteChain): Promise<ForkSchedule | undefined> {
  try {
    const config = await remote.history("debug_chainConfig", [], { mayBeMissing: true });
    return typeof config === "object" && config !== null ? parseGenesis({ config }).schedule : undefined;
  } catch (error) {
    if (error instanceof HindcastError) return undefined;
    throw error;
  }
}

/** The newest hardfork whose headers have this form. */
function hardforkShownBy({
  blockAccessListHash,
  requestsHash,
  excessBlobGas,
  withdrawalsRoot,
  difficulty,
  baseFeePerGas,
}: Header): Hardfork {
  if (blockAccessListHash !== undefined) return "amsterdam";
  if (requestsHash !== undefined) return "osaka";
  if (excessBlobGas !== undefined) return "cancun";
  if (withdrawalsRoot !== undefined) return "shanghai";
  if (difficulty === 0n) return "paris";
  return baseFeePerGas === undefined ? "berlin" : "london";
}

function genesisAt(hardfork: Hardfork, chainId: bigint): Genesis {
  const nothing = { accounts: [], balance: 0n, timestamp: 0n, create2Deployer: false };
  return devGenesis({ hardfork, chainId, ...nothing });
}

/** Opens a forked chain: the pinned block, the rules, and the initial state of the fork. */

import { problemOfBody } from "../../chain/read/check-answers.ts";
import type { BuiltGenesis } from "../../chain/read/genesis-block.ts";
import { RemoteHistory } from "../../chain/read/remote-history.ts";
import { ChainSpec } from "../../chainspec/chain-spec.ts";
import type { FundedAddress } from "../../chainspec/genesis/dev-genesis.ts";
import { type PredeployName, predeployAccounts } from "../../chainspec/genesis/predeploys/predeploys.ts";
import { parseHardfork } from "../../chainspec/hardforks/hardforks.ts";
import { isReachable } from "../../chainspec/header/fees.ts";
import { SYSTEM_ADDRESS, SYSTEM_CONTRACTS } from "../../chainspec/system-contracts.ts";
import { RemoteError } from "../../errors/hindcast-error.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import { EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH } from "../../primitives/hash/hash.ts";
import { given } from "../../primitives/validation/given.ts";
import { decodeHeaderJson } from "../../remote/decode/block.ts";
import { openRemoteChain } from "../../remote/open-remote-chain.ts";
import type { RemoteOptions } from "../../remote/upstream.ts";
import { StateDatabase } from "../../state/state-database.ts";
import { stateOfForkedBlock } from "../../state/state-id.ts";
import { EMPTY_ACCOUNT } from "../../state/view.ts";
import { readDataFolder } from "../../store/backends/data-folder.ts";
import { fundedAddresses } from "../options/accounts.ts";
import type { ForkOptions } from "../options/fork-options.ts";
import type { NodeOptions } from "../options/options.ts";
import { type ForkRules, forkRules } from "./fork-schedule.ts";

/** The base of a node on a fork. */
export interface OpenedFork {
  readonly history: RemoteHistory;
  readonly rules: ForkRules;
  readonly spec: ChainSpec;
  /** The pinned block, and the state with the funded accounts. */
  readonly genesis: BuiltGenesis;
}

/** The initial state of a fork has no stored nodes or codes. */
const EMPTY_SOURCE = { getTrieNode: () => undefined, getCode: () => undefined };

/**
 * Connects to the other chain. A data folder that holds a fork keeps its pinned block.
 *
 * @throws {RemoteError} if the other chain cannot be read
 * @throws {InvalidParamsError} `INVALID_OPTION`, `INVALID_GENESIS`
 */
export async function openFork(options: NodeOptions, fork: ForkOptions, keyring: Keyring): Promise<OpenedFork> {
  const funded = fundedAddresses(options, keyring);
  const { history, rules } = await connect(options, fork, funded);
  const { genesis: described } = rules;
  try {
    const { codeSizeLimit, allowBlocksWithSameTimestamp, hardfork, chainId = described.schedule.chainId } = options;
    const { number } = history.pin.header;
    const above = hardfork === undefined ? undefined : { number, hardfork: parseHardfork(hardfork) };
    const schedule = { ...described.schedule, chainId: BigInt(chainId) };
    const spec = new ChainSpec(
      { ...described, schedule },
      {
        codeSizeLimit,
        allowBlocksWithSameTimestamp,
        above,
        l1BlockNumber: rules.l1BlockNumber,
      },
    );
    return { history, rules, spec, genesis: await firstState(history, funded, options.predeploy) };
  } catch (error) {
    await history.remote.close();
    throw error;
  }
}

/**
 * Connects to another node that has the pinned block.
 *
 * @throws {RemoteError} if it does not have the block
 */
export function openHistory(options: NodeOptions, fork: ForkOptions): Promise<Connection> {
  return connect(options, fork);
}

/** A node of the forked chain. */
export interface Connection {
  readonly history: RemoteHistory;
  readonly rules: ForkRules;
}

/** The accounts that the beginning and end of a block read in any hardfork. */
const SYSTEM_ACCOUNTS = [SYSTEM_ADDRESS, ...SYSTEM_CONTRACTS.map(({ address }) => address)];

async function connect(
  options: NodeOptions,
  fork: ForkOptions,
  funded: readonly FundedAddress[] = [],
): Promise<Connection> {
  const named = [...funded, ...(await predeployAccounts(options.predeploy))].map(({ address }) => address);
  // Blocks of another hardfork than the pinned block's call system contracts that its header does not show.
  const firstAccounts = options.hardfork === undefined ? named : [...named, ...SYSTEM_ACCOUNTS];
  const remote = await openRemoteChain({ ...(await remoteOptions(options, fork)), firstAccounts });
  try {
    const rules = await forkRules(remote, decodeHeaderJson(remote.pin.json), options.genesis);
    const spec = new ChainSpec(rules.genesis, options);
    const history = new RemoteHistory(remote, spec);
    checkBlobPrice(history, spec);
    return { rules, history };
  } catch (error) {
    await remote.close();
    throw error;
  }
}

async function remoteOptions({ dataDir }: NodeOptions, fork: ForkOptions): Promise<RemoteOptions> {
  const { url, urls = url === undefined ? undefined : [url], blockNumber, chainId, traceUpstream: _, ...others } = fork;
  const isNamed = blockNumber !== undefined || fork.blockHash !== undefined || fork.transactionHash !== undefined;
  const stored = dataDir === undefined || isNamed ? undefined : await readDataFolder(dataDir);
  return {
    ...(given(others) as Omit<RemoteOptions, "urls">),
    urls,
    checkBody: problemOfBody,
    blockNumber: typeof blockNumber === "number" ? BigInt(blockNumber) : blockNumber,
    ...(stored === undefined ? {} : { blockHash: encodeData(stored.genesisHash) as Hex }),
    ...(chainId === undefined ? {} : { chainId: BigInt(chainId) }),
  };
}

/** Funds the development accounts. They have no code: on public chains somebody has put delegations there. */
async function firstState(
  history: RemoteHistory,
  funded: readonly FundedAddress[],
  predeploy: readonly PredeployName[] = [],
): Promise<BuiltGenesis> {
  const { pin } = history;
  const state = new StateDatabase(EMPTY_SOURCE, { remote: history }).working(stateOfForkedBlock(pin.hash));
  await Promise.all(
    funded.map(async ({ address, balance }) => {
      const account = (await state.getAccount(address)) ?? EMPTY_ACCOUNT;
      state.putAccount(address, { ...account, balance });
      await state.putCode(address, EMPTY_BYTES);
    }),
  );
  for (const { address, nonce, code, storage } of await predeployAccounts(predeploy)) {
    const account = (await state.getAccount(address)) ?? EMPTY_ACCOUNT;
    if (!equalBytes(account.codeHash, EMPTY_CODE_HASH)) continue;
    state.putAccount(address, { ...account, nonce });
    await state.putCode(address, code);
    for (const { slot, value } of storage) state.putStorage(address, slot, value);
  }
  await state.fetchProofs();
  return { block: pin, commit: state.commitState(), totalDifficulty: history.totalDifficultyOf(pin) };
}

/** @throws {RemoteError} `REMOTE_BAD_ANSWER` for an excess of blob gas that no chain can have */
function checkBlobPrice(history: RemoteHistory, spec: ChainSpec): void {
  const { header } = history.pin;
  if (header.excessBlobGas === undefined) return;
  const parentTotalDifficulty = history.totalDifficultyOf(history.pin);
  const hardfork = spec.hardforkAt({ number: header.number, timestamp: header.timestamp, parentTotalDifficulty });
  if (isReachable(header, spec.blobSchedule(hardfork))) return;
  throw new RemoteError({
    code: "REMOTE_BAD_ANSWER",
    what: "The upstream gave a block that no chain can have.",
    where: `Block ${header.number}: its excessBlobGas ${header.excessBlobGas} makes blob gas cost 2^256 wei or more.`,
    fix: "Fork another block, or use another node or provider.",
  });
}

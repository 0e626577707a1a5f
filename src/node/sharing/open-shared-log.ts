/** Opens what a node has whose chain is shared over PostgreSQL. Loaded only for these. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { type ChainDescription, decodeDescription } from "../../sharing/chain-description.ts";
import { Follower } from "../../sharing/follower.ts";
import type { JobWorker } from "../../sharing/jobs/job-worker.ts";
import { PostgresSource } from "../../sharing/postgres/postgres-source.ts";
import { PostgresWriting } from "../../sharing/postgres/writing.ts";
import { type ChainIdentity, differenceOf } from "../../store/backends/chain-identity.ts";
import type { NodeOptions, SharedOptions } from "../options/options.ts";
import { checkSharedOptions, DEFAULT_CHAIN } from "../options/shared-options.ts";
import { descriptionOf, readerParts } from "./described-chain.ts";
import { NodeSharing } from "./node-sharing.ts";
import type { OpenedSharing } from "./opened-sharing.ts";
import { SharedLog } from "./shared-log.ts";

/**
 * Connects to PostgreSQL.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION`
 * @throws {RemoteError} `SHARED_LOG_UNREACHABLE`
 * @throws {UnsupportedError} `SHARED_LOG_REFUSED`, `PACKAGE_MISSING`
 */
export async function openSharedLog(options: NodeOptions, shared: SharedOptions): Promise<OpenedSharing> {
  checkSharedOptions(shared, options);
  const { url, role = "standby", chain = DEFAULT_CHAIN } = shared;
  const { dataDir, onError = () => undefined, onNotice = () => undefined } = options;
  const follow = (): Promise<Follower> =>
    Follower.connect(new PostgresSource(url, chain), { onError, isOnDisk: dataDir !== undefined });
  if (role === "reader") {
    const worker = shared.work === true ? await openWorker(shared, { chain, onError }) : undefined;
    try {
      const follower = await follow();
      return { ...readerParts(options, follower.description), sharing: new NodeSharing({ follower, worker }) };
    } catch (error) {
      await worker?.close();
      throw error;
    }
  }
  const { leaseMs, baseAfterBytes, address, onFenced = () => undefined } = shared;
  const bounds = { leaseMs, baseAfterBytes };
  const writing = await PostgresWriting.connect({ url, chain, ...bounds, onFenced, onError, onNotice });
  try {
    const isThere = (await writing.row()) !== undefined;
    const description = isThere ? decodeDescription((await writing.source.describe()).description) : undefined;
    const log = new SharedLog({ writing, isWriter: role === "writer", follow, address, onError });
    const sharing = new NodeSharing({ log });
    const existing = description === undefined ? options : optionsOfExisting(options, description);
    const describe: OpenedSharing["describe"] = (base, identity) => {
      if (description !== undefined) requireSameChain(description, identity);
      sharing.describe(descriptionOf(options, base, identity));
    };
    // Mines as the options say when it has become the writer.
    return { options: { ...existing, mining: "manual" }, sharing, describe };
  } catch (error) {
    await writing.close();
    throw error;
  }
}

/** Loaded for nodes that take jobs alone. */
async function openWorker(
  { url, leaseMs }: SharedOptions,
  { chain, onError }: { readonly chain: string; readonly onError: (error: unknown) => void },
): Promise<JobWorker> {
  const { JobWorker } = await import("../../sharing/jobs/job-worker.ts");
  const worker = new JobWorker({ url, chain, leaseMs, onError });
  try {
    await worker.connect();
    return worker;
  } catch (error) {
    await worker.close();
    throw error;
  }
}

/** The options of a node that may write an existing chain: a development chain begins when that one began. */
function optionsOfExisting(options: NodeOptions, { identity }: ChainDescription): NodeOptions {
  const { genesisTimestamp } = identity;
  const isGiven = options.genesis !== undefined || options.timestamp !== undefined || genesisTimestamp === undefined;
  return isGiven ? options : { ...options, timestamp: genesisTimestamp };
}

/**
 * A node that may write has to be of the chain that it writes.
 *
 * @throws {UnsupportedError} `SHARED_LOG_REFUSED`, with the options that differ
 */
function requireSameChain({ identity: found }: ChainDescription, wanted: ChainIdentity): void {
  if (equalBytes(found.genesisHash, wanted.genesisHash) && found.chainId === wanted.chainId) return;
  throw new UnsupportedError({
    code: "SHARED_LOG_REFUSED",
    what: "The options of this node make another chain than the one in PostgreSQL.",
    ...(differenceOf(found, wanted) === "" ? {} : { where: differenceOf(found, wanted).trim() }),
    fix: "Give the options that the chain was made with, use --role reader, or name another chain: --chain NAME.",
  });
}

/** Opens what a node that shares its chain, or follows another one, has beside the others. Loaded only for these. */
import type { BuiltGenesis } from "../../chain/read/genesis-block.ts";
import { makeBlock } from "../../chainspec/header/block.ts";
import { decodeHeader, encodeHeader } from "../../chainspec/header/header.ts";
import type { ChainDescription } from "../../sharing/chain-description.ts";
import { encodeDescription } from "../../sharing/chain-description.ts";
import { Follower } from "../../sharing/follower.ts";
import { SharedChain } from "../../sharing/shared-chain.ts";
import type { WriterAddress } from "../../sharing/writer-client.ts";
import { ownStateId } from "../../state/state-id.ts";
import type { ChainIdentity } from "../../store/backends/chain-identity.ts";
import type { NodeBase } from "../fork/chain-bases.ts";
import type { FollowOptions, NodeOptions } from "../options/options.ts";
import { followedSpec } from "./followed-spec.ts";
import { NodeSharing } from "./node-sharing.ts";

/** Options of the writer on which a reader's answers depend. */
const DESCRIBED = [
  "networkId",
  "slotsInAnEpoch",
  "traceClient",
  "dialect",
  "codeSizeLimit",
  "transactionGasCap",
  "allowBlocksWithSameTimestamp",
] as const satisfies readonly (keyof NodeOptions)[];

/**
 * Connects to the writer, or prepares to share.
 *
 * @throws {RemoteError} `WRITER_UNREACHABLE`
 * @throws {UnsupportedError} `FOLLOWING_REFUSED`
 */
export async function openSharing(options: NodeOptions): Promise<NodeSharing> {
  const { share, follow, dataDir, onError = () => undefined } = options;
  if (follow !== undefined) {
    const follower = await Follower.connect(addressOf(follow), { onError, isOnDisk: dataDir !== undefined });
    return new NodeSharing(undefined, follower);
  }
  if (share === undefined) throw new TypeError("openSharing: neither shares nor follows");
  return new NodeSharing(new SharedChain(share), undefined);
}

/** The token is that of the options, or the password of the URL. */
function addressOf(follow: string | FollowOptions): WriterAddress {
  const { url, token } = typeof follow === "string" ? { url: follow, token: undefined } : follow;
  if (token !== undefined) return { url, token };
  const parsed = new URL(url);
  const { password } = parsed;
  parsed.username = "";
  parsed.password = "";
  return { url: parsed.href, token: decodeURIComponent(password) };
}

/** The options of a reader, completed by those of its writer. */
export function readerOptions(options: NodeOptions, { options: described }: ChainDescription): NodeOptions {
  return { ...options, ...described, accounts: 0, mining: "manual" };
}

/** The base of a reader's chain. */
export function followedBase(description: ChainDescription): NodeBase {
  const header = decodeHeader(description.genesisHeader);
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : [];
  const genesis: BuiltGenesis = {
    block: makeBlock(header, { transactions: [], uncles: [], withdrawals }),
    // The stream has its nodes.
    commit: { stateRoot: ownStateId(header.stateRoot), trieNodes: [], codes: [] },
  };
  return { spec: followedSpec(description), genesis, history: undefined, clockOffset: 0n };
}

/** The description of a chain for its readers. */
export function descriptionOf(options: NodeOptions, { spec, genesis }: NodeBase, identity: ChainIdentity): string {
  const { alloc: _, ...rules } = spec.genesis;
  return encodeDescription({
    genesis: rules,
    identity,
    genesisHeader: encodeHeader(genesis.block.header),
    options: Object.fromEntries(DESCRIBED.map((name) => [name, options[name]])),
  });
}

/** Opens what a node that shares its chain, or follows another one, has beside the others. Loaded only for these. */
import { Follower } from "../../sharing/follower.ts";
import { SharedChain } from "../../sharing/shared-chain.ts";
import type { WriterAddress } from "../../sharing/writer-client.ts";
import { WriterSource } from "../../sharing/writer-source.ts";
import type { FollowOptions, NodeOptions } from "../options/options.ts";
import { descriptionOf, readerParts } from "./described-chain.ts";
import { NodeSharing } from "./node-sharing.ts";
import type { OpenedSharing } from "./opened-sharing.ts";

/**
 * Connects to the writer or the log, or prepares to share.
 *
 * @throws {RemoteError} `WRITER_UNREACHABLE`, `SHARED_LOG_UNREACHABLE`
 * @throws {UnsupportedError} `FOLLOWING_REFUSED`, `SHARED_LOG_REFUSED`, `PACKAGE_MISSING`
 */
export async function openSharing(options: NodeOptions): Promise<OpenedSharing> {
  const { share, follow, shared, dataDir, onError = () => undefined } = options;
  if (shared !== undefined) {
    const { openSharedLog } = await import("./open-shared-log.ts");
    return openSharedLog(options, shared);
  }
  if (follow !== undefined) {
    const source = new WriterSource(addressOf(follow));
    const follower = await Follower.connect(source, { onError, isOnDisk: dataDir !== undefined });
    return { ...readerParts(options, follower.description), sharing: new NodeSharing({ follower }) };
  }
  if (share === undefined) throw new TypeError("openSharing: neither shares nor follows");
  const sharing = new NodeSharing({ shared: new SharedChain(share) });
  const describe: OpenedSharing["describe"] = (base, identity) =>
    sharing.describe(descriptionOf(options, base, identity));
  return { options, sharing, describe };
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

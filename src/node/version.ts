/** Name and version of this build. */
import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

export const VERSION: string = version;

/** What web3_clientVersion answers. */
export const CLIENT_VERSION: string = `hindcast/v${version}`;

/** Name and version of this build. */
import { createRequire } from "node:module";
import type { EngineName } from "../evm/engine.ts";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

export const VERSION: string = version;

/** The answer of web3_clientVersion: name, version and engine. */
export function clientVersion(engine: EngineName): string {
  return `hindcast/v${version}/${engine}`;
}

/** Values shared by a chain process that is killed and the tests that kill it. The process loads nothing else of theirs. */
import type { NodeOptions } from "../../src/node/options/options.ts";

const NOW = 1_700_000_000;

export const OPTIONS: NodeOptions = { hardfork: "petersburg", clock: () => NOW, mining: "manual" };

/** The account that is edited. */
export const EDITED: Uint8Array = new Uint8Array(20).fill(0xed);

/** In the environment of the process: the address of the library as it is published, in place of its sources. */
export const LIBRARY = "HINDCAST_LIBRARY";

import type { Hardfork } from "../../../chainspec/hardforks.ts";
import type { Precompile } from "./precompile.ts";

/** placeholder */
export interface Precompiles {
  at(hardfork: Hardfork): ReadonlyMap<number, Precompile>;
  close(): Promise<void>;
}

/** What a precompiled contract is to the engine. */
import type { PrecompileFault } from "../../../evm/frames.ts";
import type { Bytes } from "../../../primitives/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";

export type PrecompileAnswer = { readonly output: Bytes } | { readonly fault: PrecompileFault };

export interface Precompile {
  readonly home: number;
  readonly name: string;
  gas(input: Bytes): number | bigint;
  run(input: Bytes): MaybePromise<PrecompileAnswer>;
}

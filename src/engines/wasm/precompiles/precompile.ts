/** A precompiled contract, as the engine's host uses it. */
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import type { PrecompileFault } from "../../../evm/frames.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";

/** Result of a precompile: an output, or a fault of the input. A fault uses up all gas. */
export type PrecompileAnswer = { readonly output: Bytes } | { readonly fault: PrecompileFault };

/** A precompile by the rules of one hardfork. */
export interface Precompile {
  /** Its standard address as a number: 1 to 0x11, 0x100. */
  readonly standardAddress: number;
  /** Its name in EIP-7910. */
  readonly name: string;
  /** Hardfork of the prices and limits. */
  readonly hardfork: Hardfork;
  /** Price of an input in gas, even if {@link run} would refuse the input; may exceed any gas limit. */
  gas(input: Bytes): bigint;
  /**
   * Computes the answer. Must only be called after the price was paid.
   *
   * Answers that take less than 5 ms are computed synchronously. Others are computed in a thread; the input is then
   * copied before this returns. The output is always a new array.
   *
   * @param signal - aborts a computation in a thread: the promise rejects with its reason
   * @throws {InternalError} if the computation or its thread fails; the next call starts anew
   */
  run(input: Bytes, signal?: AbortSignal): MaybePromise<PrecompileAnswer>;
}

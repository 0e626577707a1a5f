/** A precompiled contract as the engine's host sees it. */
import type { Hardfork } from "../../../chainspec/hardforks/hardforks.ts";
import type { PrecompileFault } from "../../../evm/frames.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { MaybePromise } from "../../../primitives/maybe-promise.ts";

/** What a precompile makes of an input: an output, or what is wrong with the input. A fault takes all gas. */
export type PrecompileAnswer = { readonly output: Bytes } | { readonly fault: PrecompileFault };

/** A precompile by the rules of one hardfork. */
export interface Precompile {
  /** The address at which it is at home, as a number: 1 to 0x11, 0x100. */
  readonly home: number;
  /** Its name in EIP-7910. */
  readonly name: string;
  /** The hardfork whose prices and limits hold. */
  readonly hardfork: Hardfork;
  /** Price in gas of an input, whether or not the input is one that {@link run} takes; it may be beyond any gas limit. */
  gas(input: Bytes): bigint;
  /**
   * Computes the answer. To be called only when the price is paid: what is declared and paid for is computed.
   *
   * The answer comes at once where it takes less than 5 ms. One that takes longer is computed in a thread, and promised;
   * the input is copied then, so that its bytes may change meanwhile. The output is a fresh array either way.
   *
   * @param signal - gives up a promised answer: the promise is rejected with the signal's reason
   * @throws {InternalError} when the computation or its thread breaks; the next call starts anew
   */
  run(input: Bytes, signal?: AbortSignal): MaybePromise<PrecompileAnswer>;
}

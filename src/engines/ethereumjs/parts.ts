/** What a session works with, all of it its own. */
import type { EVM } from "@ethereumjs/evm";
import type { BlockContext, Pace } from "../../evm/engine.ts";
import type { Bytes } from "../../primitives/bytes.ts";
import type { Metronome } from "./metronome.ts";
import type { StateOverlay } from "./overlay.ts";

/** What a message is given to EthereumJS with. */
export type CallOptions = Parameters<EVM["runCall"]>[0];

export interface SessionParts {
  readonly evm: EVM;
  /** The state that `evm` works on. */
  readonly state: StateOverlay;
  readonly metronome: Metronome;
  readonly pace: Pace;
  /** Lets BLOCKHASH answer in a block. Gives what messages are run with there. */
  enterBlock(block: BlockContext): NonNullable<CallOptions["block"]>;
  /** Number of the address at which the precompile is at home that answers at an address; undefined where none does. */
  homeOf(address: Bytes): number | undefined;
}

/** The delegate that code names; undefined for other code (EIP-7702). */
export function delegateOf(code: Bytes | undefined): Bytes | undefined {
  return code?.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0 ? code.slice(3) : undefined;
}

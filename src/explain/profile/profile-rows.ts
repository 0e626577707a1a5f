/** A gas profile as rows: what its texts and its differences are made of. */

/** Gas of one function over all its calls. */
export interface FunctionGas {
  /** `Vault.withdraw`, a contract, or a part of the price such as `intrinsic gas`. */
  readonly name: string;
  readonly file: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
  readonly calls: number;
  /** Used by itself. */
  readonly self: bigint;
  /** With what it called; calls of itself are counted once. */
  readonly total: bigint;
}

/** Gas of one line of the source, without what it called. */
export interface LineGas {
  /** Undefined for code that has no source. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly gas: bigint;
  /** Operations. */
  readonly count: number;
}

/** Gas of one opcode, without what a call was given. */
export interface OpcodeGas {
  readonly name: string;
  readonly gas: bigint;
  readonly count: number;
}

/** Gas that was used at one end of a way of calls. */
export interface StackGas {
  /** Outermost first. */
  readonly names: readonly string[];
  readonly gas: bigint;
}

export interface ProfileRows {
  /** What the sender pays for. All of {@link stacks} minus {@link gasRefund} is this. */
  readonly gasUsed: bigint;
  /** Given back: SSTORE, and before London SELFDESTRUCT. */
  readonly gasRefund: bigint;
  /** The functions, contracts and parts of the price, the dearest first. */
  functions(): readonly FunctionGas[];
  /** The lines, the dearest first. Gas that no operation used, such as the intrinsic gas, is in none. */
  lines(): readonly LineGas[];
  /** The opcodes, the dearest first. */
  opcodes(): readonly OpcodeGas[];
  /** All ways of calls at whose end gas was used. */
  stacks(): Iterable<StackGas>;
}

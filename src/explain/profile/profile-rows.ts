/** A gas profile as rows, from which tables, files and differences are made. */

/** Gas of one function, summed over all its calls. */
export interface FunctionGas {
  /** `Vault.withdraw`, a contract, or another cost such as `intrinsic gas`. */
  readonly name: string;
  readonly file: string | undefined;
  /** Counted from 1. */
  readonly line: number | undefined;
  readonly calls: number;
  /** Gas used by the function itself. */
  readonly self: bigint;
  /** Gas including the functions it called. A recursive call is not counted twice. */
  readonly total: bigint;
}

/** Gas of one source line, without the calls it made. */
export interface LineGas {
  /** Undefined for code without a source. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly gas: bigint;
  /** Number of operations. */
  readonly count: number;
}

/** Gas of one opcode, without the gas of the calls it made. */
export interface OpcodeGas {
  readonly name: string;
  readonly gas: bigint;
  readonly count: number;
}

/** Gas used by the last function of one chain of callers. */
export interface StackGas {
  /** Names of the chain, outermost first. */
  readonly names: readonly string[];
  readonly gas: bigint;
}

/** Implemented by a profile, and by the difference of two. */
export interface ProfileRows {
  /** Gas that the sender pays for: the sum of {@link stacks} minus {@link gasRefund}. */
  readonly gasUsed: bigint;
  /** Gas refunded for SSTORE, and before London for SELFDESTRUCT. */
  readonly gasRefund: bigint;
  /** The part that pays for new state, before refunds; 0 without EIP-8037. */
  readonly stateGasUsed?: bigint;
  /** Functions, contracts and other costs, the most expensive first. */
  functions(): readonly FunctionGas[];
  /** Source lines, the most expensive first. Gas of no operation, such as the intrinsic gas, is not included. */
  lines(): readonly LineGas[];
  /** Opcodes, the most expensive first. */
  opcodes(): readonly OpcodeGas[];
  /** All chains of callers whose last function used gas itself. */
  stacks(): Iterable<StackGas>;
}

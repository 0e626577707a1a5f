/** A Solidity stack trace as plain values: the lines that led to a failure, and its reason. */
import type { FrameError } from "../../evm/frames.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { DecodedArgument, DecodedItem } from "../abi/registry.ts";
import type { SourceMatch } from "../source/build.ts";
import type { Recognition } from "../source/code-finder.ts";
import type { SourceRange } from "../source/source-file.ts";

/** Reason of a frame's failure. */
export type FailureReason =
  /** A `revert` or `require` without a custom error; `text` is undefined if it has none. */
  | { readonly kind: "revert"; readonly text: string | undefined; readonly data: Bytes }
  /** Panic(uint256): a failed assertion, an overflow, a division by zero and others. */
  | { readonly kind: "panic"; readonly code: bigint; readonly data: Bytes }
  | { readonly kind: "customError"; readonly error: DecodedItem | undefined; readonly data: Bytes }
  /** INVALID: a failed assertion before solc 0.8. */
  | { readonly kind: "invalidOpcode" }
  /** A function, constructor or fallback function that is not payable received wei. */
  | { readonly kind: "notPayable"; readonly value: bigint; readonly target: "function" | "fallback" }
  /** A contract without `receive` or a payable fallback function received wei without data. */
  | { readonly kind: "noReceive"; readonly value: bigint }
  | { readonly kind: "unknownSelector"; readonly selector: Bytes }
  /** The call data are too short to select a function, and the contract has no fallback function. */
  | { readonly kind: "noFallback"; readonly given: number }
  /** The arguments are too short, or are not valid values of their types. */
  | { readonly kind: "invalidArguments"; readonly given: number }
  /** A library's function was called other than by DELEGATECALL. */
  | { readonly kind: "directLibraryCall" }
  /** A function was called at an address without code. */
  | { readonly kind: "noCode"; readonly address: Bytes | undefined }
  /** A call returned less than its function declares, or values that are not valid for its types. */
  | { readonly kind: "shortReturnData"; readonly given: number }
  /** A call or creation did not start, for lack of wei or by its depth. */
  | { readonly kind: "callNotStarted"; readonly cause: FrameError | undefined }
  | { readonly kind: "codeTooLarge" }
  /** The EVM halted the frame: out of gas and other errors. */
  | { readonly kind: "halt"; readonly cause: FrameError };

/** A line of a stack trace. */
export interface SolidityFrame {
  /**
   * The executing contract; of a minimal proxy (EIP-1167) its implementation. Undefined for an unknown one, and for
   * functions outside of contracts.
   */
  readonly contract: string | undefined;
  /** A name, `constructor`, `fallback` or `receive`; undefined outside of functions. */
  readonly function: string | undefined;
  /** Values of the call data of a function that was called from outside, or of a constructor; undefined for others. */
  readonly arguments: readonly DecodedArgument[] | undefined;
  /** The range in the source; undefined for an unknown contract. */
  readonly range: SourceRange | undefined;
  /** True if the compiler gave no exact range: the function is right, the line may be another one in it. */
  readonly isApproximate: boolean;
  /** Account whose code executes; undefined for a creation. */
  readonly address: Bytes | undefined;
  readonly isCreation: boolean;
  /** Precision of the contract's match; undefined for an unknown one. */
  readonly recognition: Recognition | undefined;
  /** How the source matches the code, if a server gave it. */
  readonly sourceMatch?: SourceMatch | undefined;
  /** Names of other contracts with the same code. */
  readonly namesakes: readonly string[];
  /** Index of the call frame in its recording. */
  readonly callFrame: number;
}

/** `frames` is empty if no contract of the calls is known. */
export interface SolidityStack {
  readonly reason: FailureReason;
  /** Outermost first. */
  readonly frames: readonly SolidityFrame[];
  /**
   * The failure of the last call of the frame that failed, if it failed for a reason of its own after it: the call may be
   * the cause. Its frames begin with the called contract.
   */
  readonly causedBy?: SolidityStack;
}

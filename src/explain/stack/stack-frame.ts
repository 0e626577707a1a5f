/** A Solidity stack trace as a value: where a transaction was when it failed, and why it did. */
import type { FrameError } from "../../evm/frames.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import type { DecodedItem } from "../abi/registry.ts";
import type { Recognition } from "../source/contract-finder.ts";
import type { SourceRange } from "../source/source-file.ts";

/** Why a frame failed. */
export type FailureReason =
  /** A `revert` or `require` without a custom error; the text where there is one. */
  | { readonly kind: "revert"; readonly text: string | undefined; readonly data: Bytes }
  /** Panic(uint256): an assertion, an overflow, a division by zero and others. */
  | { readonly kind: "panic"; readonly code: bigint; readonly data: Bytes }
  | { readonly kind: "customError"; readonly error: DecodedItem | undefined; readonly data: Bytes }
  /** INVALID: an assertion before solc 0.8. */
  | { readonly kind: "invalidOpcode" }
  /** wei was sent to a function, constructor or fallback function that takes none. */
  | { readonly kind: "notPayable"; readonly value: bigint; readonly target: "function" | "fallback" }
  /** wei was sent without data to a contract that takes it neither by `receive` nor by a payable fallback function. */
  | { readonly kind: "noReceive"; readonly value: bigint }
  | { readonly kind: "unknownSelector"; readonly selector: Bytes }
  /** Neither data nor a function that is for such calls. */
  | { readonly kind: "noFallback" }
  /** The arguments are too few, or no values of their types. */
  | { readonly kind: "invalidArguments"; readonly given: number }
  /** A library's function was called other than by DELEGATECALL. */
  | { readonly kind: "directLibraryCall" }
  /** An address without code was called by a function's name. */
  | { readonly kind: "noCode"; readonly address: Bytes | undefined }
  /** A call returned less than its function declares, or values that are not of its types. */
  | { readonly kind: "shortReturnData"; readonly given: number }
  /** A call or creation that did not begin: not enough wei, or too deep. */
  | { readonly kind: "callNotStarted"; readonly cause: FrameError | undefined }
  | { readonly kind: "codeTooLarge" }
  /** The EVM ended the frame: `outOfGas` and the others. */
  | { readonly kind: "halt"; readonly cause: FrameError };

/** One line of a stack trace. */
export interface SolidityFrame {
  /** The contract whose code runs; undefined for an unknown one, and for functions outside of contracts. */
  readonly contract: string | undefined;
  /** A name, `constructor`, `fallback` or `receive`; undefined outside of functions. */
  readonly function: string | undefined;
  /** The part of the source; undefined for an unknown contract. */
  readonly range: SourceRange | undefined;
  /** True where the compiler left no exact place: the function is right, the line may be another one in it. */
  readonly isApproximate: boolean;
  /** Account whose code runs; undefined for a creation. */
  readonly address: Bytes | undefined;
  readonly isCreation: boolean;
  /** How the contract was recognised; undefined for an unknown one. */
  readonly recognition: Recognition | undefined;
  /** Names of other contracts with the same code. */
  readonly namesakes: readonly string[];
  /** Index of the call frame in its recording. */
  readonly callFrame: number;
}

export interface SolidityStack {
  readonly reason: FailureReason;
  /** Outermost first. */
  readonly frames: readonly SolidityFrame[];
}

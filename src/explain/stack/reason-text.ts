/** The reason of a failure as text. */
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { revertReasonText } from "../../primitives/revert-reason.ts";
import { printable } from "../abi/describe-revert.ts";
import { formatArguments, formatBytes } from "../abi/format-value.ts";
import type { FailureReason } from "./stack-frame.ts";

/** Texts for exceptional halts. */
const HALTS: Readonly<Partial<Record<string, string>>> = {
  outOfGas: "out of gas",
  codeStoreOutOfGas: "out of gas: the deployed code could not be paid for",
  initCodeSizeExceeded: "the init code is longer than a creation's may be",
  createCollision: "an account with code or a nonce stands at the new contract's address",
  invalidOpcode: "invalid opcode",
  invalidJump: "a jump to a place that is not a JUMPDEST",
  stackUnderflow: "the EVM's stack has too few items",
  stackOverflow: "the EVM's stack has too many items",
  staticStateChange: "a change of state within a static call",
  outOfBounds: "a read beyond the end of the return data",
  invalidCode: "deployed code that begins with 0xef",
  precompileFailed: "a precompiled contract failed",
  insufficientBalance: "the account has not the wei that it sends",
  callTooDeep: "calls are nested more than 1024 deep",
};

/** One line without a full stop. */
export function reasonText(reason: FailureReason): string {
  switch (reason.kind) {
    case "revert":
      return reason.text === undefined ? "reverted without a reason" : `reverted: ${printable(reason.text)}`;
    case "panic":
      return `panic: ${revertReasonText(reason.data) ?? "unknown"} (0x${reason.code.toString(16).padStart(2, "0")})`;
    case "customError":
      return `reverted with custom error ${customErrorText(reason)}`;
    case "invalidOpcode":
      return "the opcode INVALID, which assertions end with before Solidity 0.8";
    case "notPayable":
      return `${reason.value} wei were sent to a ${reason.target === "function" ? "function" : "fallback function"} that is not payable`;
    case "noReceive":
      return `${reason.value} wei were sent, and there is neither a receive function nor a payable fallback function`;
    case "unknownSelector":
      return `no function has the selector ${encodeData(reason.selector)}, and there is no fallback function`;
    case "noFallback":
      return reason.given === 0
        ? "the call has no data, and there is neither a receive nor a fallback function"
        : `the ${reason.given} bytes of call data are too few to select a function, and there is no fallback function`;
    case "invalidArguments":
      return `the ${reason.given} bytes of arguments are too few, or no values of their types`;
    case "directLibraryCall":
      return "a library's function was called directly, and not by DELEGATECALL";
    case "noCode":
      return `a function was called at an address without code${reason.address === undefined ? "" : `, ${encodeData(reason.address)}`}`;
    case "shortReturnData":
      return `the ${reason.given} bytes that the call returned are too few, or no values of the declared types`;
    case "callNotStarted":
      return `the call could not be made: ${halt(reason.cause)}`;
    case "codeTooLarge":
      return "the deployed code is longer than a contract's may be";
    case "halt":
      return halt(reason.cause);
  }
}

function halt(cause: string | undefined): string {
  return HALTS[cause ?? "insufficientBalance"] ?? `the EVM ended it (${cause})`;
}

function customErrorText({ error, data }: Extract<FailureReason, { readonly kind: "customError" }>): string {
  if (error !== undefined) return `${error.item.name}(${formatArguments(error.arguments, false)})`;
  const selector = `0x${bytesToBigInt(data.subarray(0, 4)).toString(16).padStart(8, "0")}`;
  return data.length === 4 ? selector : `${selector}: ${formatBytes(data.subarray(4))}`;
}

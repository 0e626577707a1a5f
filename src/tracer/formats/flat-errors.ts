/** Error texts of flat traces, by client (`docs/trace-formats.md`, section 2). */
import type { FailureDetail, FrameError } from "../../evm/frames.ts";
import { gethErrorText } from "./geth-errors.ts";

/** Whose quirks a trace shows. `hindcast` is our own choice among them. */
export type TraceClient = "hindcast" | "openethereum" | "reth" | "erigon";

/** OpenEthereum's table; it had no text for calls that never start. */
const OPEN_ETHEREUM: Readonly<Record<FrameError, string>> = {
  outOfGas: "Out of gas",
  codeStoreOutOfGas: "Out of gas",
  codeSizeExceeded: "Out of gas",
  initCodeSizeExceeded: "Out of gas",
  createCollision: "Out of gas",
  reverted: "Reverted",
  invalidOpcode: "Bad instruction",
  invalidJump: "Bad jump destination",
  stackUnderflow: "Stack underflow",
  stackOverflow: "Out of stack",
  staticStateChange: "Mutable Call In Static Context",
  outOfBounds: "Out of bounds",
  invalidCode: "Invalid code",
  precompileFailed: "Built-in failed",
  insufficientBalance: "Insufficient balance for transfer",
  callTooDeep: "Call too deep",
  nonceOverflow: "Internal error",
  valueOverflow: "Insufficient balance for transfer",
  internal: "Internal error",
};

/** reth prints the name of its own error where OpenEthereum's wording is not known to it. */
const RETH: Readonly<Partial<Record<FrameError, string>>> = {
  stackUnderflow: "StackUnderflow",
  staticStateChange: "StateChangeDuringStaticCall",
  outOfBounds: "OutOfOffset",
  createCollision: "CreateCollision",
  codeSizeExceeded: "CreateContractSizeLimit",
  initCodeSizeExceeded: "CreateInitCodeSizeLimit",
  invalidCode: "CreateContractStartingWithEF",
  callTooDeep: "CallTooDeep",
};

/**
 * The text for the end of a frame. Erigon has OpenEthereum's word for reverts and geth's texts for the rest.
 *
 * @param detail - the opcode that failed, where one did: geth's texts name it
 */
export function flatErrorText(error: FrameError, client: TraceClient, detail?: FailureDetail): string {
  if (client === "reth") return rethErrorText(error, detail);
  if (client === "erigon" && error !== "reverted") return gethErrorText(error, detail);
  return OPEN_ETHEREUM[error];
}

/** reth asks whether a frame is static before it asks for gas; all others after. */
function rethErrorText(error: FrameError, detail: FailureDetail | undefined): string {
  const cause = detail !== undefined && "cause" in detail ? detail.cause : undefined;
  const isStaticFirst = error === "outOfGas" && cause === "staticFrame";
  const known = isStaticFirst ? "staticStateChange" : error;
  return RETH[known] ?? OPEN_ETHEREUM[known];
}

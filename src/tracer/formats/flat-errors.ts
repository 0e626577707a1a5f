/** Error texts of flat traces, by client (`docs/trace-formats.md`, section 2). */
import type { FailureDetail, FrameError } from "../../evm/frames.ts";
import { gethErrorText } from "./geth-errors.ts";

/** The client whose trace format is followed. `hindcast` combines choices of the others. */
export type TraceClient = "hindcast" | "openethereum" | "reth" | "erigon";

/** OpenEthereum's texts. It did not list calls that never start, so it had no text for them. */
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

/** reth prints the name of its own error for those that OpenEthereum did not have. */
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
 * The text for the failure of a frame. Erigon uses OpenEthereum's word for reverts and geth's texts for the rest.
 *
 * @param detail - the opcode that failed, if one did; geth's texts name it
 */
export function flatErrorText(error: FrameError, client: TraceClient, detail?: FailureDetail): string {
  if (client === "reth") return rethErrorText(error, detail);
  if (client === "erigon" && error !== "reverted") return gethErrorText(error, detail);
  return OPEN_ETHEREUM[error];
}

/** reth checks for a static frame before it checks the gas; all other clients after. */
function rethErrorText(error: FrameError, detail: FailureDetail | undefined): string {
  const cause = detail !== undefined && "cause" in detail ? detail.cause : undefined;
  const isStaticFirst = error === "outOfGas" && cause === "staticFrame";
  const known = isStaticFirst ? "staticStateChange" : error;
  return RETH[known] ?? OPEN_ETHEREUM[known];
}

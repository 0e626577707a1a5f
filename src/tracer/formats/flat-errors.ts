/** Error texts of flat traces, by client (trace formats §1.8). */
import type { FrameError } from "../events.ts";

/** Whose quirks a trace shows. `hindcast` is our own choice among them. */
export type TraceClient = "hindcast" | "openethereum" | "reth" | "erigon";

/** OpenEthereum's table; it had no text for calls that never start. */
const OPEN_ETHEREUM: Readonly<Record<FrameError, string>> = {
  outOfGas: "Out of gas",
  codeStoreOutOfGas: "Out of gas",
  codeSizeExceeded: "Out of gas",
  initCodeSizeExceeded: "Out of gas",
  createCollision: "Out of gas",
  refundExhausted: "Out of gas",
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
  callTooDeep: "CallTooDeep",
};

/** Erigon has OpenEthereum's word for reverts and geth's for the rest. */
const ERIGON: Readonly<Partial<Record<FrameError, string>>> = {
  outOfGas: "out of gas",
  codeStoreOutOfGas: "contract creation code storage out of gas",
  codeSizeExceeded: "max code size exceeded",
  initCodeSizeExceeded: "max initcode size exceeded",
  createCollision: "contract address collision",
  invalidOpcode: "invalid opcode",
  invalidJump: "invalid jump destination",
  stackUnderflow: "stack underflow",
  stackOverflow: "stack limit reached 1024 (1023)",
  staticStateChange: "write protection",
  outOfBounds: "return data out of bounds",
  invalidCode: "invalid code: must not begin with 0xef",
  callTooDeep: "max call depth exceeded",
};

/** The text for an error. */
export function flatErrorText(error: FrameError, client: TraceClient): string {
  if (client === "reth") return RETH[error] ?? OPEN_ETHEREUM[error];
  if (client === "erigon") return ERIGON[error] ?? OPEN_ETHEREUM[error];
  return OPEN_ETHEREUM[error];
}

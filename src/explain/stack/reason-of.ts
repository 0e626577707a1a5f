/** The reason of a frame's failure, by its error and its return data. */
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { toHexDigits } from "../../primitives/platform/encodings.ts";
import { revertReasonText } from "../../primitives/revert-reason.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { AbiRegistry } from "../abi/registry.ts";
import type { FailureReason } from "./stack-frame.ts";

/** Selectors of Error(string) and Panic(uint256) in hex digits. */
const ERROR = "08c379a0";
const PANIC = "4e487b71";
const INVALID = 0xfe;

/** Names come from ABIs. A frame without an error counts as failed for an internal reason. */
export function reasonOf(frame: CallFrame, abi: AbiRegistry): FailureReason {
  const { error = "internal", output, detail } = frame;
  if (error === "reverted") return revertReason(output, abi, frame);
  if (error === "codeSizeExceeded") return { kind: "codeTooLarge" };
  const isInvalid =
    error === "invalidOpcode" && detail !== undefined && "opcode" in detail && detail.opcode === INVALID;
  return isInvalid ? { kind: "invalidOpcode" } : { kind: "halt", cause: error };
}

function revertReason(data: Bytes, abi: AbiRegistry, { to, code }: CallFrame): FailureReason {
  const selector = toHexDigits(data.subarray(0, 4));
  if (data.length < 4) return { kind: "revert", text: undefined, data };
  if (selector === ERROR) return { kind: "revert", text: revertReasonText(data), data };
  if (selector === PANIC && data.length >= 36)
    return { kind: "panic", code: bytesToBigInt(data.subarray(4, 36)), data };
  return { kind: "customError", error: abi.decodeError(data, abi.contractAt(to, code)), data };
}

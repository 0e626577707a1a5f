/** The part of an error that is logged: the client's message, and the name of a custom error. */
import type { HindcastError } from "../../errors/hindcast-error.ts";
import { describeRevert } from "../../explain/abi/describe-revert.ts";
import type { AbiRegistry } from "../../explain/abi/registry.ts";
import { decodeData, isData } from "../../primitives/bytes/hex.ts";
import type { LoggedError } from "./request-log.ts";

/** @param abi - knows custom errors by name; others are shown by their selector */
export function loggedError(error: HindcastError, abi: AbiRegistry): LoggedError {
  const { code, data, rpcCode, rpcMessage } = error;
  // If there is a reason text, nothing is added.
  const isBare = code === "EXECUTION_REVERTED" && rpcMessage === "execution reverted";
  const reason = isBare && typeof data === "string" && isData(data) ? describeRevert(decodeData(data), abi) : "";
  return reason === "" ? error : { rpcCode, rpcMessage: `${rpcMessage}: ${reason}` };
}

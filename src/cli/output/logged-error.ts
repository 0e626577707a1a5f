/** What the log says of an error: what the client was told, and of a custom error also which one it was. */
import type { HindcastError } from "../../errors/hindcast-error.ts";
import { describeRevert } from "../../explain/abi/describe-revert.ts";
import type { AbiRegistry } from "../../explain/abi/registry.ts";
import { decodeData, isData } from "../../primitives/bytes/hex.ts";
import type { LoggedError } from "./request-log.ts";

/** @param abi - knows custom errors by name; others are shown by their selector */
export function loggedError(error: HindcastError, abi: AbiRegistry): LoggedError {
  const { code, data, rpcCode, rpcMessage } = error;
  // With a reason there is no more to say.
  const isBare = code === "EXECUTION_REVERTED" && rpcMessage === "execution reverted";
  const reason = isBare && typeof data === "string" && isData(data) ? describeRevert(decodeData(data), abi) : "";
  return reason === "" ? error : { rpcCode, rpcMessage: `${rpcMessage}: ${reason}` };
}

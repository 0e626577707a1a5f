/** The parts of revert data that the texts of development nodes are made of. */
import { decodeData } from "../../primitives/bytes/hex.ts";
import { panicCodeOf, revertReasonText } from "../../primitives/revert-reason.ts";

/** Revert data, read. */
export type RevertData =
  | { readonly kind: "empty" }
  | { readonly kind: "reason"; readonly text: string }
  | { readonly kind: "panic"; readonly code: bigint; readonly text: string }
  | { readonly kind: "other" };

/** @param data - DATA, as it is the data of the error */
export function readRevertData(data: unknown): RevertData {
  const bytes = typeof data === "string" ? decodeData(data) : new Uint8Array();
  if (bytes.length === 0) return { kind: "empty" };
  const text = revertReasonText(bytes);
  if (text === undefined) return { kind: "other" };
  const code = panicCodeOf(bytes);
  return code === undefined ? { kind: "reason", text } : { kind: "panic", code, text };
}

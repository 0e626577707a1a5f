/** Checks whether bytes encode the arguments of a function or constructor. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { parseAbi, signatureOf } from "../abi/abi-item.ts";
import { decoderOf } from "../abi/coder.ts";

/**
 * True if they do, and if the ABI has no such item.
 *
 * @param abi - as the compiler wrote it
 * @param signature - such as `transfer(address,uint256)`, or `constructor`
 */
export function argumentsFit(abi: unknown, signature: string | undefined, bytes: Bytes): boolean {
  const items = parseAbi(abi ?? []);
  const item = items.find((candidate) =>
    candidate.kind === "constructor"
      ? signature === "constructor"
      : candidate.kind === "function" && signatureOf(candidate) === signature,
  );
  return item === undefined || decoderOf(item.inputs)(bytes) !== undefined;
}

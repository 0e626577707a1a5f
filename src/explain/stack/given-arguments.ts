/** The arguments with which a function was called from outside, or a contract was created. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { type AbiItem, parseAbi, signatureOf } from "../abi/abi-item.ts";
import { decoderOf } from "../abi/coder.ts";
import type { KnownFrame } from "./known-frame.ts";
import type { SolidityFrame } from "./stack-frame.ts";

/**
 * True if bytes encode the arguments of a function or constructor, and if the ABI has no such item.
 *
 * @param abi - as the compiler wrote it
 * @param signature - such as `transfer(address,uint256)`, or `constructor`
 */
export function argumentsFit(abi: unknown, signature: string | undefined, bytes: Bytes): boolean {
  const item = itemOf(abi, signature);
  return item === undefined || decoderOf(item.inputs)(bytes) !== undefined;
}

/** Adds the arguments of a call frame to its outermost line that is in the called function or in the constructor. */
export function withArguments(known: KnownFrame, frames: readonly SolidityFrame[]): readonly SolidityFrame[] {
  const { contract, isCreation, argumentBytes } = known;
  // A library's parameters may be storage references, which an ABI does not describe.
  if (contract.definition?.kind === "library") return frames;
  const called = isCreation ? known.constructorFunction : known.calledFunction;
  const index = frames.findIndex(
    ({ callFrame, range }) =>
      callFrame === known.frame.index &&
      called !== undefined &&
      range?.file.functionAt(range.start, range.end) === called,
  );
  const line = frames[index];
  const item = itemOf(contract.abi, isCreation ? "constructor" : known.signature);
  const values = item && decoderOf(item.inputs)(argumentBytes);
  if (line === undefined || item === undefined || values === undefined) return frames;
  const given = item.inputs.map((parameter, place) => ({ parameter, value: values[place] }));
  return frames.with(index, { ...line, arguments: given });
}

function itemOf(abi: unknown, signature: string | undefined): AbiItem | undefined {
  return parseAbi(abi ?? []).find((candidate) =>
    candidate.kind === "constructor"
      ? signature === "constructor"
      : candidate.kind === "function" && signatureOf(candidate) === signature,
  );
}

/** The function of the source that begins a call frame, by its call data. */
import { isCreation } from "../../evm/frames.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { toHexDigits } from "../../primitives/platform/encodings.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { WalkedCode } from "../active/walked-code.ts";
import type { BuiltContract } from "../source/build.ts";
import type { FoundContract } from "../source/contract-finder.ts";
import type { SourceFunction } from "../source/source-file.ts";

/** Length of the selector at the beginning of the call data. */
export const SELECTOR_BYTES = 4;

/** The selector in call data; empty if they are shorter. */
export function selectorOf(input: Bytes): Bytes {
  return input.length < SELECTOR_BYTES ? EMPTY_BYTES : input.subarray(0, SELECTOR_BYTES);
}

/** The signature of the function selected by the call data; undefined if the contract has none. */
export function signatureOfCall({ signatures }: BuiltContract, input: Bytes): string | undefined {
  return signatures.get(toHexDigits(selectorOf(input)));
}

/** The function, or public state variable, selected by the call data. */
export function selectedFunction(contract: BuiltContract, input: Bytes): SourceFunction | undefined {
  const signature = signatureOfCall(contract, input);
  return signature === undefined ? undefined : selectedBy(contract, signature, toHexDigits(selectorOf(input)));
}

/** The function that runs if the call data selects none. */
export function specialFunction(contract: BuiltContract, input: Bytes): SourceFunction | undefined {
  const receive = input.length === 0 ? ofKind(contract, "receive") : undefined;
  return receive ?? ofKind(contract, "fallback");
}

/** The contract's own function of a kind, or that of its nearest base. */
export function ofKind({ lineage }: BuiltContract, kind: "fallback" | "receive"): SourceFunction | undefined {
  return lineage.flatMap(({ functions }) => functions).find((candidate) => candidate.kind === kind);
}

/** The contract's own constructor; undefined if only a base has one. */
export function constructorOf({ definition }: BuiltContract): SourceFunction | undefined {
  return definition?.functions.find(({ kind }) => kind === "constructor");
}

/** The code of a frame with the function that begins it. */
export function walkedCode({ kind, input }: CallFrame, { contract, code }: FoundContract): WalkedCode {
  const isNew = isCreation(kind);
  const selected = isNew ? undefined : selectedFunction(contract, input);
  return {
    functions: contract.functionsOf(code),
    graph: contract.calls(),
    outermost: isNew ? constructorOf(contract) : (selected ?? specialFunction(contract, input)),
    selector: selected && bytesToBigInt(selectorOf(input)),
    isCreation: isNew,
  };
}

/**
 * The function of a selector; in builds before solc 0.6 found by name and number of parameters.
 *
 * @param selector - four bytes in hex digits
 */
export function selectedBy(
  { lineage }: BuiltContract,
  signature: string,
  selector: string,
): SourceFunction | undefined {
  const [name = "", list = ""] = signature.split(/[()]/);
  const count = list === "" ? 0 : list.split(",").length;
  const named = lineage
    .flatMap(({ functions }) => functions)
    .filter((candidate) => candidate.name === name && (candidate.kind === "function" || candidate.kind === "getter"));
  return (
    named.find((candidate) => candidate.selector === selector) ??
    named.find(({ parameterTypes }) => parameterTypes.join(",") === list) ??
    named.find(({ kind, parameterTypes }) => kind === "getter" || parameterTypes.length === count) ??
    named[0]
  );
}

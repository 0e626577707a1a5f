/** The reason why a transaction or a call failed, as JSON. */
import { formatArguments } from "../../../explain/abi/format-value.ts";
import type { DecodedArgument } from "../../../explain/abi/registry.ts";
import { reasonText } from "../../../explain/stack/reason-text.ts";
import type { SolidityFrame } from "../../../explain/stack/stack-frame.ts";
import { stackText } from "../../../explain/stack/stack-text.ts";
import { encodeData, type Hex } from "../../../primitives/bytes/hex.ts";
import type { Explanation } from "../../../services/simulate/call/failure-explainer.ts";

/** The answer of `hindcast_explainTransaction` and `hindcast_explainCall`. */
export interface ExplanationJson {
  readonly failed: boolean;
  /** Kind of failure and its description; null if the execution succeeded. */
  readonly reason: { readonly kind: string; readonly text: string } | null;
  /** Outermost first. */
  readonly frames: readonly SolidityFrameJson[];
  /** The stack trace as printed text; empty if the execution succeeded. */
  readonly text: string;
  /** Facts that the compiler's output does not contain. */
  readonly notes: readonly string[];
}

interface SolidityFrameJson {
  readonly contract: string | null;
  readonly function: string | null;
  /** In the order of the parameters; a name is empty if the source has none. Null if they are not known. */
  readonly arguments: readonly { readonly name: string; readonly type: string; readonly value: string }[] | null;
  readonly file: string | null;
  /** Counted from 1. */
  readonly line: number | null;
  /** Counted from 1, in characters. */
  readonly column: number | null;
  /** Text of that line. */
  readonly source: string | null;
  readonly isApproximate: boolean;
  readonly address: Hex | null;
  readonly isCreation: boolean;
  /** `exact`, `withoutMetadata` or `similar`; null for an unknown contract. */
  readonly recognition: string | null;
  readonly namesakes: readonly string[];
}

/** Without a stack the execution succeeded. */
export function encodeExplanation({ stack, gaps }: Explanation): ExplanationJson {
  if (stack === undefined) return { failed: false, reason: null, frames: [], text: "", notes: gaps };
  const { reason, frames } = stack;
  return {
    failed: true,
    reason: { kind: reason.kind, text: reasonText(reason) },
    frames: frames.map(encodeFrame),
    text: stackText(stack),
    notes: gaps,
  };
}

function encodeFrame(frame: SolidityFrame): SolidityFrameJson {
  const { contract, range, isApproximate, address, isCreation, recognition, namesakes } = frame;
  const position = range?.file.positionOf(range.start);
  return {
    contract: contract ?? null,
    function: frame.function ?? null,
    arguments: frame.arguments?.map(encodeArgument) ?? null,
    file: range?.file.path ?? null,
    line: position?.line ?? null,
    column: position?.column ?? null,
    source: range === undefined || position === undefined ? null : range.file.lineText(position.line),
    isApproximate,
    address: address === undefined ? null : encodeData(address),
    isCreation,
    recognition: recognition ?? null,
    namesakes,
  };
}

function encodeArgument(given: DecodedArgument): { name: string; type: string; value: string } {
  const { name, type } = given.parameter;
  return { name, type, value: formatArguments([given], false) };
}

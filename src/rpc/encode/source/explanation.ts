/** The reason why a transaction or a call failed, as JSON. */
import { formatArguments } from "../../../explain/abi/format-value.ts";
import type { DecodedArgument } from "../../../explain/abi/registry.ts";
import { reasonText } from "../../../explain/stack/reason-text.ts";
import type { SolidityFrame } from "../../../explain/stack/stack-frame.ts";
import { stackText } from "../../../explain/stack/stack-text.ts";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import type { Explanation } from "../../../services/simulate/call/failure-explainer.ts";
import { arrayOf, BOOLEAN, INTEGER, type JsonSchema, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS } from "../../openrpc/primitives.ts";
import type { Explanation as ExplanationJson } from "../../wire-types.generated.ts";

/** How a source that a server gave matches the code; missing for sources of artifacts. */
export const SOURCE_MATCH: JsonSchema = { type: "string", enum: ["full", "partial"] };

export const explanationSchema = named("Explanation", () =>
  object({
    failed: BOOLEAN,
    reason: orNull(object({ kind: TEXT, text: TEXT })),
    frames: arrayOf(
      object(
        {
          contract: orNull(TEXT),
          function: orNull(TEXT),
          arguments: orNull(arrayOf(object({ name: TEXT, type: TEXT, value: TEXT }))),
          file: orNull(TEXT),
          line: orNull(INTEGER),
          column: orNull(INTEGER),
          source: orNull(TEXT),
          isApproximate: BOOLEAN,
          address: orNull(ADDRESS),
          isCreation: BOOLEAN,
          recognition: orNull({ type: "string", enum: ["exact", "withoutMetadata", "similar"] }),
          namesakes: arrayOf(TEXT),
        },
        { sourceMatch: SOURCE_MATCH },
      ),
    ),
    text: TEXT,
    notes: arrayOf(TEXT),
  }),
);

/** Without a stack the execution succeeded. */
export function encodeExplanation({ stack, gaps }: Explanation): ExplanationJson {
  if (stack === undefined) return { failed: false, reason: null, frames: [], text: "", notes: [...gaps] };
  const { reason, frames } = stack;
  return {
    failed: true,
    reason: { kind: reason.kind, text: reasonText(reason) },
    frames: frames.map(encodeFrame),
    text: stackText(stack),
    notes: [...gaps],
  };
}

function encodeFrame(frame: SolidityFrame): ExplanationJson["frames"][number] {
  const { contract, range, isApproximate, address, isCreation, recognition, sourceMatch, namesakes } = frame;
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
    namesakes: [...namesakes],
    ...(sourceMatch === undefined ? {} : { sourceMatch }),
  };
}

function encodeArgument(given: DecodedArgument): { name: string; type: string; value: string } {
  const { name, type } = given.parameter;
  return { name, type, value: formatArguments([given], false) };
}

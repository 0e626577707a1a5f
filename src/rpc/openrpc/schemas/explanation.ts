/** Schemas of the answers of `hindcast_explain…`. */
import { arrayOf, BOOLEAN, INTEGER, type JsonSchema, object, orNull, TEXT } from "../json-schema.ts";
import { ADDRESS } from "./primitives.ts";

/** Schemas by name. */
export const EXPLANATION: Readonly<Record<string, JsonSchema>> = {
  Explanation: object({
    failed: BOOLEAN,
    reason: orNull(object({ kind: TEXT, text: TEXT })),
    frames: arrayOf(
      object({
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
      }),
    ),
    text: TEXT,
    notes: arrayOf(TEXT),
  }),
};

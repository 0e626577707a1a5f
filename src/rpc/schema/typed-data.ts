/** Params of the methods that sign messages. */
import { decodeData, isData } from "../../primitives/hex.ts";
import { parseLosslessJson } from "../../primitives/lossless-json.ts";
import { anything, listOf, Schema, string, text } from "../../primitives/schema.ts";
import { object, record } from "../../primitives/schema-objects.ts";

const members = listOf(object({ name: string(), type: string() }));

const typedDataObject = object(
  {
    types: record(members, "expected the struct types by name"),
    primaryType: string("expected the name of a type"),
    domain: record(anything),
    message: record(anything),
  },
  "expected an object with types, primaryType, domain and message, or its JSON",
);

/** EIP-712's object, or its JSON as a string, whose large integers keep their digits. */
export const typedData = new Schema(
  (value) => typedDataObject.read(typeof value === "string" ? parsedOrNothing(value) : value),
  typedDataObject.describe,
);

function parsedOrNothing(json: string): unknown {
  try {
    return parseLosslessJson(json);
  } catch {
    return undefined;
  }
}

/** A message: DATA, or any other string, which stands for its UTF-8 bytes (as wallets take it). */
export const message = text("expected a message: DATA or text", (words) =>
  isData(words) ? decodeData(words) : new TextEncoder().encode(words),
);

/** Params of the methods that sign messages. */
import { z } from "zod";
import { parseData } from "../../primitives/bytes/hex.ts";
import { parseLosslessJson } from "../../primitives/json/lossless-json.ts";

const members = z.array(z.object({ name: z.string(), type: z.string() }));
const record = z.record(z.string(), z.unknown());

const typedDataObject = z.object(
  {
    types: z.record(z.string(), members, { error: "expected the struct types by name" }),
    primaryType: z.string({ error: "expected the name of a type" }),
    domain: record,
    message: record,
  },
  { error: "expected an object with types, primaryType, domain and message, or its JSON" },
);

/** EIP-712's object, or its JSON text, of which large integers keep all digits. */
export const typedData = z.preprocess((value) => {
  if (typeof value !== "string") return value;
  try {
    return parseLosslessJson(value);
  } catch {
    return undefined;
  }
}, typedDataObject);

/** A message: DATA, or any other string, which means its UTF-8 bytes, as in wallets. */
export const message = z
  .string({ error: "expected a message: DATA or text" })
  .transform((text) => parseData(text) ?? new TextEncoder().encode(text));

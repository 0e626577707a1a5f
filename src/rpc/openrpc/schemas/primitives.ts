/** Schemas of the hexadecimal strings in answers. */
import { hexString, type JsonSchema, ref } from "../json-schema.ts";

/** Schemas by name. */
export const PRIMITIVES: Readonly<Record<string, JsonSchema>> = {
  Quantity: hexString("QUANTITY", "(0|[1-9a-f][0-9a-f]*)"),
  Data: hexString("DATA", "([0-9a-f]{2})*"),
  Hash: hexString("32 bytes of DATA that are a hash", "[0-9a-f]{64}"),
  Word: hexString("32 bytes of DATA", "[0-9a-f]{64}"),
  Address: hexString("20 bytes of DATA that are an address", "[0-9a-f]{40}"),
  Nonce: hexString("8 bytes of DATA", "[0-9a-f]{16}"),
  Bloom: hexString("256 bytes of DATA", "[0-9a-f]{512}"),
  Signature: hexString("65 bytes of DATA: r, s, v", "[0-9a-f]{130}"),
  Hex: hexString("QUANTITY, or DATA at the path form", "[0-9a-f]+"),
  Decimal: { title: "decimal digits", type: "string", pattern: "^[0-9]+$" },
};

export const QUANTITY = ref("Quantity");
export const DATA = ref("Data");
export const HASH = ref("Hash");
export const ADDRESS = ref("Address");
export const WORD = ref("Word");
export const HEX = ref("Hex");

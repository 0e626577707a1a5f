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

/** A number without leading zeros, such as 0x0. */
export const QUANTITY = ref("Quantity");
/** Bytes, two digits each. */
export const DATA = ref("Data");
/** 32 bytes that are a hash. */
export const HASH = ref("Hash");
/** 20 bytes. */
export const ADDRESS = ref("Address");
/** 32 bytes, such as a slot. */
export const WORD = ref("Word");
/** A QUANTITY, or DATA in `parity` answers. */
export const HEX = ref("Hex");
